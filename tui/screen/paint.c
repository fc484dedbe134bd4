#include "paint.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include "tui/text/utf8.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	ERASE_FROM = 10,
	JOIN = 4,
	SHIFT_FROM_BYTES = 48,
	SHIFT_FROM_FRAME = 400,
	UNKNOWN = UINT32_MAX,
	ANY_WIDTH_FROM = 0x1F000,
	FIRST_WIDE = 0x1100
};

void paint_start(struct paint *p, struct paint_caps caps)
{
	p->caps = caps;
	paint_theme_changed(p);
}

void paint_free(struct paint *p)
{
	free(p->out);
	free(p->shown);
	free(p->wanted);
	free(p->moved);
	*p = (struct paint){0};
}

void paint_theme_changed(struct paint *p)
{
	p->looks_ready = false;
	paint_forget(p);
}

void paint_forget(struct paint *p)
{
	p->known = false;
}

/* ---- bytes -------------------------------------------------------------------------------------------------------- */

static void put(struct paint *p, const char *bytes, size_t n)
{
	GROW_ARRAY(p->out, p->n + n, p->cap);
	memcpy(p->out + p->n, bytes, n);
	p->n += n;
}

static void say(struct paint *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct paint *p, const char *fmt, ...)
{
	char text[64];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	put(p, text, (size_t)n);
}

static void go(struct paint *p, int y, int x)
{
	if (p->y == y && p->x == x)
		return;
	if (p->y == y && x > p->x)
		x == p->x + 1 ? say(p, "\033[C") : say(p, "\033[%dC", x - p->x);
	else if (x == 0)
		say(p, "\033[%dH", y + 1);
	else
		say(p, "\033[%d;%dH", y + 1, x + 1);
	p->y = y;
	p->x = x;
}

/* ---- styles ------------------------------------------------------------------------------------------------------- */

static int32_t fit_color(const struct paint *p, int32_t color)
{
	if (color < 0 || p->caps.depth == DEPTH_MONO)
		return COLOR_DEFAULT;
	if (p->caps.depth != DEPTH_RGB)
		return color_to_256(color);
	return color < 16 ? color : COLOR_RGB | color_to_rgb(color);
}

/* Eight-colour terminals show a bright foreground as bold; a bright background does not exist there. */
static struct style fit_style(const struct paint *p, struct style st)
{
	if (p->caps.depth == DEPTH_8 && st.fg >= 8) {
		st.fg -= 8;
		st.pen |= PEN_BOLD;
	}
	if (p->caps.depth == DEPTH_8 && st.bg >= 8)
		st.bg -= 8;
	return (struct style){fit_color(p, st.fg), fit_color(p, st.bg), st.pen};
}

static uint32_t look_number(struct paint *p, struct style st)
{
	for (uint32_t i = 0; i < p->n_styles; i++)
		if (p->styles[i].fg == st.fg && p->styles[i].bg == st.bg && p->styles[i].pen == st.pen)
			return i;
	if (p->n_styles == PAINT_LOOKS)
		return 0;
	p->styles[p->n_styles] = st;
	return p->n_styles++;
}

static struct style style_of(const struct paint *p, const struct theme *t, int ink, int pen)
{
	const struct style *inks = p->caps.depth >= DEPTH_256 ? t->rich : t->basic;
	return fit_style(p, theme_cell(inks, ink, pen));
}

static bool shows_blank(struct style st)
{
	return st.pen & (PEN_REVERSE | PEN_UNDERLINE);
}

static void make_looks(struct paint *p, const struct theme *t)
{
	p->n_styles = 0;
	struct style ground = style_of(p, t, INK_TEXT, 0);
	for (int ink = 0; ink < INK_COUNT; ink++)
		for (int pen = 0; pen < 16; pen++) {
			struct style st = style_of(p, t, ink, pen), blank = st;
			/* of a blank only the ground is seen, unless it is turned round or has a line */
			if (!shows_blank(st))
				blank = (struct style){ground.fg, st.bg, 0};
			p->look_of[ink][pen] = look_number(p, st);
			p->blank_of[ink][pen] = look_number(p, blank);
		}
	p->looks_ready = true;
}

