/* Rows of a compared table as people read them: one name instead of several keys. */
#include "diff.h"
#include "model/analysis/analysis.h"
#include "model/analysis/compare/match.h"
#include "model/analysis/names/kernel_name.h"
#include "model/columns.h"
#include "tui/text/words.h"
#include <math.h>
#include <string.h>

enum { NAME_COLS = 44, PAIR_COLS = 20, REST_COLS = 18 };
struct naming {
	const struct diff *x;
	struct arena *mem;
};

static const char *short_name(struct naming *p, const struct table *t, uint32_t col, const char *text)
{
	bool kernel = !strcmp(t->name, "kernels") && !strcmp(t->cols[col].name, COLUMN_NAME);
	return words_clean(p->mem, kernel ? kernel_name_short(p->mem, text) : text);
}

static bool is_replaced(const struct table *t, uint32_t row, uint32_t keys)
{
	return !strcmp(table_cell(t, row, keys + COMPARE_MATCH)->s, match_word(MATCH_OTHER));
}

/* The last key: the kernel, and what replaced it. */
static const char *lead_text(struct naming *p, const struct table *t, uint32_t row, uint32_t keys)
{
	const struct cell *name = table_cell(t, row, keys - 1);
	const char *lead = name->null || name->type != CELL_TEXT ? "" : short_name(p, t, keys - 1, name->s);
	const struct cell *other = table_cell(t, row, keys + COMPARE_NAME_B);
	if (other->null || !is_replaced(t, row, keys))
		return lead;
	lead = words_end(p->mem, lead, PAIR_COLS);
	return arena_printf(p->mem, "%s -> %s", lead,
			    words_end(p->mem, short_name(p, t, keys - 1, other->s), PAIR_COLS));
}

/* The keys before it. Ranks and devices are told where there are several. */
static const char *rest_text(struct naming *p, const struct table *t, uint32_t row, uint32_t keys)
{
	const char *rest = "";
	char buf[128];
	bool several = p->x->a.devices > 1 || p->x->b.devices > 1;
	for (uint32_t c = 0; c < keys - 1; c++) {
		const char *cell = cell_format(t, row, c, buf, sizeof buf);
		bool number = t->cols[c].type == CELL_INT;
		if (!strcmp(cell, "-") || !*cell || !strcmp(cell, "Device") ||
		    (compare_is_whose(&t->cols[c]) && !several))
			continue;
		const char *said =
			number ? arena_printf(p->mem, "%s %s", t->cols[c].name, cell) : words_clean(p->mem, cell);
		rest = *rest ? arena_printf(p->mem, "%s, %s", rest, said) : said;
	}
	return rest;
}

static const char *key_text(struct naming *p, const struct table *t, uint32_t row, uint32_t keys)
{
	const char *lead = lead_text(p, t, row, keys),
		   *rest = is_replaced(t, row, keys) ? "" : rest_text(p, t, row, keys);
	if (!*lead || !*rest)
		return *lead || *rest ? words_end(p->mem, *lead ? lead : rest, NAME_COLS) : "(no name)";
	if (strlen(lead) + strlen(rest) + 2 > NAME_COLS) {
		int room = NAME_COLS - 2 - (int)strlen(lead);
		if (room < REST_COLS)
			lead = words_end(p->mem, lead, NAME_COLS - 2 - (room = REST_COLS));
		rest = words_middle(p->mem, rest, room);
	}
	return arena_printf(p->mem, "%s, %s", lead, rest);
}

/* How they were matched is told where not all are the same. */
static bool all_same(const struct table *t, uint32_t keys, uint32_t most)
{
	for (uint32_t row = 0; row < t->n_rows && row < most; row++)
		if (strcmp(table_cells(t, row)[keys + COMPARE_MATCH].s, match_word(MATCH_SAME)) != 0)
			return false;
	return true;
}

static void fill_row(struct naming *p, struct table *out, const struct table *t, uint32_t row, uint32_t keys)
{
	const char *name = key_text(p, t, row, keys);
	const struct cell *from = table_cells(t, row) + keys;
	struct cell *to = table_row(out);
	cell_text(&to[DIFF_ROW_NAME], name);
	to[DIFF_ROW_A] = from[COMPARE_SUMS];
	to[DIFF_ROW_B] = from[COMPARE_SUMS + 1];
	to[DIFF_ROW_CHANGE] = from[COMPARE_SUMS + 2];
	to[DIFF_ROW_PCT] = from[COMPARE_CHANGE_PCT];
	if (out->n_cols > DIFF_ROW_MATCH)
		to[DIFF_ROW_MATCH] = from[COMPARE_MATCH];
}

