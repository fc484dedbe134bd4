/* A comparison for people: text and Markdown differ in marks only. */
#include "diff.h"
#include "model/analysis/analysis.h"
#include "model/analysis/compare/match.h"
#include "model/analysis/names/kernel_name.h"
#include "model/columns.h"
#include "model/store/base/units.h"
#include "tui/tables/table_write.h"
#include "tui/text/put.h"
#include "tui/text/words.h"
#include <math.h>
#include <string.h>

enum { ROWS_SHOWN = 10, NAME_COLS = 44, PAIR_COLS = 20, REST_COLS = 18 };
struct page {
	const struct diff *x;
	struct arena mem;
	FILE *out;
	bool md;
};

static void line(struct page *p, const char *text)
{
	(p->md ? put_md : put_plain)(p->out, p->md ? diff_arrows(text, &p->mem) : text);
	fputc('\n', p->out);
}

/* One of a list: a word, and what there is to say of it. */
static void item(struct page *p, const char *word, const char *text)
{
	fprintf(p->out, p->md ? "- **%s** " : "%-12s  ", word);
	line(p, text);
}

static void heading(struct page *p, const char *text)
{
	fprintf(p->out, p->md ? "\n## %s\n\n" : "\n%s\n", text);
}

static void show(struct page *p, const struct table *t)
{
	table_write(t, p->md ? TABLE_MD : TABLE_TEXT, p->out, NULL, 0, 0);
}

/* ---- what is compared ------------------------------------------------------------------------------------------------ */

static const char *side_text(struct page *p, const char *letter, const struct compare_side *s, uint32_t runs)
{
	char steps[UNITS_BUF], of[UNITS_BUF];
	const char *text = arena_printf(&p->mem, "%s  %s", letter, s->label);
	if (runs > 1)
		text = arena_printf(&p->mem, "%s, the middle one of %u runs", text, (unsigned)runs);
	if (s->step.n)
		text = arena_printf(&p->mem, "%s: %s steps, rows below of %s in a row", text,
				    fmt_count(steps, s->step.n), fmt_count(of, s->stretch_steps));
	if (s->unsteady_steps)
		text = arena_printf(&p->mem, "%s, %u of these not steady", text, (unsigned)s->unsteady_steps);
	return s->devices > 1 ? arena_printf(&p->mem, "%s, %u devices", text, (unsigned)s->devices) : text;
}

static void put_sides(struct page *p)
{
	line(p, side_text(p, "A", &p->x->a, p->x->n_a));
	if (p->md)
		fputc('\n', p->out);
	line(p, side_text(p, "B", &p->x->b, p->x->n_b));
}

static void put_work(struct page *p)
{
	const struct work_differences *w = &p->x->work;
	if (!w->n)
		return;
	fputc('\n', p->out);
	line(p, "Not the same work:");
	fputs(p->md ? "\n" : "", p->out);
	for (uint32_t i = 0; i < w->n; i++)
		item(p, w->at[i].what, arena_printf(&p->mem, "%s -> %s", w->at[i].a, w->at[i].b));
}

static void put_verdict(struct page *p)
{
	const char *noise = diff_noise(p->x, &p->mem);
	fputc('\n', p->out);
	line(p, diff_verdict(p->x, &p->mem));
	if (noise)
		line(p, noise);
	const char *scaling = diff_scaling(p->x, &p->mem);
	if (scaling)
		line(p, scaling);
	const char *per_sample = diff_per_sample(p->x, &p->mem);
	if (per_sample)
		line(p, per_sample);
}

/* ---- findings, gates ------------------------------------------------------------------------------------------------- */

static void put_findings(struct page *p)
{
	const struct changed_findings *f = &p->x->findings;
	if (!f->n)
		return;
	heading(p, "Findings");
	for (uint32_t i = 0; i < f->n; i++) {
		const struct changed_finding *x = &f->at[i];
		item(p, finding_change_word(x->change),
		     arena_printf(&p->mem, "%s: %s", x->title, diff_finding_text(x)));
	}
}

