/* tui/screen/shot_svg.c - a screen as SVG: grounds, then what is drawn, then texts, row by row. */
#include "shot.h"
#include "tui/text/put.h"

enum { CELL_W = 8, CELL_H = 17, BASELINE = 13, MARGIN = 8 };
enum { DEFAULT_TEXT = 0xD4D4D4, DEFAULT_GROUND = 0x16181D };

/* A cell as it is seen: colours as 0xrrggbb. */
struct look {
	int32_t fg, bg;
	bool bold, underline;
};

static int32_t rgb_of(int32_t color, int32_t otherwise)
{
	static const int32_t named[16] = {0x000000, 0xCD3131, 0x0DBC79, 0xE5E510, 0x2472C8, 0xBC3FBC,
					  0x11A8CD, 0xE5E5E5, 0x666666, 0xF14C4C, 0x23D18B, 0xF5F543,
					  0x3B8EEA, 0xD670D6, 0x29B8DB, 0xFFFFFF};
	if (color < 0)
		return otherwise;
	return color < 16 ? named[color] : color_to_rgb(color);
}

static struct look look_of(const struct theme *t, const struct surface_cell *c)
{
	struct style st = theme_cell(t->rich, c->ink, c->pen);
	struct look l = {rgb_of(st.fg, DEFAULT_TEXT), rgb_of(st.bg, DEFAULT_GROUND), st.pen & PEN_BOLD,
			 st.pen & PEN_UNDERLINE};
	if (st.pen & PEN_REVERSE)
		l = (struct look){l.bg, l.fg, l.bold, l.underline};
	return l;
}

static bool same_look(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.bold == b.bold && a.underline == b.underline;
}

static void put_rect(FILE *f, int x, int y, int w, int h, int32_t color)
{
	fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x, y, w, h,
		(unsigned)color);
}

/* ---- grounds ------------------------------------------------------------------------------------------------------ */

static void put_grounds(FILE *f, const struct surface *s, const struct theme *t, int y, int32_t ground)
{
	for (int x = 0, end; x < s->cols; x = end) {
		int32_t bg = look_of(t, surface_at(s, y, x)).bg;
		for (end = x + 1; end < s->cols && look_of(t, surface_at(s, y, end)).bg == bg; end++)
			;
		if (bg != ground)
			put_rect(f, MARGIN + x * CELL_W, MARGIN + y * CELL_H, (end - x) * CELL_W, CELL_H, bg);
	}
}

/* ---- bars and lines ----------------------------------------------------------------------------------------------- */

/* Part of a cell that a block covers, in eighths of its sides; false for what is no block. */
static bool block_of(uint32_t cp, struct rect *part)
{
	int k = (int)(cp & 0xF);
	if (cp >= 0x2581 && cp <= 0x2588)
		*part = (struct rect){8 - k, 0, k, 8};
	else if (cp >= 0x2589 && cp <= 0x258F)
		*part = (struct rect){0, 0, 8, 16 - k};
	else if (cp == 0x2580)
		*part = (struct rect){0, 0, 4, 8};
	else if (cp == 0x2590)
		*part = (struct rect){0, 4, 8, 4};
	else if (cp == 0x2595)
		*part = (struct rect){0, 7, 8, 1};
	else if (cp >= 0x2591 && cp <= 0x2593)
		*part = (struct rect){0, 0, 8, 8};
	else
		return false;
	return true;
}

static void put_blocks(FILE *f, uint32_t cp, int y, int x, int cells, int32_t color)
{
	struct rect p;
	block_of(cp, &p);
	int top = (p.y * CELL_H + 4) / 8, bottom = ((p.y + p.h) * CELL_H + 4) / 8;
	bool whole = p.w == 8;
	if (cp >= 0x2591 && cp <= 0x2593)
		fprintf(f, "<g opacity=\".%d\">", (int)(cp - 0x2590) * 25);
	for (int i = 0; i < (whole ? 1 : cells); i++)
		put_rect(f, MARGIN + (x + i) * CELL_W + p.x, MARGIN + y * CELL_H + top, whole ? cells * CELL_W : p.w,
			 bottom - top, color);
	if (cp >= 0x2591 && cp <= 0x2593)
		fputs("</g>\n", f);
}

enum arm { ARM_LEFT = 1, ARM_RIGHT = 2, ARM_UP = 4, ARM_DOWN = 8, ARM_THICK = 16 };