static const struct column cols[] = {{"name", CELL_TEXT, UNIT_NONE, ""},   {"A", CELL_REAL, UNIT_NS, ""},
				     {"B", CELL_REAL, UNIT_NS, ""},        {"change", CELL_REAL, UNIT_NS, ""},
				     {"pct", CELL_REAL, UNIT_PERCENT, ""}, {"match", CELL_TEXT, UNIT_NONE, ""}};
enum { COLS = sizeof cols / sizeof *cols };

struct table *diff_rows(const struct diff *x, const struct table *t, uint32_t most, uint32_t *from, struct arena *mem)
{
	struct naming naming = {x, mem};
	uint32_t keys = compare_key_columns(analysis_find(t->name));
	struct column *own = arena_alloc(mem, sizeof cols);
	memcpy(own, cols, sizeof cols);
	for (uint32_t i = DIFF_ROW_A; i <= DIFF_ROW_CHANGE; i++)
		own[i].unit = t->cols[keys + COMPARE_SUMS].unit;
	struct table *out = table_bare(mem, t->name, t->title, own, COLS - all_same(t, keys, most));
	for (uint32_t row = 0; row < t->n_rows && out->n_rows < most; row++) {
		const struct cell *change = &table_cells(t, row)[keys + COMPARE_SUMS + 2];
		if (change->null || fabs(change->r) < 0.5)
			continue;
		if (from)
			from[out->n_rows] = row;
		fill_row(&naming, out, t, row, keys);
	}
	return out;
}

/* ---- kernels in their order ------------------------------------------------------------------------------------------------ */

static const char *place_text(const struct table *t, uint32_t row, struct arena *mem)
{
	const struct cell *c = table_cells(t, row);
	const char *a = c[SEQUENCE_KERNELS_A].null ? NULL : words_clean(mem, c[SEQUENCE_KERNELS_A].s),
		   *b = c[SEQUENCE_KERNELS_B].null ? NULL : words_clean(mem, c[SEQUENCE_KERNELS_B].s);
	if (!a || !b)
		return words_end(mem, a ? a : b, NAME_COLS);
	return arena_printf(mem, "%s -> %s", words_end(mem, a, PAIR_COLS), words_end(mem, b, PAIR_COLS));
}

/* "fused, 2 by 1, 16 x" */
static const char *change_text(const struct cell *c, struct arena *mem)
{
	const char *text = c[SEQUENCE_CHANGE].s;
	if (c[SEQUENCE_N_A].i && c[SEQUENCE_N_B].i && c[SEQUENCE_N_A].i + c[SEQUENCE_N_B].i > 2)
		text = arena_printf(mem, "%s, %d by %d", text, (int)c[SEQUENCE_N_A].i, (int)c[SEQUENCE_N_B].i);
	return c[SEQUENCE_COUNT].i > 1 ? arena_printf(mem, "%s, %d x", text, (int)c[SEQUENCE_COUNT].i) : text;
}

struct table *diff_sequence(const struct diff *x, uint32_t most, struct arena *mem)
{
	const struct table *t = x->sequence.changes;
	struct table *out = table_bare(mem, t->name, t->title, cols, COLS);
	for (uint32_t row = 0; row < t->n_rows && row < most; row++) {
		const struct cell *c = table_cells(t, row);
		struct cell *to = table_row(out);
		double a = (double)c[SEQUENCE_A_NS].i, b = (double)c[SEQUENCE_B_NS].i;
		cell_text(&to[DIFF_ROW_NAME], place_text(t, row, mem));
		cell_real(&to[DIFF_ROW_A], c[SEQUENCE_N_A].i ? a : NAN);
		cell_real(&to[DIFF_ROW_B], c[SEQUENCE_N_B].i ? b : NAN);
		cell_real(&to[DIFF_ROW_CHANGE], b - a);
		cell_real(&to[DIFF_ROW_PCT], a > 0 && b > 0 ? 100 * (b - a) / a : NAN);
		cell_text(&to[DIFF_ROW_MATCH], change_text(c, mem));
	}
	return out;
}

const char *diff_sequence_text(const struct diff *x, struct arena *mem)
{
	const struct sequence *s = &x->sequence;
	return arena_printf(mem, "%u kernels -> %u, %u of them as before", (unsigned)s->n_a, (unsigned)s->n_b,
			    (unsigned)s->n_same);
}
