/* op_types: the ops of each side summed up by their type. */
#include "op_types_columns.h"
#include "op_groups.h"
#include "op_placed.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <math.h>

TABLE_DECL(op_types);

static const struct column columns[] = {OP_TYPES_COLUMNS(COLUMN_ROW)};

static const struct op_placed *find_placed(const struct op_placed *at, uint32_t n, struct span type)
{
	for (uint32_t i = 0; i < n; i++)
		if (span_same(at[i].type, type))
			return &at[i];
	return NULL;
}

static void put_placed(struct cell *row, const struct op_placed *x, int64_t whole_ns)
{
	cell_text(&row[COL_OP_TYPES_PLACEMENT], op_sort_text(x->sort));
	cell_int(&row[COL_OP_TYPES_HERE_OPS], x->ops);
	cell_int(&row[COL_OP_TYPES_HERE_RUNS], x->runs);
	cell_int(&row[COL_OP_TYPES_HERE_SELF], x->self_ns);
	cell_pct(&row[COL_OP_TYPES_HERE_PCT], x->self_ns, whole_ns);
}

static struct cell *put_type(struct table *out, enum op_place place, const struct op_group *x, int64_t all_ns)
{
	struct cell *row = table_row(out);
	cell_text(&row[COL_OP_TYPES_SIDE], place == OP_DEVICE ? "Device" : "Host");
	cell_text(&row[COL_OP_TYPES_TYPE], x->type.n ? arena_strndup(out->mem, x->type.p, x->type.n) : NULL);
	cell_int(&row[COL_OP_TYPES_OPS], x->ops);
	cell_int(&row[COL_OP_TYPES_OCCURRENCES], x->sum.occurrences);
	cell_int(&row[COL_OP_TYPES_TOTAL], x->sum.total_ns);
	cell_real(&row[COL_OP_TYPES_AVG],
		  x->sum.occurrences ? (double)x->sum.total_ns / (double)x->sum.occurrences : NAN);
	cell_int(&row[COL_OP_TYPES_SELF], x->sum.self_ns);
	cell_pct(&row[COL_OP_TYPES_SELF_PCT], x->sum.self_ns, all_ns);
	cell_int(&row[COL_OP_TYPES_PIECES], x->sum.pieces);
	return row;
}

static struct table *run_op_types(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	const struct op_stats *s = shared_part(&op_stats_part, d, q, mem, p, e);
	if (!s)
		return NULL;
	struct table *out = table_new(mem, &op_types_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	uint32_t n_placed;
	int64_t whole_ns;
	struct op_rules *rules = op_rules_builtin(e);
	if (!rules)
		return NULL;
	const struct op_placed *placed = op_placed_make(s, rules, mem, &n_placed, &whole_ns);
	for (int place = OP_DEVICE; place < OP_PLACES; place++) {
		uint32_t n;
		const struct op_group *at = op_groups_make(s, OP_BY_TYPE, (enum op_place)place, d, mem, &n);
		for (uint32_t i = 0; i < n; i++) {
			struct cell *row = put_type(out, (enum op_place)place, &at[i], s->self_ns[place]);
			const struct op_placed *x = place == OP_HOST ? find_placed(placed, n_placed, at[i].name) : NULL;
			if (x)
				put_placed(row, x, whole_ns);
		}
	}
	op_rules_free(rules);
	return out;
}

const struct table_desc op_types_desc = {
	.name = "op_types",
	.title = "Op types",
	.help = "framework ops, summed by type",
	TABLE_COLUMNS(columns),
	.run = run_op_types,
	.vs = {.key = COLUMN_LIST(COL_OP_TYPES_SIDE, COL_OP_TYPES_TYPE),
	       .sums = COLUMN_LIST(COL_OP_TYPES_SELF, COL_OP_TYPES_OCCURRENCES)},
};