/* The arms of a box drawing character from the middle of its cell; 0 for any other. */
static int arms_of(uint32_t cp)
{
	static const struct {
		uint32_t cp;
		int arms;
	} lines[] = {
		{0x2500, ARM_LEFT | ARM_RIGHT},
		{0x2501, ARM_LEFT | ARM_RIGHT | ARM_THICK},
		{0x2502, ARM_UP | ARM_DOWN},
		{0x2503, ARM_UP | ARM_DOWN | ARM_THICK},
		{0x250C, ARM_RIGHT | ARM_DOWN},
		{0x2514, ARM_RIGHT | ARM_UP},
		{0x251C, ARM_RIGHT | ARM_UP | ARM_DOWN},
		{0x2524, ARM_LEFT | ARM_UP | ARM_DOWN},
		{0x252C, ARM_LEFT | ARM_RIGHT | ARM_DOWN},
		{0x2534, ARM_LEFT | ARM_RIGHT | ARM_UP},
		{0x253C, ARM_LEFT | ARM_RIGHT | ARM_UP | ARM_DOWN},
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (lines[i].cp == cp)
			return lines[i].arms;
	return 0;
}

static void put_lines(FILE *f, uint32_t cp, int y, int x, int cells, int32_t color)
{
	int arms = arms_of(cp), thick = arms & ARM_THICK ? 2 : 1;
	for (int i = 0; i < cells; i++) {
		int left = MARGIN + (x + i) * CELL_W, top = MARGIN + y * CELL_H, mid_x = left + CELL_W / 2,
		    mid_y = top + CELL_H / 2;
		int from_x = arms & ARM_LEFT ? left : mid_x, to_x = arms & ARM_RIGHT ? left + CELL_W : mid_x;
		int from_y = arms & ARM_UP ? top : mid_y, to_y = arms & ARM_DOWN ? top + CELL_H : mid_y;
		if (arms & (ARM_LEFT | ARM_RIGHT)) {
			bool row = !(arms & (ARM_UP | ARM_DOWN)); /* one line through all of them */
			put_rect(f, from_x, mid_y, to_x - from_x + (row ? (cells - 1) * CELL_W : 0), thick, color);
			if (row)
				return;
		}
		if (arms & (ARM_UP | ARM_DOWN))
			put_rect(f, mid_x, from_y, thick, to_y - from_y, color);
	}
}

static bool is_drawn(uint32_t cp)
{
	struct rect part;
	return block_of(cp, &part) || arms_of(cp);
}

static void put_drawn(FILE *f, const struct surface *s, const struct theme *t, int y)
{
	struct rect part;
	for (int x = 0, end; x < s->cols; x = end) {
		const struct surface_cell *c = surface_at(s, y, x);
		struct look look = look_of(t, c);
		end = x + 1;
		if (!is_drawn(c->cp))
			continue;
		while (end < s->cols && surface_at(s, y, end)->cp == c->cp &&
		       look_of(t, surface_at(s, y, end)).fg == look.fg)
			end++;
		if (block_of(c->cp, &part))
			put_blocks(f, c->cp, y, x, end - x, look.fg);
		else
			put_lines(f, c->cp, y, x, end - x, look.fg);
	}
}

/* ---- texts -------------------------------------------------------------------------------------------------------- */

static void put_words(FILE *f, const struct surface *s, int y, int x, int end, struct look look)
{
	fprintf(f, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#%06x\"%s%s>",
		MARGIN + x * CELL_W, MARGIN + y * CELL_H + BASELINE, (end - x) * CELL_W, (unsigned)look.fg,
		look.bold ? " font-weight=\"bold\"" : "", look.underline ? " text-decoration=\"underline\"" : "");
	for (char one[CELL_TEXT_BUF]; x < end; x++) {
		cell_utf8(surface_at(s, y, x)->cp, surface_at(s, y, x)->marks, one);
		put_html(f, one);
	}
	fputs("</text>\n", f);
}

/* Words of one look with one blank between them go together; a character that fonts may lack stands alone, so that a stand-in moves nothing. */
static int words_end(const struct surface *s, const struct theme *t, int y, int x)
{
	struct look look = look_of(t, surface_at(s, y, x));
	int end = x + 1, last = end;
	if (surface_at(s, y, x)->cp > 0x7E || surface_at(s, y, x)->marks)
		return end < s->cols && surface_at(s, y, end)->cp == 0 ? end + 1 : end;
	for (; end < s->cols; end++) {
		const struct surface_cell *c = surface_at(s, y, end);
		if (c->cp < ' ' || c->cp > 0x7E || c->marks || (c->cp != ' ' && !same_look(look_of(t, c), look)))
			break;
		if (c->cp != ' ')
			last = end + 1;
		else if (look.underline || end > last)
			break;
	}
	return last;
}

static void put_texts(FILE *f, const struct surface *s, const struct theme *t, int y)
{
	for (int x = 0; x < s->cols;) {
		const struct surface_cell *c = surface_at(s, y, x);
		if (c->cp <= ' ' || is_drawn(c->cp)) {
			x++;
			continue;
		}
		int end = words_end(s, t, y, x);
		put_words(f, s, y, x, end, look_of(t, c));
		x = end;
	}
}

/* ---- the picture -------------------------------------------------------------------------------------------------- */

void shot_svg(FILE *f, const struct surface *s, const struct theme *t, const char *label)
{
	int w = s->cols * CELL_W + 2 * MARGIN, h = s->rows * CELL_H + 2 * MARGIN;
	int32_t ground = rgb_of(t->rich[INK_TEXT].bg, DEFAULT_GROUND);
	put_svg_open(f, w, h, label);
	put_rect(f, 0, 0, w, h, ground);
	fputs("<g shape-rendering=\"crispEdges\">\n", f);
	for (int y = 0; y < s->rows; y++) {
		put_grounds(f, s, t, y, ground);
		put_drawn(f, s, t, y);
	}
	fputs("</g>\n<g font-family=\"'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', "
	      "monospace\" "
	      "font-size=\"13.3\">\n",
	      f);
	for (int y = 0; y < s->rows; y++)
		put_texts(f, s, t, y);
	fputs("</g>\n</svg>\n", f);
}
