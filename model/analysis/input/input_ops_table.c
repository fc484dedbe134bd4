/* input_ops: the ops of the host's input pipeline, most time of their own first. */
#include "input_ops_columns.h"
#include "input_ops.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(input_ops);

static const struct column columns[] = {INPUT_OPS_COLUMNS(COLUMN_ROW)};

static void op_row(const struct derived *d, struct table *out, const struct input_op *x, int64_t all_ns)
{
	const struct columns *c = trace_columns(derived_trace(d));
	bool wait = x->class == INPUT_WAIT;
	struct cell *row = table_row(out);
	cell_text(&row[COL_INPUT_OPS_OP], x->name);
	cell_int(&row[COL_INPUT_OPS_COUNT], x->count);
	cell_int(&row[COL_INPUT_OPS_TOTAL_NS], x->total_ns);
	cell_int(&row[COL_INPUT_OPS_SELF_NS], x->self_ns);
	cell_pct(&row[COL_INPUT_OPS_TOTAL_PCT], x->total_ns, wait ? 0 : all_ns);
	cell_pct(&row[COL_INPUT_OPS_SELF_PCT], x->self_ns, wait ? 0 : all_ns);
	cell_text(&row[COL_INPUT_OPS_CATEGORY], input_class_text(x->class));
	table_evidence(out, c->start_ns[x->longest], c->start_ns[x->longest] + c->dur_ns[x->longest], &x->longest, 1);
}

static struct table *run_input_ops(const struct derived *d, const struct query *q, struct arena *mem,
				   struct progress *p, struct err *e)
{
	struct input_ops v;
	struct table *out = table_new(mem, &input_ops_desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!input_ops_read(d, q, mem, p, &v, e))
		return NULL;
	int64_t all_ns = 0;
	for (int i = 0; i < INPUT_CLASS_COUNT; i++)
		all_ns += i == INPUT_WAIT ? 0 : v.self_ns[i];
	for (uint32_t i = 0; i < v.n; i++)
		op_row(d, out, &v.at[i], all_ns);
	return out;
}

const struct table_desc input_ops_desc = {
	.name = "input_ops",
	.title = "Input ops",
	.help = "ops and stages of the host's input pipeline, with their self time",
	TABLE_COLUMNS(columns),
	.run = run_input_ops,
	.report = {.intro = "by their self time"},
	.vs = {.key = COLUMN_LIST(COL_INPUT_OPS_CATEGORY, COL_INPUT_OPS_OP),
	       .sums = COLUMN_LIST(COL_INPUT_OPS_SELF_NS, COL_INPUT_OPS_TOTAL_NS, COL_INPUT_OPS_COUNT)},
};
