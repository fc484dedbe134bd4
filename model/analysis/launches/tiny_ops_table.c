/* tiny_ops: ops whose kernels are shorter than the time it takes to launch one. */
#include "tiny_ops.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <math.h>
#include <string.h>

TABLE_DECL(tiny_ops);

/* clang-format off */
#define TINY_COLUMNS(_) \
	_(TYPE,       "type",           TEXT, NONE,    "kind of op; null where the op is unknown") \
	_(OP,         "op",             TEXT, NONE,    "the op; null where the row adds up several (--by op tells them apart)") \
	_(KERNEL,     "kernel",         TEXT, NONE,    "instead of the op where that is unknown") \
	_(OPS,        "ops",            INT,  COUNT,   "ops of this type that are added up here") \
	_(RUNS,       "runs",           INT,  COUNT,   "how often they ran: host events that launched the kernels; kernels where the device's own details name the op") \
	_(KERNELS,    "kernels",        INT,  COUNT,   "kernels that start inside the window") \
	_(TOTAL,      "total_ns",       INT,  NS,      "time of the kernels, clipped to the window") \
	_(AVG,        "avg_ns",         REAL, NS,      "whole time of the kernels / runs; below 40 us, else the op is not listed") \
	_(VERDICT,    "verdict",        TEXT, NONE,    "below: the average is shorter than 20 us, a launch takes longer; within: it lies within the 20-40 us of a launch") \
	_(SHORT,      "short_kernels",  INT,  COUNT,   "kernels shorter than 20 us") \
	_(IDLE,       "idle_ns",        INT,  NS,      "time in which the device did nothing and that ends with one of these kernels") \
	_(BOUND,      "launch_bound_ns", INT, NS,      "of that: from the begin of the launch call until 20 us after its end") \
	_(UNLAUNCHED, "not_launched_ns", INT, NS,      "of that: before the launch call began") \
	_(CALL,       "call_ns",        INT,  NS,      "time of the launch calls, clipped to the window") \
	_(SHARE,      "share_pct",      REAL, PERCENT, "share of the time of all kernels") \
	_(COUNTPCT,   "kernels_pct",    REAL, PERCENT, "share of all kernels")
/* clang-format on */
enum {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	TINY_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	TINY_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

static void cell_span(struct cell *c, struct span s, struct arena *mem)
{
	if (s.n)
		cell_text(c, arena_strndup(mem, s.p, s.n));
}

static void put_op(struct table *t, const struct derived *d, const struct tiny_ops *all, const struct tiny_op *o)
{
	struct cell *row = table_row(t);
	cell_span(&row[COL_TYPE], o->type, t->mem);
	cell_span(&row[COL_OP], o->name, t->mem);
	if (o->kernel)
		cell_text(&row[COL_KERNEL], trace_str(derived_trace(d), o->kernel));
	if (!o->kernel)
		cell_int(&row[COL_OPS], o->n_ops);
	cell_int(&row[COL_RUNS], o->runs);
	cell_int(&row[COL_KERNELS], o->kernels);
	cell_int(&row[COL_TOTAL], o->total_ns);
	cell_real(&row[COL_AVG], (double)o->whole_ns / (double)o->runs);
	cell_text(&row[COL_VERDICT], o->whole_ns < o->runs * TINY_LOW_NS ? "below" : "within");
	cell_int(&row[COL_SHORT], o->short_kernels);
	cell_int(&row[COL_IDLE], o->launch_bound_ns + o->not_launched_ns);
	cell_int(&row[COL_BOUND], o->launch_bound_ns);
	cell_int(&row[COL_UNLAUNCHED], o->not_launched_ns);
	cell_int(&row[COL_CALL], o->call_ns);
	cell_pct(&row[COL_SHARE], o->total_ns, all->kernel_ns);
	cell_pct(&row[COL_COUNTPCT], o->kernels, all->kernels);
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
	t->sort_col = COL_IDLE;
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
	.first = COLUMN_LIST(COL_OP, COL_IDLE, COL_TOTAL, COL_AVG, COL_RUNS, COL_VERDICT, COL_KERNELS, COL_CALL,
			     COL_KERNEL, COL_TYPE),
	.report = {.intro = "kernels that take less time than the 20-40 us of a launch",
		   .brief = COLUMN_LIST(COL_TYPE, COL_OP, COL_KERNEL, COL_RUNS, COL_TOTAL, COL_AVG, COL_VERDICT,
					COL_IDLE)},
};