static void say_color(struct paint *p, int32_t color, bool back)
{
	if (color < 0)
		say(p, ";%d", back ? 49 : 39);
	else if (color >= COLOR_RGB)
		say(p, ";%d;2;%d;%d;%d", back ? 48 : 38, color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF);
	else if (color >= 16)
		say(p, ";%d;5;%d", back ? 48 : 38, color);
	else
		say(p, ";%d", (color < 8 ? 30 + color : 90 + color - 8) + (back ? 10 : 0));
}

/* What begins with ";" is written after "ESC [" without it, for an empty first number would take everything back. */
static void set_style(struct paint *p, struct style to)
{
	static const struct style plain = {COLOR_DEFAULT, COLOR_DEFAULT, 0};
	bool anew = !p->pen_known || p->pen.pen & ~to.pen;
	struct style from = anew ? plain : p->pen;
	int added = to.pen & ~from.pen;
	size_t begin = p->n + 1;
	if (!anew && !added && to.fg == from.fg && to.bg == from.bg)
		return;
	say(p, "\033%s%s%s%s", anew ? ";0" : "", added & PEN_BOLD ? ";1" : "", added & PEN_UNDERLINE ? ";4" : "",
	    added & PEN_REVERSE ? ";7" : "");
	if (to.fg != from.fg)
		say_color(p, to.fg, false);
	if (to.bg != from.bg)
		say_color(p, to.bg, true);
	put(p, "m", 1);
	p->out[begin] = '[';
	p->pen = to;
	p->pen_known = true;
}

static void set_look(struct paint *p, uint32_t look)
{
	set_style(p, p->styles[look]);
}

/* For blanks, of which only the background is seen: the rest stays as the last text had it. */
static void set_ground(struct paint *p, uint32_t look)
{
	struct style to = p->styles[look];
	if (p->pen_known && !shows_blank(p->pen) && !shows_blank(to))
		to = (struct style){p->pen.fg, to.bg, p->pen.pen};
	set_style(p, to);
}

/* ---- cells -------------------------------------------------------------------------------------------------------- */

bool painted_same(const struct painted *a, const struct painted *b)
{
	return a->cp == b->cp && a->look == b->look && a->marks == b->marks;
}

/* Half of a wide character that was drawn over: terminals show a blank for it. */
static bool is_half(const struct surface *s, int y, int x)
{
	const struct surface_cell *c = surface_at(s, y, x), *next = surface_at(s, y, x + 1);
	if (!c->cp)
		return x == 0 || utf8_cols(surface_at(s, y, x - 1)->cp) != 2;
	return c->cp >= FIRST_WIDE && utf8_cols(c->cp) == 2 && (!next || next->cp);
}

static struct painted wanted_cell(const struct paint *p, const struct surface *s, int y, int x)
{
	const struct surface_cell *c = surface_at(s, y, x);
	uint32_t cp = is_half(s, y, x) ? ' ' : c->cp;
	const uint32_t(*looks)[16] = cp == ' ' ? p->blank_of : p->look_of;
	if (p->caps.last_cell_wraps && y == p->rows - 1 && x == p->cols - 1)
		return (struct painted){0, ' ', p->blank_of[INK_TEXT][0]};
	return (struct painted){cp == c->cp ? c->marks : 0, cp, looks[c->ink][c->pen & 15]};
}

static void take_surface(struct paint *p, const struct surface *s)
{
	for (int y = 0; y < s->rows; y++)
		for (int x = 0; x < s->cols; x++)
			p->wanted[y * s->cols + x] = wanted_cell(p, s, y, x);
}

