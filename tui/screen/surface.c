#include "surface.h"
#include "model/store/base/memory.h"
#include "tui/text/utf8.h"
#include <stdarg.h>
#include <stdlib.h>

enum { DOTTED_CIRCLE = 0x25CC };
static const struct surface_cell blank = {0, ' ', 0, 0, 0};

void surface_resize(struct surface *s, int rows, int cols)
{
	/* terminals that are just being made may say 0 x 0 */
	if (rows < 1)
		rows = 1;
	if (cols < 1)
		cols = 1;
	struct surface_cell *cells = must(realloc(s->cells, (size_t)rows * (size_t)cols * sizeof *cells));
	s->cells = cells;
	s->rows = rows;
	s->cols = cols;
	surface_clear(s);
}

void surface_free(struct surface *s)
{
	free(s->cells);
	*s = (struct surface){0};
}

void surface_clear(struct surface *s)
{
	for (int i = 0; i < s->rows * s->cols; i++)
		s->cells[i] = blank;
}

static struct surface_cell *cell_at(const struct surface *s, int y, int x)
{
	if (y < 0 || x < 0 || y >= s->rows || x >= s->cols)
		return NULL;
	return &s->cells[y * s->cols + x];
}

const struct surface_cell *surface_at(const struct surface *s, int y, int x)
{
	return cell_at(s, y, x);
}

static void set(struct surface *s, int y, int x, uint32_t cp, int ink, int pen)
{
	struct surface_cell *c = cell_at(s, y, x);
	if (!c)
		return;
	if (s->ascii && cp > 0x7E)
		cp = (uint32_t)(unsigned char)utf8_ascii(cp);
	*c = (struct surface_cell){0, cp, (uint8_t)ink, (uint8_t)pen, 0};
}

/* A wide character that does not fit at the grid's right edge becomes a blank. */
static void set_wide(struct surface *s, int y, int x, uint32_t cp, int ink, int pen)
{
	bool fits = cell_at(s, y, x + 1) && !s->ascii;
	set(s, y, x, fits ? cp : s->ascii ? '?' : ' ', ink, pen);
	set(s, y, x + 1, fits ? 0 : ' ', ink, pen);
}

void surface_put(struct surface *s, int y, int x, uint32_t cp, int ink, int pen)
{
	if (utf8_cols(cp) == 2)
		set_wide(s, y, x, cp, ink, pen);
	else
		set(s, y, x, cp, ink, pen);
}

size_t cell_utf8(uint32_t cp, uint64_t marks, char out[CELL_TEXT_BUF])
{
	size_t n = cp ? utf8_encode(cp, out) : 0;
	for (; marks; marks >>= MARK_BITS)
		n += utf8_encode((uint32_t)marks & ((1u << MARK_BITS) - 1), out + n);
	out[n] = 0;
	return n;
}

/* A combining mark joins the character in the cell; after the third there is no room. */
static void add_mark(struct surface *s, int y, int x, uint32_t mark)
{
	struct surface_cell *c = cell_at(s, y, x);
	if (c && !c->cp)
		c = cell_at(s, y, x - 1); /* the left half of a wide character */
	for (int bit = 0; c && !s->ascii && bit < 3 * MARK_BITS; bit += MARK_BITS)
		if (!(c->marks >> bit)) {
			c->marks |= (uint64_t)mark << bit;
			return;
		}
}

int surface_text(struct surface *s, int y, int x, int w, int ink, int pen, const char *text)
{
	int used = 0;
	bool fits = utf8_width(text) <= w;
	int room = fits ? w : w - 1; /* one column for the ellipsis */
	for (uint32_t cp; (cp = utf8_next(&text));) {
		int cols = utf8_cols(cp);
		if (cols == 0 && used) {
			add_mark(s, y, x + used - 1, cp);
			continue;
		}
		if (used + (cols ? cols : 1) > room)
			break;
		surface_put(s, y, x + used, cols ? cp : DOTTED_CIRCLE, ink, pen);
		if (!cols)
			add_mark(s, y, x + used, cp);
		used += cols ? cols : 1;
	}
	if (!fits && w > 0)
		surface_put(s, y, x + used++, 0x2026, ink, pen);
	return used;
}

int surface_text_right(struct surface *s, int y, int x, int w, int ink, int pen, const char *text)
{
	int width = utf8_width(text);
	int shift = width < w ? w - width : 0;
	return surface_text(s, y, x + shift, w - shift, ink, pen, text);
}

int surface_printf(struct surface *s, int y, int x, int w, int ink, int pen, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	return surface_text(s, y, x, w, ink, pen, buf);
}

void surface_fill(struct surface *s, struct rect r, uint32_t cp, int ink, int pen)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			surface_put(s, y, x, cp, ink, pen);
}

void surface_paint(struct surface *s, struct rect r, int ink, int pen)
{
	for (int y = r.y; y < r.y + r.h; y++) {
		for (int x = r.x; x < r.x + r.w; x++) {
			struct surface_cell *c = cell_at(s, y, x);
			if (!c)
				continue;
			c->ink = (uint8_t)ink;
			c->pen = (uint8_t)pen;
		}
	}
}

/* Keys after Unicode are told by their distance from its end. */
enum { BEHIND_UNICODE = 0x110000, IS_BEHIND = 0x8000 };

void surface_button(struct surface *s, struct rect r, int key)
{
	int press = key >= BEHIND_UNICODE ? IS_BEHIND | (key - BEHIND_UNICODE) : key;
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			if (cell_at(s, y, x))
				cell_at(s, y, x)->press = (uint16_t)press;
}

int surface_key_at(const struct surface *s, int y, int x)
{
	const struct surface_cell *c = cell_at(s, y, x);
	int press = c ? c->press : 0;
	return press & IS_BEHIND ? BEHIND_UNICODE + (press & ~IS_BEHIND) : press;
}
