/* tui/report/memory_curves.c - memory in use over time, allocator by allocator: as lines of characters and as SVG. */
#include "formats.h"
#include "model/store/base/units.h"
#include "tui/tables/memory_curve.h"
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"

enum { MOST_CURVES = 8, LABEL_COLS = 26, SCALE_COLS = 16, MAX_TEXT_COLS = 160 };

/* "peak 2.40 GiB of 16.0 GiB, held up to 3.10 GiB" */
static const char *curve_words(const struct curve *c, struct arena *mem)
{
	char peak[UNITS_BUF], capacity[UNITS_BUF], held[UNITS_BUF];
	const char *line = arena_printf(mem, "peak %s", fmt_bytes(peak, c->peak_bytes));
	if (c->capacity != UNKNOWN_I64)
		line = arena_printf(mem, "%s of %s", line, fmt_bytes(capacity, c->capacity));
	if (c->held_bytes > 0) /* the host's allocators hold nothing back, and say so */
		line = arena_printf(mem, "%s, held up to %s", line, fmt_bytes(held, c->held_bytes));
	return line;
}

/* The allocator's curve with something to draw that begins at row *at or later; *at moves after it. NULL: there is none. */
static struct curve *next_curve(const struct table *t, uint32_t *at, int cols, const char **label, struct arena *mem)
{
	struct curve *c = arena_alloc(mem, sizeof *c);
	char name[128];
	for (struct curve_part p; (p = curve_part_at(t, *at)).n;) {
		struct curve_who who = curve_who(t, p);
		*at = p.first + p.n;
		*label = words_clean(mem, curve_who_words(&who, name, sizeof name));
		curve_fill(c, t, p, cols);
		if (c->most > 0)
			return c;
	}
	return NULL;
}

static uint32_t count_curves(const struct table *t)
{
	struct arena mem = {0};
	const char *label;
	uint32_t n = 0, at = 0;
	while (next_curve(t, &at, 1, &label, &mem))
		n++;
	arena_free(&mem);
	return n;
}

/* ---- characters ------------------------------------------------------------------------------------------------------ */

static void put_line(FILE *f, const struct curve *c, const char *label, bool ascii, struct arena *mem)
{
	char top[UNITS_BUF];
	double share[MAX_TEXT_COLS];
	const char *name = words_middle(mem, label, LABEL_COLS - 1);
	for (int i = 0; i < c->cols; i++)
		share[i] = c->used[i] > 0 ? (double)c->used[i] / (double)c->most : 0;
	fprintf(f, "%*s%s |", LABEL_COLS - 1 - utf8_width(name), "", name);
	put_levels(f, share, c->cols, ascii);
	fprintf(f, "| top %s\n", fmt_bytes(top, c->most));
	const char *words = curve_words(c, mem);
	int at = LABEL_COLS + 1 + c->peak, wide = utf8_width(words);
	if (c->peak > wide)
		fprintf(f, "%*s%s ^\n", at - wide - 1, "", words);
	else
		fprintf(f, "%*s^ %s\n", at, "", words);
}

void memory_curves_text(const struct table *t, FILE *f, int cols, bool ascii)
{
	struct arena mem = {0};
	struct curve *c;
	const char *label;
	int room = cols - LABEL_COLS - SCALE_COLS - 2;
	room = room > MAX_TEXT_COLS ? MAX_TEXT_COLS : room < 10 ? 10 : room;
	uint32_t n = 0, at = 0, all = count_curves(t);
	for (; n < MOST_CURVES && (c = next_curve(t, &at, room, &label, &mem)); n++)
		put_line(f, c, label, ascii, &mem);
	if (n < all)
		fprintf(f, "(the first %u of %u allocators)\n", n, all);
	arena_free(&mem);
}

/* ---- SVG ------------------------------------------------------------------------------------------------------------- */

enum {
	WIDTH = 1200,
	LEGEND_H = 26,
	PANEL_H = 166,
	HEAD_H = 24,
	PLOT_X = 86,
	PLOT_W = 1100,
	PLOT_H = 100,
	SVG_COLS = 480
};
#define USED_FILL       "fill=\"#3f74b5\""
#define HELD_FILL       "fill=\"#7d8ea3\" fill-opacity=\".35\""
#define CAPACITY_STROKE "stroke=\"#cf7a22\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\""
#define PEAK_FILL       "fill=\"#d03048\""