/* A cell that the terminal has just erased in style `look`; its cp is UINT32_MAX where that is not known. */
static struct painted paint_erased(const struct paint *p, uint32_t look)
{
	struct style st = p->styles[look];
	bool plain = !shows_blank(st) && (p->caps.erases_colored || st.bg == COLOR_DEFAULT);
	return (struct painted){0, plain ? ' ' : UNKNOWN, look};
}

/* Cells from x to end that are blanks of one look. */
static int blanks(const struct painted *row, int x, int end)
{
	int n = 0;
	while (x + n < end && row[x + n].cp == ' ' && !row[x + n].marks && row[x + n].look == row[x].look)
		n++;
	return n;
}

/* Terminals do not agree how wide these are: the next cell is gone to anew. */
static bool has_any_width(const struct painted *c, const struct painted *next)
{
	return c->marks || c->cp >= ANY_WIDTH_FROM || (c->cp >= 0x2600 && c->cp < 0x27C0) || (next && !next->cp);
}

static void put_cell(struct paint *p, const struct painted *row, int y, int x)
{
	char text[CELL_TEXT_BUF];
	const struct painted *next = x + 1 < p->cols ? &row[x + 1] : NULL;
	if (!row[x].cp)
		return; /* came with its left half */
	go(p, y, x);
	if (row[x].cp == ' ' && !row[x].marks)
		set_ground(p, row[x].look);
	else
		set_look(p, row[x].look);
	put(p, text, cell_utf8(row[x].cp, row[x].marks, text));
	p->x = x + 1;
	/* after the last column the cursor hangs */
	if (has_any_width(&row[x], next) || p->x >= p->cols)
		p->y = -1;
}

static bool can_erase(const struct paint *p, const struct painted *c)
{
	return painted_same(c, &(struct painted){0, ' ', c->look}) && paint_erased(p, c->look).cp == ' ';
}

/* Blanks from x on: erased when that is shorter; false when they are not. */
static bool erase_run(struct paint *p, const struct painted *row, int y, int x, int n)
{
	bool to_end = x + n == p->cols;
	if (!can_erase(p, &row[x]) || n < (to_end ? JOIN : ERASE_FROM) || (!to_end && !p->caps.erase_cells))
		return false;
	go(p, y, x);
	set_ground(p, row[x].look);
	if (to_end)
		say(p, "\033[K");
	else
		say(p, "\033[%dX", n);
	return true;
}

static void put_run(struct paint *p, const struct painted *row, int y, int from, int to)
{
	while (from < to) {
		int n = blanks(row, from, to);
		if (n && erase_run(p, row, y, from, n)) {
			from += n;
			continue;
		}
		put_cell(p, row, y, from++);
	}
}

/* ---- two ways to the same -------------------------------------------------------------------------------------------- */

/* Where writing stands: how many bytes there are, and what the terminal's cursor and pen are after them. */
struct place {
	size_t n;
	int y, x;
	struct style pen;
	bool pen_known;
};

static struct place place_of(const struct paint *p)
{
	return (struct place){p->n, p->y, p->x, p->pen, p->pen_known};
}

static void set_place(struct paint *p, struct place at)
{
	p->n = at.n;
	p->y = at.y;
	p->x = at.x;
	p->pen = at.pen;
	p->pen_known = at.pen_known;
}

/* Another way from `before` on is written after the first one, as if that were not there. */
static void go_back(struct paint *p, struct place before)
{
	before.n = p->n;
	set_place(p, before);
}

