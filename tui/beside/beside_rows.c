/* The lists of a comparison: what changed, the largest change first. */
#include "beside_private.h"
#include "model/store/base/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 1000 };
static const struct compare_place nowhere = {{NONE_ID, NONE_ID}, {UNKNOWN_I64, UNKNOWN_I64}};

const struct beside_row *beside_chosen(const struct beside *b)
{
	const struct beside_list *l = &b->lists[b->list];
	return l->n ? &l->rows[l->chosen] : NULL;
}

static struct beside_row *room_for(struct beside *b, struct beside_list *l, uint32_t n)
{
	return l->rows = arena_alloc(&b->mem, (n + (size_t)1) * sizeof *l->rows);
}

/* ---- the step ---------------------------------------------------------------------------------------------------------- */

static const char *time_text(struct beside *b, int64_t ns)
{
	return fmt_ns(arena_alloc(&b->mem, UNITS_BUF), ns);
}

static const char *share_text(struct beside *b, double change, double of)
{
	return of > 0 ? arena_printf(&b->mem, "%+.1f %%", 100 * change / of) : NULL;
}

static struct beside_row part_row(struct beside *b, const struct change_part *p, int64_t from_ns, double most)
{
	int64_t ns = p->b_ns - p->a_ns;
	return (struct beside_row){.name = p->label,
				   .a = time_text(b, p->a_ns),
				   .b = time_text(b, p->b_ns),
				   .change = diff_change_text(ns, &b->mem),
				   .pct = share_text(b, (double)ns, (double)b->diff.step.a_ns), /* points of the step */
				   .share = most > 0 ? (double)ns / most : 0,
				   .from_ns = from_ns,
				   .to_ns = from_ns + ns,
				   .place = nowhere};
}

/* The whole, then its parts: each begins where the one before ended, the last one ends at B. */
static void list_step(struct beside *b)
{
	struct beside_list *l = &b->lists[LIST_STEP];
	const struct step_change *c = &b->diff.step;
	uint32_t order[CHANGE_PARTS];
	const struct change_part whole = {"whole", c->of == CHANGE_OF_THE_SPAN ? "all" : "step", c->a_ns, c->b_ns};
	int64_t at = c->a_ns;
	room_for(b, l, c->n + 1);
	change_ranked(c, order);
	double most = c->n ? fabs((double)(c->part[order[0]].b_ns - c->part[order[0]].a_ns)) : 0;
	if (c->n)
		l->rows[l->n++] = part_row(b, &whole, c->a_ns, fmax(most, fabs((double)(c->b_ns - c->a_ns))));
	for (uint32_t i = 0; i < c->n; i++) {
		const struct change_part *p = &c->part[order[i]];
		if (!p->a_ns && !p->b_ns)
			continue;
		l->rows[l->n++] = part_row(b, p, at, most);
		at += p->b_ns - p->a_ns;
	}
}

/* ---- findings ---------------------------------------------------------------------------------------------------------- */

static void list_findings(struct beside *b)
{
	struct beside_list *l = &b->lists[LIST_FINDINGS];
	const struct changed_findings *f = &b->diff.findings;
	room_for(b, l, f->n);
	for (uint32_t i = 0; i < f->n; i++)
		l->rows[l->n++] = (struct beside_row){
			.name = arena_printf(&b->mem, "%s: %s", f->at[i].title, diff_finding_text(&f->at[i])),
			.word = diff_finding_word(&b->diff, f->at[i].change),
			.place = nowhere};
}

/* Of what the run before advised: whether it was done, and what it brought. */
static void list_advice(struct beside *b)
{
	struct beside_list *l = &b->lists[LIST_ADVICE];
	const struct table *t = b->diff.advice;
	room_for(b, l, t->n_rows);
	for (; l->n < t->n_rows; l->n++) {
		const struct cell *c = table_cells(t, l->n);
		l->rows[l->n] = (struct beside_row){
			.name = arena_printf(&b->mem, "%s: %s", c[ADVICE_TITLE].s, c[ADVICE_SENTENCE].s),
			.word = c[ADVICE_DONE].s,
			.place = nowhere};
	}
}

/* ---- tables ------------------------------------------------------------------------------------------------------------ */

static const char *cell_told(struct beside *b, const struct table *t, uint32_t row, uint32_t col)
{
	char buf[128];
	return table_cell(t, row, col)->null ? NULL : arena_strdup(&b->mem, cell_format(t, row, col, buf, sizeof buf));
}

static const char *signed_change(struct beside *b, const struct table *t, uint32_t row)
{
	const char *text = cell_told(b, t, row, DIFF_ROW_CHANGE);
	return text && table_cell(t, row, DIFF_ROW_CHANGE)->r > 0 ? arena_printf(&b->mem, "+%s", text) : text;
}

static struct beside_row table_row_of(struct beside *b, const struct table *t, uint32_t row, double most)
{
	const struct cell *pct = table_cell(t, row, DIFF_ROW_PCT);
	return (struct beside_row){.name = table_cell(t, row, DIFF_ROW_NAME)->s,
				   .word = t->n_cols > DIFF_ROW_MATCH ? table_cell(t, row, DIFF_ROW_MATCH)->s : NULL,
				   .a = cell_told(b, t, row, DIFF_ROW_A),
				   .b = cell_told(b, t, row, DIFF_ROW_B),
				   .change = signed_change(b, t, row),
				   .pct = pct->null ? NULL : arena_printf(&b->mem, "%+.1f %%", pct->r),
				   .share = most > 0 ? table_cell(t, row, DIFF_ROW_CHANGE)->r / most : 0};
}

static void take_rows(struct beside *b, struct beside_list *l, const struct table *t)
{
	double most = t->n_rows ? fabs(table_cell(t, 0, DIFF_ROW_CHANGE)->r) : 0;
	room_for(b, l, t->n_rows);
	for (; l->n < t->n_rows; l->n++)
		l->rows[l->n] = table_row_of(b, t, l->n, most);
}

static void list_table(struct beside *b, uint32_t i)
{
	struct beside_list *l = &b->lists[LIST_FIRST_TABLE + i];
	uint32_t from[ROWS_MOST];
	if (!b->diff.tables[i])
		return;
	take_rows(b, l, diff_rows(&b->diff, b->diff.tables[i], ROWS_MOST, from, &b->mem));
	for (uint32_t row = 0; row < l->n; row++)
		l->rows[row].place = b->diff.places[i][from[row]];
}

/* What happened to the kernels of a step, in the order of the change. */
static void list_sequence(struct beside *b)
{
	struct beside_list *l = &b->lists[LIST_SEQUENCE];
	take_rows(b, l, diff_sequence(&b->diff, ROWS_MOST, &b->mem));
	for (uint32_t row = 0; row < l->n; row++)
		l->rows[row].place = b->diff.sequence.places[row];
}

void beside_make_lists(struct beside *b)
{
	static const char *const names[LISTS] = {"parts",  "findings", "advice", "families",    "ops",    "kernels",
						 "copies", "idle",     "gaps",   "collectives", "memory", "sequence"};
	for (uint32_t i = 0; i < LISTS; i++)
		b->lists[i] = (struct beside_list){.name = names[i]};
	list_step(b);
	list_findings(b);
	list_advice(b);
	for (uint32_t i = 0; i < DIFF_SHOWN; i++)
		list_table(b, i);
	list_sequence(b);
}
