/* input_ops: the ops of the host's input pipeline, most time of their own first. */
#include "input_ops.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(input_ops);

/* clang-format off */
static const struct column columns[] = {
	{"op", CELL_TEXT, UNIT_NONE, "name of the op or stage"},
	{"count", CELL_INT, UNIT_COUNT, "how often it starts inside the window"},
	{"total_ns", CELL_INT, UNIT_NS, "sum of its time over all host threads"},
	{"total_pct", CELL_REAL, UNIT_PERCENT, "total_ns / sum of the self times of all input ops; nested ops bring the sum above 100"},
	{"self_ns", CELL_INT, UNIT_NS, "its time without the ops nested in it on its thread"},
	{"self_pct", CELL_REAL, UNIT_PERCENT, "self_ns / sum of the self times of all input ops, waits aside"},
	{"category", CELL_TEXT, UNIT_NONE, "Enqueue, Demanded file read, Advanced file read, Preprocessing, Unclassified; Wait: it suffers from the others"},
};
/* clang-format on */
enum { OP, COUNT, TOTAL_NS, TOTAL_PCT, SELF_NS, SELF_PCT, CATEGORY };

static void op_row(const struct derived *d, struct table *out, const struct input_op *x, int64_t all_ns)
{
	const struct columns *c = trace_columns(derived_trace(d));
	bool wait = x->class == INPUT_WAIT;
	struct cell *row = table_row(out);
	cell_text(&row[OP], x->name);
	cell_int(&row[COUNT], x->count);
	cell_int(&row[TOTAL_NS], x->total_ns);
	cell_int(&row[SELF_NS], x->self_ns);
	cell_pct(&row[TOTAL_PCT], x->total_ns, wait ? 0 : all_ns);
	cell_pct(&row[SELF_PCT], x->self_ns, wait ? 0 : all_ns);
	cell_text(&row[CATEGORY], input_class_text(x->class));
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
	.help = "ops and stages of the host's input pipeline with their own time",
	TABLE_COLUMNS(columns),
	.run = run_input_ops,
	.report = {.intro = "by their own time"},
};
