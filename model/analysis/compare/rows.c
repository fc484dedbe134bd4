/* The rows of one table in two runs, side by side. */
#include "compare.h"
#include "rank_side.h"
#include "sequence.h"
#include "model/analysis/query/shared.h"
#include "model/columns.h"
#include <math.h>
#include <string.h>

bool compare_knows(const struct table_desc *desc)
{
	return desc->vs.key.n > 0 || (desc->n_cols == KEYED_COLUMNS && !strcmp(desc->cols[0].name, COLUMN_KEY));
}

uint32_t compare_key_columns(const struct table_desc *desc)
{
	return desc->vs.key.n;
}

static bool is_per_device(const struct table_desc *desc)
{
	for (uint32_t i = 0; i < desc->vs.key.n; i++)
		if (!strcmp(desc->cols[desc->vs.key.at[i]].name, COLUMN_DEVICE))
			return true;
	return false;
}

/* What sums are divided by. */
static double parts_of(const struct compare_side *s, const struct table_desc *desc)
{
	if (desc->vs.whole)
		return 1;
	return (s->stretch_steps ? s->stretch_steps : 1.0) * (is_per_device(desc) ? 1 : s->devices);
}

/* ---- columns --------------------------------------------------------------------------------------------------------- */

const char *compare_per(const struct table_desc *desc, const struct compare_side *a, const struct compare_side *b)
{
	bool steps = a->stretch_steps && b->stretch_steps,
	     devices = !is_per_device(desc) && (a->devices > 1 || b->devices > 1);
	if (desc->vs.whole)
		return "";
	return steps && devices ? ", per step and device" : steps ? ", per step" : devices ? ", per device" : "";
}

/* "total_ns" of B is "total_b_ns": units stay at the end. */
static const char *name_of_side(const struct column *of, const char *side, struct arena *mem)
{
	size_t n = strlen(of->name);
	bool ns = n > 3 && !strcmp(of->name + n - 3, "_ns");
	return arena_printf(mem, "%.*s_%s%s", (int)(ns ? n - 3 : n), of->name, side, ns ? "_ns" : "");
}

static void sum_columns(struct column *to, const struct column *of, const char *per, struct arena *mem)
{
	enum unit unit = of->unit;
	to[0] = (struct column){name_of_side(of, "a", mem), CELL_REAL, unit,
				arena_printf(mem, "before%s: %s", per, of->help)};
	to[1] = (struct column){name_of_side(of, "b", mem), CELL_REAL, unit, arena_printf(mem, "after%s", per)};
	to[2] = (struct column){name_of_side(of, "change", mem), CELL_REAL, unit,
				"after minus before; what one of the two does not have counts as 0"};
}