static void put_legend(FILE *f)
{
	fprintf(f,
		"<rect x=\"8\" y=\"8\" width=\"12\" height=\"12\" " USED_FILL "/><text x=\"25\" y=\"18\">in use</text>"
		"<rect x=\"90\" y=\"8\" width=\"12\" height=\"12\" " HELD_FILL "/>"
		"<text x=\"107\" y=\"18\">held by the allocator</text>"
		"<path " CAPACITY_STROKE " d=\"M270 14h24\"/><text x=\"300\" y=\"18\">capacity</text>\n");
}

static double x_of(const struct curve *c, int col)
{
	return PLOT_X + (double)PLOT_W * col / c->cols;
}

static double y_of(const struct curve *c, int64_t bytes, int top)
{
	return top + PLOT_H * (1 - (double)bytes / (double)c->most);
}

static void put_area(FILE *f, const struct curve *c, const int64_t *bytes, const char *fill, int top)
{
	int64_t before = 0;
	fprintf(f, "<path %s d=\"M%d %d", fill, PLOT_X, top + PLOT_H);
	for (int i = 0; i < c->cols; i++) {
		int64_t now = bytes[i] > 0 ? bytes[i] : 0; /* unknown is below 0 */
		if (now != before)
			fprintf(f, "H%.1fV%.1f", x_of(c, i), y_of(c, now, top));
		before = now;
	}
	fprintf(f, "H%dV%dZ\"/>\n", PLOT_X + PLOT_W, top + PLOT_H);
}

static void put_peak(FILE *f, const struct curve *c, int base)
{
	double x = x_of(c, c->peak);
	bool left = c->peak > c->cols * 3 / 4;
	char peak[UNITS_BUF];
	fprintf(f, "<path " PEAK_FILL " d=\"M%.1f %dl5 8h-10Z\"/>", x, base + 1);
	fprintf(f, "<text text-anchor=\"%s\" x=\"%.1f\" y=\"%d\">peak %s</text>\n", left ? "end" : "start",
		left ? x - 9 : x + 9, base + 12, fmt_bytes(peak, c->peak_bytes));
}

static void put_scale(FILE *f, const struct table *t, const struct curve *c, int top)
{
	char text[UNITS_BUF];
	int base = top + PLOT_H;
	fprintf(f, "<text class=\"mu\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>", PLOT_X - 6, top + 9,
		fmt_bytes(text, c->most));
	fprintf(f, "<text class=\"mu\" text-anchor=\"end\" x=\"%d\" y=\"%d\">0 B</text>", PLOT_X - 6, base);
	fprintf(f, "<path class=\"gr\" d=\"M%d %dh%d\"/>", PLOT_X, base, PLOT_W);
	fprintf(f, "<text class=\"mu\" x=\"%d\" y=\"%d\">%s</text>", PLOT_X, base + 27, fmt_ns(text, t->window_a_ns));
	fprintf(f, "<text class=\"mu\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>\n", PLOT_X + PLOT_W, base + 27,
		fmt_ns(text, t->window_b_ns));
}

static void put_panel(FILE *f, const struct table *t, const struct curve *c, const char *label, int y,
		      struct arena *mem)
{
	int top = y + HEAD_H;
	fprintf(f, "<text x=\"8\" y=\"%d\"><tspan class=\"bd\">", y + 14);
	put_html(f, label);
	fprintf(f, "</tspan>: %s</text>\n", curve_words(c, mem));
	put_area(f, c, c->held, HELD_FILL, top);
	put_area(f, c, c->used, USED_FILL, top);
	if (c->capacity > 0 && c->capacity <= c->most)
		fprintf(f, "<path " CAPACITY_STROKE " d=\"M%d %.1fh%d\"/>\n", PLOT_X, y_of(c, c->capacity, top),
			PLOT_W);
	put_scale(f, t, c, top);
	put_peak(f, c, top + PLOT_H);
}

void memory_curves_svg(const struct table *t, FILE *f)
{
	struct arena mem = {0};
	struct curve *c;
	const char *label;
	uint32_t at = 0, all = count_curves(t), n = all < MOST_CURVES ? all : MOST_CURVES;
	put_svg_open(f, WIDTH, LEGEND_H + (int)n * PANEL_H, "memory in use over time");
	put_legend(f);
	for (uint32_t i = 0; i < n && (c = next_curve(t, &at, SVG_COLS, &label, &mem)); i++)
		put_panel(f, t, c, label, LEGEND_H + (int)i * PANEL_H, &mem);
	fputs("</svg>\n", f);
	if (n < all)
		fprintf(f, "<p class=\"small\">the first %u of %u allocators</p>\n", n, all);
	arena_free(&mem);
}
