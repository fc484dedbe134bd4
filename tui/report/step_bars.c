/* tui/report/step_bars.c - where step time goes: a stacked bar per step, as letters and as SVG, and the parts as a table. */
#include "content.h"
#include "model/store/base/units.h"
#include "tui/tables/step_mix.h"
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include "model/analysis/steps/steps_columns.h"
#include <math.h>
#include <string.h>

enum { TEXT_STEPS = 12, SVG_STEPS = 40, NS_COLS = 10, MAX_BAR = 200 };

/* ---- the parts ---------------------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column part_columns[] = {
	{"part", CELL_TEXT, UNIT_NONE, "each moment of a step counts for one part, the most important one active"},
	{"share_pct", CELL_REAL, UNIT_PERCENT, "of these steps; all of them add up to 100"},
	{"mean_ns", CELL_INT, UNIT_NS, "mean per whole step and device; none where they are irregular"},
	{"sd_ns", CELL_INT, UNIT_NS, "standard deviation of that (of a sample, n - 1)"},
	{"what", CELL_TEXT, UNIT_NONE, "what counts for it"},
};
/* clang-format on */

struct table *bars_parts(const struct table *steps, const struct step_mix *m, struct arena *mem)
{
	struct table *t = table_bare(mem, "step_parts", "Where the step time goes", part_columns,
				     sizeof part_columns / sizeof *part_columns);
	t->window_a_ns = steps->window_a_ns;
	t->window_b_ns = steps->window_b_ns;
	for (int i = 0; i < MIX_PARTS; i++) {
		const struct mix_info *info = mix_info((enum mix_part)i);
		if (!m->occurs[i] || !m->n)
			continue;
		struct cell *row = table_row(t);
		cell_text(&row[0], arena_printf(mem, "%c %s", info->letter, m->words[i]));
		cell_real(&row[1], m->pct[i]);
		cell_int(&row[2], isnan(m->mean_ns[i]) ? UNKNOWN_I64 : llround(m->mean_ns[i]));
		cell_int(&row[3], isnan(m->sd_ns[i]) ? UNKNOWN_I64 : llround(m->sd_ns[i]));
		cell_text(&row[4], mix_help(steps, (enum mix_part)i));
	}
	return t;
}

/* ---- what both pictures need -------------------------------------------------------------------------------------- */

static const char *row_label(const struct table *steps, uint32_t row, bool devices, struct arena *mem)
{
	char step[128], device[128];
	const char *label = words_clean(mem, column_words(steps, row, COL_STEPS_STEP, step, sizeof step));
	if (!devices)
		return label;
	return arena_printf(mem, "%s %s", label,
			    words_clean(mem, column_words(steps, row, COL_STEPS_DEVICE, device, sizeof device)));
}

static bool several_devices(const struct table *steps)
{
	const char *device[BLOCK_ROWS], *first = NULL;
	bool several = false;
	for (struct row_block b = {.t = steps}; !several && row_block_next(&b);) {
		row_block_texts(&b, COL_STEPS_DEVICE, device);
		first = b.from ? first : device[0];
		for (uint32_t i = 0; i < b.n && first && !several; i++)
			several = device[i] != first && (!device[i] || strcmp(device[i], first) != 0);
	}
	return several;
}

/* ---- letters ------------------------------------------------------------------------------------------------------ */

static void letters(const struct step_mix *m, const struct mix_row *r, int width, char *out)
{
	int cols[MIX_PARTS], at = 0;
	bool longer = r->dur_ns > m->scale_ns;
	mix_columns(r, longer ? r->dur_ns : m->scale_ns, width - longer, cols);
	for (int i = 0; i < MIX_PARTS; i++)
		for (int k = 0; k < cols[i] && at < width; k++)
			out[at++] = mix_info((enum mix_part)i)->letter;
	if (longer)
		out[at++] = '>';
	out[at] = '\0';
}

void bars_text(const struct table *steps, const struct step_mix *m, FILE *f, int cols)
{
	struct arena mem = {0};
	bool devices = several_devices(steps);
	uint32_t n = steps->n_rows < TEXT_STEPS ? steps->n_rows : TEXT_STEPS;
	int wide = 4;
	for (uint32_t row = 0; row < n; row++) {
		int w = utf8_width(row_label(steps, row, devices, &mem));
		wide = w > wide ? w : wide;
	}
	int bar = cols - wide - NS_COLS - 5;
	bar = bar > MAX_BAR ? MAX_BAR : bar < 20 ? 20 : bar;
	for (uint32_t row = 0; row < n; row++) {
		char ns[96], text[MAX_BAR + 8];
		const char *label = row_label(steps, row, devices, &mem);
		struct mix_row r = mix_row(steps, row);
		if (r.dur_ns == UNKNOWN_I64)
			continue;
		letters(m, &r, bar, text);
		fprintf(f, "%s%*s  %*s |%s\n", label, wide - utf8_width(label), "", NS_COLS,
			column_words(steps, row, COL_STEPS_DUR_NS, ns, sizeof ns), text);
	}
	if (n < steps->n_rows)
		fprintf(f, "(the first %u of %u)\n", n, steps->n_rows);
	arena_free(&mem);
}

