/* tiny_ops: ops whose kernels are shorter than the time it takes to launch one. */
#include "tiny_ops_columns.h"
#include "launch_pass.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <string.h>

TABLE_DECL(tiny_ops);

static const struct column columns[] = {TINY_OPS_COLUMNS(COLUMN_ROW)};

struct listing {
	const struct derived *d;
	struct tiny_ops all;
};

static void fill_op(struct cell *row, const struct tiny_name *name)
{
	if (name->type.n)
		cell_text(&row[COL_TINY_OPS_TYPE], name->type.p);
	if (name->op.n)
		cell_text(&row[COL_TINY_OPS_OP], name->op.p);
	cell_int(&row[COL_TINY_OPS_OPS], name->n_ops);
}

static void make_op(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	uint32_t at = l->all.order[i];
	const struct tiny_op *o = &l->all.at[at];
	struct cell *row = out->cells;
	if (at < l->all.n_named)
		fill_op(row, &l->all.names[o->id]);
	else
		cell_text(&row[COL_TINY_OPS_KERNEL], trace_str(derived_trace(l->d), o->id));
	cell_int(&row[COL_TINY_OPS_RUNS], o->runs);
	cell_int(&row[COL_TINY_OPS_KERNELS], o->kernels);
	int64_t total_ns = tiny_op_ns(&l->all, o, TINY_TOTAL_NS), whole_ns = tiny_op_ns(&l->all, o, TINY_WHOLE_NS),
		bound_ns = tiny_op_ns(&l->all, o, TINY_LAUNCH_BOUND_NS),
		unlaunched_ns = tiny_op_ns(&l->all, o, TINY_NOT_LAUNCHED_NS);
	cell_int(&row[COL_TINY_OPS_TOTAL], total_ns);
	cell_real(&row[COL_TINY_OPS_AVG], (double)whole_ns / (double)o->runs);
	cell_text(&row[COL_TINY_OPS_LAUNCH_RANGE], whole_ns < (int64_t)o->runs * TINY_LOW_NS ? "below" : "within");
	cell_int(&row[COL_TINY_OPS_SHORT], o->short_kernels);
	cell_int(&row[COL_TINY_OPS_IDLE], bound_ns + unlaunched_ns);
	cell_int(&row[COL_TINY_OPS_LAUNCH_IDLE], tiny_op_ns(&l->all, o, TINY_LAUNCH_IDLE_NS));
	cell_int(&row[COL_TINY_OPS_BOUND], bound_ns);
	cell_int(&row[COL_TINY_OPS_UNLAUNCHED], unlaunched_ns);
	cell_int(&row[COL_TINY_OPS_CALL], tiny_op_ns(&l->all, o, TINY_CALL_NS));
	cell_pct(&row[COL_TINY_OPS_SHARE], total_ns, l->all.kernel_ns);
	cell_pct(&row[COL_TINY_OPS_COUNTPCT], o->kernels, l->all.kernels);
	out->events[0] = o->longest;
	out->evidence = (struct evidence){0, 0, out->events, 1, NULL};
}

static bool read_ops(const struct derived *d, const struct query *q, bool by_op, struct arena *mem, struct progress *p,
		     struct tiny_ops *out, struct err *e)
{
	if (!launch_pass_fits(d, q))
		return tiny_ops_make(d, q, by_op, mem, p, out, e);
	const struct launch_pass *pass = shared_part(&launch_pass_part, d, q, mem, p, e);
	if (pass)
		*out = pass->tiny_ops;
	return pass != NULL;
}

static struct table *run_tiny_ops(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct listing *l = arena_alloc(mem, sizeof *l);
	bool by_op = q->by && !strcmp(q->by, "op");
	if (q->by && !by_op && strcmp(q->by, "type") != 0) {
		err_usage(e, "tiny_ops are grouped --by type or op, not '%.40s'", q->by);
		return NULL;
	}
	l->d = d;
	if (!read_ops(d, q, by_op, mem, p, &l->all, e))
		return NULL;
	struct table *t = table_new(mem, &tiny_ops_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	table_made(t, l->all.n, make_op, l);
	t->sort_col = COL_TINY_OPS_IDLE;
	t->sort_desc = true;
	return t;
}

static const char *by_word(unsigned i)
{
	static const char *const words[] = {"type", "op"};
	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

const struct table_desc tiny_ops_desc = {
	.name = "tiny_ops",
	.title = "Tiny ops",
	.help = "ops whose kernels take less time than a launch",
	TABLE_COLUMNS(columns),
	.by = by_word,
	.run = run_tiny_ops,
	.first = COLUMN_LIST(COL_TINY_OPS_OP, COL_TINY_OPS_TYPE, COL_TINY_OPS_IDLE, COL_TINY_OPS_TOTAL,
			     COL_TINY_OPS_AVG, COL_TINY_OPS_RUNS, COL_TINY_OPS_LAUNCH_RANGE, COL_TINY_OPS_KERNELS,
			     COL_TINY_OPS_CALL, COL_TINY_OPS_KERNEL),
	.report = {.intro = "kernels that take less time than the 20-40 us of a launch",
		   .brief = COLUMN_LIST(COL_TINY_OPS_TYPE, COL_TINY_OPS_OP, COL_TINY_OPS_KERNEL, COL_TINY_OPS_RUNS,
					COL_TINY_OPS_TOTAL, COL_TINY_OPS_AVG, COL_TINY_OPS_LAUNCH_RANGE,
					COL_TINY_OPS_IDLE)},
	.vs = {.key = COLUMN_LIST(COL_TINY_OPS_OP),
	       .sums = COLUMN_LIST(COL_TINY_OPS_TOTAL, COL_TINY_OPS_RUNS, COL_TINY_OPS_LAUNCH_IDLE)},
};
