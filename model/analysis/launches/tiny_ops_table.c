/* tiny_ops: ops whose kernels are shorter than the time it takes to launch one. */
#include "tiny_ops_columns.h"
#include "tiny_ops.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <math.h>
#include <string.h>

TABLE_DECL(tiny_ops);

static const struct column columns[] = {TINY_OPS_COLUMNS(COLUMN_ROW)};

static void cell_span(struct cell *c, struct span s, struct arena *mem)
{
	if (s.n)
		cell_text(c, arena_strndup(mem, s.p, s.n));
}

static void put_op(struct table *t, const struct derived *d, const struct tiny_ops *all, const struct tiny_op *o)
{
	struct cell *row = table_row(t);
	cell_span(&row[COL_TINY_OPS_TYPE], o->type, t->mem);
	cell_span(&row[COL_TINY_OPS_OP], o->name, t->mem);
	if (o->kernel)
		cell_text(&row[COL_TINY_OPS_KERNEL], trace_str(derived_trace(d), o->kernel));
	if (!o->kernel)
		cell_int(&row[COL_TINY_OPS_OPS], o->n_ops);
	cell_int(&row[COL_TINY_OPS_RUNS], o->runs);
	cell_int(&row[COL_TINY_OPS_KERNELS], o->kernels);
	cell_int(&row[COL_TINY_OPS_TOTAL], o->total_ns);
	cell_real(&row[COL_TINY_OPS_AVG], (double)o->whole_ns / (double)o->runs);
	cell_text(&row[COL_TINY_OPS_LAUNCH_RANGE], o->whole_ns < o->runs * TINY_LOW_NS ? "below" : "within");
	cell_int(&row[COL_TINY_OPS_SHORT], o->short_kernels);
	cell_int(&row[COL_TINY_OPS_IDLE], o->launch_bound_ns + o->not_launched_ns);
	cell_int(&row[COL_TINY_OPS_LAUNCH_IDLE], o->launch_idle_ns);
	cell_int(&row[COL_TINY_OPS_BOUND], o->launch_bound_ns);
	cell_int(&row[COL_TINY_OPS_UNLAUNCHED], o->not_launched_ns);
	cell_int(&row[COL_TINY_OPS_CALL], o->call_ns);
	cell_pct(&row[COL_TINY_OPS_SHARE], o->total_ns, all->kernel_ns);
	cell_pct(&row[COL_TINY_OPS_COUNTPCT], o->kernels, all->kernels);
	table_evidence(t, 0, 0, &o->longest, 1);
}

static struct table *run_tiny_ops(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct tiny_ops all;
	bool by_op = q->by && !strcmp(q->by, "op");
	if (q->by && !by_op && strcmp(q->by, "type") != 0) {
		err_usage(e, "tiny_ops are grouped --by type or op, not '%.40s'", q->by);
		return NULL;
	}
	if (!tiny_ops_make(d, q, by_op, mem, p, &all, e))
		return NULL;
	struct table *t = table_new(mem, &tiny_ops_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_op(t, d, &all, &all.at[i]);
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
	.help = "ops whose kernels are shorter than it takes to launch one",
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