/* ---- SVG ---------------------------------------------------------------------------------------------------------- */

enum { WIDTH = 1200, LABEL_X = 130, TIME_X = 215, BAR_X = 225, BAR_W = 960, ROW_H = 20, LEGEND_H = 26, LEGEND_W = 236 };

static int put_legend(FILE *f, const struct step_mix *m)
{
	int n = 0;
	char pct[UNITS_BUF], ns[UNITS_BUF];
	for (int i = 0; i < MIX_PARTS; i++) {
		const struct mix_info *info = mix_info((enum mix_part)i);
		if (!m->occurs[i])
			continue;
		int x = n % 5 * LEGEND_W + 8, y = n / 5 * LEGEND_H + 18;
		fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" rx=\"2\" fill=\"#%06x\"/>", x, y - 10,
			(unsigned)info->colour);
		fprintf(f,
			"<text x=\"%d\" y=\"%d\">%c %s <tspan class=\"bd\">%s</tspan> <tspan "
			"class=\"mu\">%s</tspan></text>\n",
			x + 17, y, info->letter, m->words[i], fmt_pct(pct, m->pct[i]),
			!isnan(m->mean_ns[i]) ? fmt_ns(ns, llround(m->mean_ns[i])) : "");
		n++;
	}
	return (n + 4) / 5 * LEGEND_H + 8;
}

static void put_segment(FILE *f, const struct step_mix *m, const struct mix_row *r, enum mix_part p, double x, double w,
			int y)
{
	char ns[UNITS_BUF], pct[UNITS_BUF];
	const struct mix_info *info = mix_info(p);
	fprintf(f,
		"<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#%06x\"><title>%s %s "
		"(%s)</title></rect>",
		x, y, w, ROW_H - 3, (unsigned)info->colour, m->words[p], fmt_ns(ns, r->ns[p]), fmt_pct(pct, r->pct[p]));
	if (w >= 14)
		fprintf(f, "<text class=\"w\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%c</text>", x + w / 2, y + 12,
			info->letter);
}

static void put_row(FILE *f, const struct table *steps, uint32_t row, const struct step_mix *m, bool devices, int y,
		    struct arena *mem)
{
	char ns[96];
	struct mix_row r = mix_row(steps, row);
	if (r.dur_ns == UNKNOWN_I64)
		return;
	fprintf(f, "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">", LABEL_X, y + 12);
	put_html(f, words_middle(mem, row_label(steps, row, devices, mem), 30));
	fprintf(f, "</text><text class=\"mu\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>", TIME_X, y + 12,
		column_words(steps, row, COL_STEPS_DUR_NS, ns, sizeof ns));
	double x = BAR_X, scale = (double)(r.dur_ns > m->scale_ns ? r.dur_ns : m->scale_ns);
	for (int i = 0; i < MIX_PARTS; i++) {
		double w = (double)r.ns[i] / scale * BAR_W;
		if (r.ns[i] > 0)
			put_segment(f, m, &r, (enum mix_part)i, x, w, y);
		x += w;
	}
	if (r.dur_ns > m->scale_ns)
		fprintf(f, "<text class=\"bd\" x=\"%d\" y=\"%d\">&gt;</text>", BAR_X + BAR_W + 1, y + 12);
	fputc('\n', f);
}

void bars_svg(const struct table *steps, const struct step_mix *m, FILE *f)
{
	struct arena mem = {0};
	bool devices = several_devices(steps);
	uint32_t n = steps->n_rows < SVG_STEPS ? steps->n_rows : SVG_STEPS;
	int kinds = 0;
	for (int i = 0; i < MIX_PARTS; i++)
		kinds += m->occurs[i];
	int top = (kinds + 4) / 5 * LEGEND_H + 8, height = top + (int)n * ROW_H + 8;
	put_svg_open(f, WIDTH, height, "where the time of each step goes");
	put_legend(f, m);
	for (uint32_t row = 0; row < n; row++)
		put_row(f, steps, row, m, devices, top + (int)row * ROW_H, &mem);
	fputs("</svg>\n", f);
	if (n < steps->n_rows)
		fprintf(f, "<p class=\"small\">the first %u of %u steps</p>\n", n, steps->n_rows);
	arena_free(&mem);
}
