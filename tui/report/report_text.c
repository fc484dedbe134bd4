/* tui/report/report_text.c - plain text for a chat or a terminal, and the lanes as characters. */
#include "formats.h"
#include "model/store/base/units.h"
#include "tui/tables/table_write.h"
#include "tui/text/guide.h"
#include "tui/text/put.h"
#include "tui/text/utf8.h"
#include "tui/text/words.h"
#include <string.h>

enum { TEXT_COLS = 120, LABEL_COLS = 26, HOST_ROWS = 3 };

static int64_t column_edge(const struct picture *p, int col, int cols)
{
	return p->a_ns + (int64_t)((__int128)(p->b_ns - p->a_ns) * col / cols);
}

/* Share of a column that the boxes of a row cover, 0..1. Runs count with their own share. */
static void add_cover(const struct picture *p, const struct boxes *row, int cols, double *cover)
{
	for (uint32_t i = 0; i < row->n; i++) {
		const struct box *b = &row->at[i];
		double dense = b->count != 1 && b->b_ns > b->a_ns ? (double)b->dur_ns / (double)(b->b_ns - b->a_ns) : 1;
		for (int c = 0; c < cols; c++) {
			int64_t from = column_edge(p, c, cols), to = column_edge(p, c + 1, cols);
			int64_t a = b->a_ns > from ? b->a_ns : from, z = b->b_ns < to ? b->b_ns : to;
			if (z > a && to > from)
				cover[c] += dense * (double)(z - a) / (double)(to - from);
		}
	}
}

void put_levels(FILE *f, const double *share, int cols, bool ascii)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const marks[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	for (int c = 0; c < cols; c++) {
		double v = share[c] > 1 ? 1 : share[c];
		int level = v <= 0 ? 0 : 1 + (int)(v * 7.001);
		fputs((ascii ? marks : blocks)[level > 8 ? 8 : level], f);
	}
}

static void put_label(FILE *f, struct arena *mem, const char *text)
{
	const char *label = words_middle(mem, text, LABEL_COLS - 1);
	fprintf(f, "%*s%s ", LABEL_COLS - 1 - utf8_width(label), "", label);
}

/* A device lane needs one line; on a thread the outermost events hide what happens, so its nesting gets some more. */
static void put_lane(const struct picture *p, const struct lane *l, FILE *f, int cols, bool ascii, struct arena *mem)
{
	for (uint32_t row = 0; row < l->n_rows && row < (l->host ? HOST_ROWS : 1); row++) {
		double *cover = arena_alloc(mem, (size_t)cols * sizeof *cover);
		add_cover(p, &l->rows[row], cols, cover);
		put_label(f, mem, row ? "" : l->label);
		fputc('|', f);
		put_levels(f, cover, cols, ascii);
		fputs("|\n", f);
	}
}

static int column_of(const struct picture *p, int64_t ns, int cols)
{
	return (int)((__int128)(ns - p->a_ns) * cols / (p->b_ns - p->a_ns));
}

static void put_mark(const struct picture *p, FILE *f, int cols, struct arena *mem)
{
	if (!p->marked)
		return;
	int a = column_of(p, p->mark_a_ns, cols), b = column_of(p, p->mark_b_ns, cols);
	put_label(f, mem, "");
	fprintf(f, "%*s<", a + 1, "");
	for (int i = a + 1; i < b - 1; i++)
		fputc('-', f);
	fputs(">\n", f);
	for (int i = 0; i < 2; i++) {
		const char *text = p->mark[i] ? words_end(mem, p->mark[i], cols) : "";
		int wide = utf8_width(text), at = (a + b - wide) / 2;
		at = at + wide > cols ? cols - wide : at;
		put_label(f, mem, "");
		fprintf(f, "%*s%s\n", (at < 0 ? 0 : at) + 1, "", text);
	}
}

static void put_axis(const struct picture *p, FILE *f, int cols, struct arena *mem)
{
	char a[UNITS_BUF], b[UNITS_BUF];
	fmt_ns(a, p->a_ns);
	fmt_ns(b, p->b_ns);
	put_label(f, mem, "");
	fprintf(f, " %s%*s\n", a, cols - (int)strlen(a), b);
}

void text_lanes(const struct picture *p, FILE *f, int cols, bool ascii, struct arena *mem)
{
	int plot = cols - LABEL_COLS - 2;
	put_axis(p, f, plot, mem);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (p->lanes[i].group)
			fprintf(f, "%s\n", p->lanes[i].group);
		put_lane(p, &p->lanes[i], f, plot, ascii, mem);
	}
	put_mark(p, f, plot, mem);
	if (*p->left_out)
		fprintf(f, "%s\n", p->left_out);
}

static void put_section(FILE *f, const struct section *s, bool ascii)
{
	char first[UNITS_BUF], all[UNITS_BUF];
	fprintf(f, "\n%s", s->title);
	if (s->table->n_rows < s->total)
		fprintf(f, " (first %s of %s)", fmt_count(first, s->table->n_rows), fmt_count(all, s->total));
	fputc('\n', f);
	if (s->look == LOOK_GUIDE) {
		guide_write(s->source, f, ascii);
		return;
	}
	if (s->look == LOOK_BARS) {
		bars_text(s->source, s->mix, f, TEXT_COLS);
		fputc('\n', f);
	}
	if (s->look == LOOK_OPS) {
		op_pies_text(s->charts, f);
		fputc('\n', f);
	}
	if (s->look == LOOK_HISTOGRAMS) {
		histograms_text(s->source, f, TEXT_COLS);
		fputc('\n', f);
	}
	if (s->look == LOOK_MEMORY) {
		memory_curves_text(s->source, f, TEXT_COLS, ascii);
		fputc('\n', f);
	}
	table_write(s->table, TABLE_TEXT, f, NULL, 0, TEXT_COLS);
}

static void line(FILE *f, const char *label, const char *text)
{
	fprintf(f, "%-10s", label);
	put_plain(f, text);
	fputc('\n', f);
}

void report_text(struct content *c, FILE *f)
{
	if (c->own_title)
		fprintf(f, "%s\n\n", c->own_title);
	line(f, "looked at", c->looked_at);
	line(f, "verdict", c->verdict);
	line(f, "numbers", c->numbers);
	line(f, "ledger", c->ledger);
	line(f, "reproduce", c->command);
	if (c->advice)
		line(f, "do", c->advice);
	if (c->note)
		line(f, "note", c->note);
	if (c->req->brief)
		return;
	fputc('\n', f);
	text_lanes(c->picture, f, TEXT_COLS, c->req->ascii, &c->mem);
	for (uint32_t i = 0; i < c->n_sections; i++)
		put_section(f, &c->sections[i], c->req->ascii);
}