/* Of the way from `before` to `first`, and the one that was written after it, the shorter one stays. */
static void keep_shorter(struct paint *p, struct place before, struct place first)
{
	size_t second = p->n - first.n;
	if (second >= first.n - before.n) {
		set_place(p, first);
		return;
	}
	memmove(p->out + before.n, p->out + first.n, second);
	p->n = before.n + second;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* Whether b takes no other style after a. */
static bool goes_on(const struct paint *p, const struct painted *a, const struct painted *b)
{
	const struct style *x = &p->styles[a->look], *y = &p->styles[b->look];
	bool blank = (a->cp == ' ' || b->cp == ' ') && !shows_blank(*x) && !shows_blank(*y);
	return a->look == b->look || (blank && x->bg == y->bg);
}

/* Where the next run of cells ends that are to be written: over a few that stay when going round them takes more bytes. */
static int run_end(const struct paint *p, const struct painted *old, const struct painted *row, int x)
{
	int end = x + 1, same = 0;
	for (int i = end; i < p->cols && same <= JOIN; i++) {
		bool stays = painted_same(&old[i], &row[i]);
		same = stays ? same + 1 : 0;
		if (stays && (!goes_on(p, &row[i - 1], &row[i]) || row[i].cp > 0x7E || !row[i].cp))
			break;
		if (!stays)
			end = i + 1;
	}
	/* both halves of a wide character, and no left half without its right one */
	while (end < p->cols && !row[end].cp)
		end++;
	return end;
}

static void paint_row(struct paint *p, const struct painted *old, const struct painted *row, int y)
{
	for (int x = 0; x < p->cols;) {
		if (painted_same(&old[x], &row[x])) {
			x++;
			continue;
		}
		while (x > 0 && !row[x].cp)
			x--;
		int end = run_end(p, old, row, x);
		put_run(p, row, y, x, end);
		x = end;
	}
}

/* The columns [from, to) of a row that differ, and whether all of the row is of one width. */
static bool differing(const struct paint *p, const struct painted *old, const struct painted *row, int *from, int *to)
{
	*from = p->cols;
	*to = 0;
	for (int x = 0; x < p->cols; x++) {
		if (!old[x].cp || !row[x].cp || old[x].marks || row[x].marks)
			return false;
		if (painted_same(&old[x], &row[x]))
			continue;
		*from = x < *from ? x : *from;
		*to = x + 1;
	}
	return *to > *from;
}

/* The terminal moves the cells of [from, to) by d to the left (d < 0: to the right); what lies behind them stays. */
static void shift_cells(struct paint *p, struct painted *line, int y, int from, int to, int d)
{
	int n = d > 0 ? d : -d;
	uint32_t ground = p->blank_of[INK_TEXT][0];
	struct painted blank = paint_erased(p, ground);
	set_ground(p, ground);
	go(p, y, d > 0 ? from : to - n);
	say(p, "\033[%dP", n);
	if (d < 0 || to < p->cols) {
		go(p, y, d > 0 ? to - n : from);
		say(p, "\033[%d@", n);
	}
	size_t kept = (size_t)(to - from - n) * sizeof *line;
	memmove(line + (d > 0 ? from : from + n), line + (d > 0 ? from + n : from), kept);
	for (int i = 0; i < n; i++)
		line[(d > 0 ? to - n : from) + i] = blank;
}

static void paint_row_shifted(struct paint *p, const struct painted *old, const struct painted *row, int y, int d)
{
	int from, to, n = d > 0 ? d : -d;
	struct painted *line = p->moved + p->rows * p->cols;
	struct place before = place_of(p);
	paint_row(p, old, row, y);
	struct place plain = place_of(p);
	if (!d || plain.n - before.n < SHIFT_FROM_BYTES || !differing(p, old, row, &from, &to) || to - from <= n)
		return;
	go_back(p, before);
	memcpy(line, old, (size_t)p->cols * sizeof *old);
	shift_cells(p, line, y, from, to, d);
	paint_row(p, line, row, y);
	keep_shorter(p, before, plain);
}

/* ---- frames ------------------------------------------------------------------------------------------------------- */

static void shift_lines(struct paint *p, struct painted *cells, struct row_shift r)
{
	int n = r.d > 0 ? r.d : -r.d;
	size_t kept = (size_t)(r.h - n) * (size_t)p->cols * sizeof *cells;
	uint32_t ground = p->blank_of[INK_TEXT][0];
	set_ground(p, ground);
	say(p, "\033[%d;%dr", r.at + 1, r.at + r.h);
	p->y = -1;
	go(p, r.at, 0);
	say(p, "\033[%d%c\033[r", n, r.d > 0 ? 'M' : 'L');
	p->y = -1;
	struct painted *top = cells + r.at * p->cols, *moved = top + n * p->cols;
	memmove(r.d > 0 ? top : moved, r.d > 0 ? moved : top, kept);
	struct painted *gone = r.d > 0 ? top + (r.h - n) * p->cols : top;
	for (int i = 0; i < n * p->cols; i++)
		gone[i] = paint_erased(p, ground);
}

static void resize(struct paint *p, const struct surface *s)
{
	size_t n = (size_t)s->rows * (size_t)s->cols;
	p->rows = s->rows;
	p->cols = s->cols;
	p->shown = must(realloc(p->shown, n * sizeof *p->shown));
	p->wanted = must(realloc(p->wanted, n * sizeof *p->wanted));
	p->moved = must(realloc(p->moved, (n + (size_t)s->cols) * sizeof *p->moved));
	p->known = false;
}

/* From nothing that is known: everything is erased first. */
static void start_anew(struct paint *p)
{
	uint32_t ground = p->blank_of[INK_TEXT][0];
	p->pen_known = false;
	p->y = -1;
	set_look(p, ground);
	go(p, 0, 0);
	say(p, "\033[2J");
	for (int i = 0; i < p->rows * p->cols; i++)
		p->shown[i] = paint_erased(p, ground);
	p->known = true;
}

static void paint_rows(struct paint *p, const struct painted *shown, int d)
{
	for (int y = 0; y < p->rows; y++)
		paint_row_shifted(p, shown + y * p->cols, p->wanted + y * p->cols, y, d);
}

/* Cell by cell and by shifting within rows; then also by shifting rows, when many bytes ask for it. */
static void paint_changes(struct paint *p)
{
	struct place before = place_of(p);
	paint_rows(p, p->shown, 0);
	struct place plain = place_of(p);
	if (plain.n - before.n < SHIFT_FROM_FRAME)
		return;
	int d = p->caps.shift_cells ? paint_column_shift(p) : 0;
	if (d) {
		set_place(p, before);
		paint_rows(p, p->shown, d);
		plain = place_of(p);
	}
	struct row_shift r = {-1, 0, 0};
	if (p->caps.shift_lines)
		r = paint_row_shift(p);
	if (r.at < 0)
		return;
	go_back(p, before);
	memcpy(p->moved, p->shown, (size_t)p->rows * (size_t)p->cols * sizeof *p->shown);
	shift_lines(p, p->moved, r);
	paint_rows(p, p->moved, 0);
	keep_shorter(p, before, plain);
}

static bool nothing_new(const struct paint *p)
{
	for (int i = 0; p->known && i < p->rows * p->cols; i++)
		if (!painted_same(&p->shown[i], &p->wanted[i]))
			return false;
	return p->known;
}

void paint_frame(struct paint *p, const struct surface *s, const struct theme *t)
{
	p->n = 0;
	if (!p->looks_ready)
		make_looks(p, t);
	if (p->rows != s->rows || p->cols != s->cols)
		resize(p, s);
	take_surface(p, s);
	if (nothing_new(p))
		return;
	if (p->caps.sync)
		say(p, "\033[?2026h");
	if (!p->known)
		start_anew(p);
	paint_changes(p);
	/* whoever else writes to this terminal does so in its own colours */
	set_style(p, (struct style){COLOR_DEFAULT, COLOR_DEFAULT, 0});
	if (p->caps.sync)
		say(p, "\033[?2026l");
	struct painted *shown = p->shown;
	p->shown = p->wanted;
	p->wanted = shown;
}