static struct column *columns_of(const struct table_desc *desc, const char *per, struct arena *mem, uint32_t *n)
{
	static const struct column matched[] = {
		[COMPARE_MATCH] = {"match", CELL_TEXT, UNIT_NONE,
				   "how the row of B was found: same (the same name); other numbers (the same but for "
				   "numbers, template arguments and hashes); replaced (the same op, or the same place "
				   "in the step, runs another kernel); only A; only B"},
		[COMPARE_NAME_B] = {"name_b", CELL_TEXT, UNIT_NONE, "its name in B, where it is a different one"},
		[COMPARE_CHANGE_PCT] = {"change_pct", CELL_REAL, UNIT_PERCENT,
					"change of the first number, as a share of its value before"}};
	uint32_t keys = desc->vs.key.n, sums = desc->vs.sums.n;
	struct column *cols = arena_alloc(mem, (keys + COMPARE_SUMS + 3 * (size_t)sums) * sizeof *cols);
	for (uint32_t i = 0; i < keys; i++)
		cols[i] = desc->cols[desc->vs.key.at[i]];
	memcpy(cols + keys, matched, sizeof matched);
	for (uint32_t i = 0; i < sums; i++)
		sum_columns(cols + keys + COMPARE_SUMS + 3 * i, &desc->cols[desc->vs.sums.at[i]], per, mem);
	*n = keys + COMPARE_SUMS + 3 * sums;
	return cols;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

static void key_cells(struct cell *row, const struct table_desc *desc, const struct table *from, uint32_t at)
{
	for (uint32_t i = 0; i < desc->vs.key.n; i++)
		row[i] = *column_cell(from, at, desc->vs.key.at[i]);
}

static void sum_cells(struct cell *row, const struct match *m, uint32_t sum, double per_a, double per_b)
{
	double a = m->a.known >> sum & 1 ? m->a.sum[sum] / per_a : NAN,
	       b = m->b.known >> sum & 1 ? m->b.sum[sum] / per_b : NAN;
	cell_real(&row[0], a);
	cell_real(&row[1], b);
	/* what is not there counts as 0; what is not known does not */
	cell_real(&row[2], m->how == MATCH_ONLY_A ? -a : m->how == MATCH_ONLY_B ? b : b - a);
}

bool compare_is_whose(const struct column *c)
{
	return !strcmp(c->name, COLUMN_DEVICE) || !strcmp(c->name, COLUMN_RANK);
}

static void compare_row(struct table *out, const struct table_desc *desc, const struct match *m, const struct table *a,
			const struct table *b, const double *per)
{
	uint32_t keys = desc->vs.key.n;
	struct cell *row = table_row(out);
	bool of_a = m->a.row != NONE_ID;
	key_cells(row, desc, of_a ? a : b, of_a ? m->a.row : m->b.row);
	for (uint32_t i = 0; i < keys && of_a && m->b.row != NONE_ID; i++)
		if (compare_is_whose(&desc->cols[desc->vs.key.at[i]]) &&
		    table_order(&row[i], column_cell(b, m->b.row, desc->vs.key.at[i]), false) != 0)
			row[i].null = true; /* the one device of A, and that of B */
	cell_text(&row[keys + COMPARE_MATCH], match_word(m->how));
	if (m->how == MATCH_NUMBERS || m->how == MATCH_OTHER)
		row[keys + COMPARE_NAME_B] = *column_cell(b, m->b.row, desc->vs.key.at[keys - 1]);
	double before = m->a.sum[0] / per[0], after = m->b.sum[0] / per[1];
	bool both = m->how != MATCH_ONLY_A && m->how != MATCH_ONLY_B;
	cell_real(&row[keys + COMPARE_CHANGE_PCT], both && before > 0 ? 100 * (after - before) / before : NAN);
	for (uint32_t i = 0; i < desc->vs.sums.n; i++)
		sum_cells(&row[keys + COMPARE_SUMS + 3 * i], m, i, per[0], per[1]);
}

/* Where the row of one side is seen. */
static void place_side(struct compare_place *to, uint32_t side, const struct compare_side *s, const struct table *t,
		       uint32_t row)
{
	const struct evidence *e = row == NONE_ID ? NULL : table_evidence_of(t, row);
	to->event[side] = e && e->n ? e->rows[0] : NONE_ID;
	to->at_ns[side] = e && e->n                ? trace_columns(derived_trace(s->d))->start_ns[e->rows[0]]
			  : e && e->a_ns < e->b_ns ? e->a_ns
						   : UNKNOWN_I64;
}

const struct table *compare_side_table(const struct table_desc *desc, const struct compare_side *s, bool with_places,
				       struct arena *mem, struct progress *p, struct err *e)
{
	if (rank_side_asks_whole(desc, s))
		return rank_side_table(desc, s, mem, p, e);
	if (!with_places && desc->vs.rows)
		return shared_part(desc->vs.rows, s->d, &s->stretch, mem, p, e);
	return shared_table(desc, s->d, desc->vs.key.n && !desc->vs.all_time ? &s->stretch : &s->q, mem, p, e);
}

static struct table *compare_rows(const struct table_desc *desc, const struct compare_side *a,
				  const struct compare_side *b, const struct sequence *sequence,
				  struct compare_place **places, struct arena *mem, struct progress *p, struct err *e)
{
	struct match_how_to how = {{parts_of(a, desc), parts_of(b, desc)}, a->devices == 1 && b->devices == 1, NULL, 0};
	if (desc->vs.last_may_change) {
		how.pairs = sequence->replaced;
		how.n_pairs = sequence->n_replaced;
	}
	const struct table *before = compare_side_table(desc, a, places, mem, p, e);
	const struct table *after = before ? compare_side_table(desc, b, places, mem, p, e) : NULL;
	if (!after)
		return NULL;
	uint32_t n_cols;
	struct column *cols = columns_of(desc, compare_per(desc, a, b), mem, &n_cols);
	struct table *out = table_bare(mem, desc->name, desc->title, cols, n_cols);
	struct matches found = match_rows(desc, before, after, &how, mem);
	table_reserve(out, found.n);
	if (places)
		*places = arena_alloc(mem, (found.n + (size_t)1) * sizeof **places);
	for (uint32_t i = 0; i < found.n; i++) {
		compare_row(out, desc, &found.at[i], before, after, how.per);
		if (!places)
			continue;
		place_side(&(*places)[i], 0, a, before, found.at[i].a.row);
		place_side(&(*places)[i], 1, b, after, found.at[i].b.row);
	}
	return out;
}

void compare_in_common(const struct table_desc *desc, const struct table *compared, double *a_pct, double *b_pct)
{
	double common[2] = {0}, all[2] = {0};
	const uint32_t match = desc->vs.key.n + COMPARE_MATCH, sums = desc->vs.key.n + COMPARE_SUMS;
	for (uint32_t row = 0; row < compared->n_rows; row++) {
		const char *how = table_cell(compared, row, match)->s;
		bool both = strcmp(how, match_word(MATCH_ONLY_A)) != 0 && strcmp(how, match_word(MATCH_ONLY_B)) != 0;
		for (uint32_t side = 0; side < 2; side++) {
			const struct cell *c = table_cell(compared, row, sums + side);
			all[side] += c->null ? 0 : c->r;
			common[side] += both && !c->null ? c->r : 0;
		}
	}
	*a_pct = all[0] > 0 ? 100 * common[0] / all[0] : NAN;
	*b_pct = all[1] > 0 ? 100 * common[1] / all[1] : NAN;
}

/* ---- keys and values ------------------------------------------------------------------------------------------------- */

enum { KEYED_VS_KEY, KEYED_VS_A, KEYED_VS_B, KEYED_VS_CHANGE, KEYED_VS_CHANGE_PCT, KEYED_VS_COLUMNS };

static double number_of(const struct table *t, uint32_t row)
{
	const struct cell *c = table_cell(t, row, KEYED_VALUE);
	return c->null ? NAN : c->type == CELL_REAL ? c->r : (double)c->i;
}

static void set_side(struct cell *to, const struct table *t, uint32_t row)
{
	if (row != NONE_ID)
		*to = *table_cell(t, row, KEYED_VALUE);
}

static void set_change(struct cell *row, const struct table *a, uint32_t at, const struct table *b, uint32_t bt)
{
	const struct cell *c = at == NONE_ID ? NULL : table_cell(a, at, KEYED_VALUE);
	if (!c || bt == NONE_ID || !cell_type_is_number(c->type) || c->type != table_cell(b, bt, KEYED_VALUE)->type)
		return;
	double before = number_of(a, at), after = number_of(b, bt);
	cell_real(&row[KEYED_VS_CHANGE], after - before);
	row[KEYED_VS_CHANGE].unit = c->unit;
	row[KEYED_VS_CHANGE].type = CELL_REAL;
	cell_real(&row[KEYED_VS_CHANGE_PCT],
		  before > 0 && c->unit != UNIT_PERCENT ? 100 * (after - before) / before : NAN);
	row[KEYED_VS_CHANGE_PCT].unit = UNIT_PERCENT;
	row[KEYED_VS_CHANGE_PCT].type = CELL_REAL;
}

static void keyed_row(struct table *out, const char *key, const struct table *a, const struct table *b)
{
	uint32_t at = row_of_key(a, key), bt = row_of_key(b, key);
	struct cell *row = table_row(out);
	cell_text(&row[KEYED_VS_KEY], key);
	set_side(&row[KEYED_VS_A], a, at);
	set_side(&row[KEYED_VS_B], b, bt);
	set_change(row, a, at, b, bt);
}

static struct table *compare_keyed(const struct table_desc *desc, const struct compare_side *a,
				   const struct compare_side *b, struct arena *mem, struct progress *p, struct err *e)
{
	static const struct column cols[KEYED_VS_COLUMNS] = {
		{COLUMN_KEY, CELL_TEXT, UNIT_NONE, "what the values are"},
		{"value_a", CELL_REAL, UNIT_NONE, "before, in the unit of the row"},
		{"value_b", CELL_REAL, UNIT_NONE, "after"},
		{"value_change", CELL_REAL, UNIT_NONE, "after minus before; of shares: percentage points"},
		{"change_pct", CELL_REAL, UNIT_PERCENT, "the same as a share of its value before; null for shares"}};
	const struct table *before = compare_side_table(desc, a, false, mem, p, e);
	const struct table *after = before ? compare_side_table(desc, b, false, mem, p, e) : NULL;
	if (!after)
		return NULL;
	struct table *out = table_bare(mem, desc->name, desc->title, cols, KEYED_VS_COLUMNS);
	for (uint32_t row = 0; row < before->n_rows; row++)
		keyed_row(out, table_cell(before, row, KEYED_KEY)->s, before, after);
	for (uint32_t row = 0; row < after->n_rows; row++)
		if (row_of_key(before, table_cell(after, row, KEYED_KEY)->s) == NONE_ID)
			keyed_row(out, table_cell(after, row, KEYED_KEY)->s, before, after);
	return out;
}

struct table *compare_table_places(const struct table_desc *desc, const struct compare_side *a,
				   const struct compare_side *b, const struct sequence *sequence,
				   struct compare_place **places, struct arena *mem, struct progress *p, struct err *e)
{
	if (places)
		*places = NULL;
	return desc->vs.key.n ? compare_rows(desc, a, b, sequence, places, mem, p, e)
			      : compare_keyed(desc, a, b, mem, p, e);
}

struct table *compare_table(const struct table_desc *desc, const struct compare_side *a, const struct compare_side *b,
			    struct arena *mem, struct progress *p, struct err *e)
{
	struct compare_place *places;
	struct sequence sequence = {0};
	if (desc->vs.last_may_change && !compare_sequences(a, b, mem, p, &sequence, e))
		return NULL;
	return compare_table_places(desc, a, b, &sequence, &places, mem, p, e);
}
