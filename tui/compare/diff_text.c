/* A comparison for people: text and Markdown differ in marks only. */
#include "diff.h"
#include "model/analysis/analysis.h"
#include "model/store/base/units.h"
#include "tui/tables/table_write.h"
#include "tui/text/put.h"
#include "tui/text/words.h"
#include <string.h>

enum { ROWS_SHOWN = 10 };
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
		text = arena_printf(&p->mem, "%s, the median of %u runs", text, (unsigned)runs);
	if (s->step.n)
		text = arena_printf(&p->mem, "%s: %s step%s", text, fmt_count(steps, s->step.n),
				    s->step.n == 1 ? "" : "s");
	if (s->step.n && s->stretch_steps != s->step.n)
		text = arena_printf(&p->mem, "%s, rows below of %s in a row", text, fmt_count(of, s->stretch_steps));
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
	line(p, diff_verdict(p->x, DIFF_COLS_ALL, &p->mem));
	if (noise)
		line(p, noise);
	const char *const more[] = {diff_waits(p->x, &p->mem), diff_scaling(p->x, &p->mem), diff_lost(p->x, &p->mem),
				    diff_per_sample(p->x, &p->mem)};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (more[i])
			line(p, more[i]);
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
		item(p, diff_finding_word(p->x, x->change),
		     arena_printf(&p->mem, "%s: %s", x->title, diff_finding_text(x)));
	}
}

/* with_texts: what was advised and has not been done, too. */
static void put_advice(struct page *p, bool with_texts)
{
	const struct table *t = p->x->advice;
	if (t->n_rows)
		heading(p, "Advice");
	for (uint32_t row = 0; row < t->n_rows; row++) {
		const struct cell *c = table_cells(t, row);
		item(p, c[ADVICE_DONE].s, arena_printf(&p->mem, "%s: %s", c[ADVICE_TITLE].s, c[ADVICE_SENTENCE].s));
		if (with_texts && !c[ADVICE_TEXT].null && strcmp(c[ADVICE_DONE].s, advice_word(ADVICE_FOLLOWED)) != 0)
			item(p, "", arena_printf(&p->mem, "advised: %s", c[ADVICE_TEXT].s));
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

static void put_rows(struct page *p, const struct table *t)
{
	const struct table_desc *desc = analysis_find(t->name);
	struct table *most = diff_rows(p->x, t, ROWS_SHOWN, NULL, &p->mem);
	if (!most->n_rows)
		return;
	heading(p, arena_printf(&p->mem, "%s: the largest changes%s", t->title, compare_per(desc, &p->x->a, &p->x->b)));
	show(p, most);
}

static void put_sequence(struct page *p)
{
	struct table *t = diff_sequence(p->x, ROWS_SHOWN, &p->mem);
	if (!t->n_rows)
		return;
	heading(p, arena_printf(&p->mem, "%s: %s", t->title, diff_sequence_text(p->x, &p->mem)));
	show(p, t);
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
	put_advice(p, false);
	for (uint32_t i = 0; i < DIFF_SHOWN; i++)
		if (p->x->tables[i])
			put_rows(p, p->x->tables[i]);
	put_sequence(p);
	arena_free(&p->mem);
}

void diff_text(const struct diff_req *r, const struct diff *x, FILE *out)
{
	(void)r;
	struct page p = {.x = x, .out = out};
	write_page(&p);
}

void diff_findings(const struct diff *x, FILE *out)
{
	struct page p = {.x = x, .out = out};
	put_sides(&p);
	put_verdict(&p);
	put_findings(&p);
	put_advice(&p, true);
	arena_free(&p.mem);
}

void diff_md(const struct diff_req *r, const struct diff *x, FILE *out)
{
	(void)r;
	struct page p = {.x = x, .out = out, .md = true};
	write_page(&p);
}