static void put_gates(struct page *p)
{
	static const char *const words[] = {
		[GATE_PASSES] = "passes", [GATE_FAILS] = "FAILS", [GATE_CANNOT_JUDGE] = "cannot judge"};
	if (p->x->n_gates)
		heading(p, "Gates");
	for (uint32_t i = 0; i < p->x->n_gates; i++) {
		const struct gate_result *g = &p->x->gates[i];
		item(p, words[g->verdict], arena_printf(&p->mem, "%s: %s", g->gate->text, g->sentence));
	}
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

static const char *short_name(struct page *p, const struct table *t, uint32_t col, const char *text)
{
	bool kernel = !strcmp(t->name, "kernels") && !strcmp(t->cols[col].name, COLUMN_NAME);
	return words_clean(&p->mem, kernel ? kernel_name_short(&p->mem, text) : text);
}

static bool is_replaced(const struct table *t, uint32_t row, uint32_t keys)
{
	return !strcmp(table_cell(t, row, keys + COMPARE_MATCH)->s, match_word(MATCH_OTHER));
}

/* The last key: the kernel, and what replaced it. */
static const char *lead_text(struct page *p, const struct table *t, uint32_t row, uint32_t keys)
{
	const struct cell *name = table_cell(t, row, keys - 1);
	const char *lead = name->null || name->type != CELL_TEXT ? "" : short_name(p, t, keys - 1, name->s);
	const struct cell *other = table_cell(t, row, keys + COMPARE_NAME_B);
	if (other->null || !is_replaced(t, row, keys))
		return lead;
	lead = words_end(&p->mem, lead, PAIR_COLS);
	return arena_printf(&p->mem, "%s -> %s", lead,
			    words_end(&p->mem, short_name(p, t, keys - 1, other->s), PAIR_COLS));
}

/* The keys before it. Numbers of devices are told where there are several. */
static const char *rest_text(struct page *p, const struct table *t, uint32_t row, uint32_t keys)
{
	const char *rest = "";
	char buf[128];
	bool several = p->x->a.devices > 1 || p->x->b.devices > 1;
	for (uint32_t c = 0; c < keys - 1; c++) {
		const char *cell = cell_format(t, row, c, buf, sizeof buf);
		bool number = t->cols[c].type == CELL_INT;
		if (!strcmp(cell, "-") || !*cell || !strcmp(cell, "Device") || (number && !several))
			continue;
		const char *said =
			number ? arena_printf(&p->mem, "%s %s", t->cols[c].name, cell) : words_clean(&p->mem, cell);
		rest = *rest ? arena_printf(&p->mem, "%s, %s", rest, said) : said;
	}
	return rest;
}

static const char *key_text(struct page *p, const struct table *t, uint32_t row, uint32_t keys)
{
	const char *lead = lead_text(p, t, row, keys),
		   *rest = is_replaced(t, row, keys) ? "" : rest_text(p, t, row, keys);
	if (!*lead || !*rest)
		return *lead || *rest ? words_end(&p->mem, *lead ? lead : rest, NAME_COLS) : "(no name)";
	if (strlen(lead) + strlen(rest) + 2 > NAME_COLS) {
		int room = NAME_COLS - 2 - (int)strlen(lead);
		if (room < REST_COLS)
			lead = words_end(&p->mem, lead, NAME_COLS - 2 - (room = REST_COLS));
		rest = words_middle(&p->mem, rest, room);
	}
	return arena_printf(&p->mem, "%s, %s", lead, rest);
}

/* The largest changes: name, before, after, change, how they were matched. */
static struct table *largest_changes(struct page *p, const struct table *t, uint32_t keys)
{
	static const struct column cols[] = {{"name", CELL_TEXT, UNIT_NONE, ""},   {"A", CELL_REAL, UNIT_NS, ""},
					     {"B", CELL_REAL, UNIT_NS, ""},        {"change", CELL_REAL, UNIT_NS, ""},
					     {"pct", CELL_REAL, UNIT_PERCENT, ""}, {"match", CELL_TEXT, UNIT_NONE, ""}};
	bool all_same = true; /* else how they were matched is told, too */
	for (uint32_t row = 0; row < t->n_rows && row < ROWS_SHOWN; row++)
		all_same &= !strcmp(table_cells(t, row)[keys + COMPARE_MATCH].s, match_word(MATCH_SAME));
	struct table *out = table_bare(&p->mem, t->name, t->title, cols, sizeof cols / sizeof *cols - all_same);
	for (uint32_t row = 0; row < t->n_rows && out->n_rows < ROWS_SHOWN; row++) {
		const struct cell *from = table_cells(t, row) + keys;
		if (from[COMPARE_SUMS + 2].null || fabs(from[COMPARE_SUMS + 2].r) < 0.5)
			continue;
		struct cell *to = table_row(out);
		cell_text(&to[0], key_text(p, t, row, keys));
		to[1] = from[COMPARE_SUMS];
		to[2] = from[COMPARE_SUMS + 1];
		to[3] = from[COMPARE_SUMS + 2];
		to[4] = from[COMPARE_CHANGE_PCT];
		if (!all_same)
			to[5] = from[COMPARE_MATCH];
	}
	return out;
}

static void put_rows(struct page *p, const struct table *t)
{
	const struct table_desc *desc = analysis_find(t->name);
	struct table *most = largest_changes(p, t, compare_key_columns(desc));
	if (!most->n_rows)
		return;
	heading(p, arena_printf(&p->mem, "%s: the largest changes%s", t->title, compare_per(desc, &p->x->a, &p->x->b)));
	show(p, most);
}

static void write_page(struct page *p)
{
	if (p->md)
		fputs("# Comparison\n\n", p->out);
	put_sides(p);
	put_work(p);
	put_verdict(p);
	put_gates(p);
	if (p->x->step.n) {
		heading(p, "Where the change comes from");
		show(p, diff_parts_table(p->x, &p->mem));
	}
	put_findings(p);
	for (uint32_t i = 0; i < DIFF_TABLES; i++)
		if (p->x->tables[i])
			put_rows(p, p->x->tables[i]);
	arena_free(&p->mem);
}

void diff_text(const struct diff_req *r, const struct diff *x, FILE *out)
{
	(void)r;
	struct page p = {.x = x, .out = out};
	write_page(&p);
}

void diff_md(const struct diff_req *r, const struct diff *x, FILE *out)
{
	(void)r;
	struct page p = {.x = x, .out = out, .md = true};
	write_page(&p);
}
