/* launches: calls that launch device work, and how long the work waits for them; by op, kernel, thread or call. */
#include "launch_cells.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include <math.h>

TABLE_DECL(launches);

/* clang-format off */
#define LAUNCH_COLUMNS(_) \
	_(OP,         "op",             TEXT, NONE,    "framework op of the work; null where it is unknown or a row has several") \
	_(KERNEL,     "kernel",         TEXT, NONE,    "kernel or copy; names rows whose op is unknown; null where a row has several") \
	_(COUNT,      "count",          INT,  COUNT,   "kernels, copies and sets that start inside the window") \
	_(CALL,       "call_ns",        INT,  NS,      "time of the calls that launched them, clipped to the window") \
	_(LATENCY50,  "latency_p50_ns", INT,  NS,      "median of: begin of the call until its first work starts; nearest rank") \
	_(LATENCY99,  "latency_p99_ns", INT,  NS,      "the same, 99th percentile") \
	_(QUEUE,      "queue_max",      INT,  COUNT,   "most calls of the stream that had begun and whose work had not started when one of these calls began, itself included") \
	_(BOUND,      "launch_bound_ns", INT, NS,      "time in which the device did nothing and that ends with this work: from the begin of its call until 20 us after the call's end") \
	_(SHARE,      "share_pct",      REAL, PERCENT, "share of launch_bound_ns of all rows") \
	_(UNLAUNCHED, "not_launched_ns", INT, NS,      "time in which the device did nothing and that ends with this work: before its call began") \
	_(LATENCYMIN, "latency_min_ns", INT,  NS,      "shortest latency") \
	_(LATENCY95,  "latency_p95_ns", INT,  NS,      "95th percentile of the latency") \
	_(LATENCYMAX, "latency_max_ns", INT,  NS,      "longest latency") \
	_(CALLS,      "calls",          INT,  COUNT,   "launch calls whose first work starts inside the window") \
	_(CALL50,     "call_p50_ns",    INT,  NS,      "median length of the calls") \
	_(CALL99,     "call_p99_ns",    INT,  NS,      "99th percentile of the length of the calls") \
	_(CALLFAR,    "call_far_ns",    INT,  NS,      "by how much calls longer than ten times their median exceed it, added up: full queues, hidden waits, code that is loaded first") \
	_(WORK,       "work_ns",        INT,  NS,      "time of the work, clipped to the window") \
	_(WORK50,     "work_p50_ns",    INT,  NS,      "median length of the work") \
	_(SHORT,      "short",          INT,  COUNT,   "calls that took longer than the work they launched") \
	_(GRAPHPCT,   "graph_pct",      REAL, PERCENT, "share of the work that graph launches started") \
	_(UNKNOWN,    "no_launch",      INT,  COUNT,   "work whose launch call is not recorded") \
	_(EARLY,      "early",          INT,  COUNT,   "work that starts before its call: clocks disagree; counts as a latency of 0") \
	_(API,        "api",            TEXT, NONE,    "the call; null where a row has several") \
	_(THREAD,     "thread",         TEXT, NONE,    "the launching thread; null where a row has several") \
	_(DEVICE,     "device",         INT,  NONE,    "the device; null where a row has several")
/* clang-format on */
enum {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	LAUNCH_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	LAUNCH_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};
static const uint8_t places[] = {LAUNCH_CELLS(LAUNCH_CELL_AT)};

static void put_names(struct table *t, struct cell *row, const struct launch_group *g, const struct derived *d)
{
	const struct trace *trace = derived_trace(d);
	char label[256];
	if (g->op != LAUNCH_MIXED && g->op_name.n)
		cell_text(&row[COL_OP], arena_strndup(t->mem, g->op_name.p, g->op_name.n));
	if (g->kernel != LAUNCH_MIXED)
		cell_text(&row[COL_KERNEL], trace_str(trace, g->kernel));
	if (g->device != LAUNCH_MIXED)
		cell_device(&row[COL_DEVICE], trace, g->device);
	if (g->api != LAUNCH_MIXED && g->api != LAUNCH_NONE)
		cell_text(&row[COL_API], trace_str(trace, g->api));
	if (g->thread != LAUNCH_MIXED && g->thread != LAUNCH_NONE)
		cell_text(&row[COL_THREAD],
			  arena_printf(t->mem, "%s", trace_track_label(trace, g->thread, label, sizeof label)));
}

static void put_evidence(struct table *t, const struct derived *d, const struct launch_group *g)
{
	const struct columns *c = trace_columns(derived_trace(d));
	row_id rows[2];
	if (g->longest == NONE_ID)
		return;
	rows[0] = g->longest;
	rows[1] = c->link[g->longest];
	uint32_t n = rows[1] == NONE_ID ? 1 : 2;
	table_evidence(t, c->start_ns[rows[n - 1]], c->start_ns[rows[0]] + c->dur_ns[rows[0]], rows, n);
}

static struct table *run_launches(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct launch_groups all;
	if (!launch_groups_make(d, q, mem, p, &all, e))
		return NULL;
	struct table *t = table_new(mem, &launches_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	table_reserve(t, all.n);
	for (uint32_t i = 0; i < all.n; i++) {
		const struct launch_group *g = &all.at[all.order[i]];
		struct cell *row = table_row(t);
		put_names(t, row, g, d);
		cell_int(&row[COL_LATENCYMIN], launch_cells(row, places, &all, all.order[i]).min_ns);
		cell_pct(&row[COL_SHARE], g->launch_bound_ns, all.launch_bound_ns);
		put_evidence(t, d, g);
	}
	launch_groups_free(&all);
	t->sort_col = COL_BOUND;
	t->sort_desc = true;
	return t;
}

const struct table_desc launches_desc = {
	.name = "launches",
	.title = "Launches",
	.help = "launch calls: how long they take, how long work waits for them, and what the device idled for them",
	TABLE_COLUMNS(columns),
	.by = launch_by_word,
	.run = run_launches,
	.first = COLUMN_LIST(COL_OP, COL_BOUND, COL_COUNT, COL_LATENCY50, COL_LATENCY99, COL_KERNEL, COL_QUEUE,
			     COL_CALL, COL_UNLAUNCHED),
	.report = {.intro = "by op, most idle time for launches first",
		   .brief = COLUMN_LIST(COL_OP, COL_KERNEL, COL_COUNT, COL_LATENCY50, COL_LATENCY99, COL_QUEUE,
					COL_BOUND, COL_CALL),
		   .wide = COLUMN_LIST(COL_OP, COL_KERNEL, COL_COUNT, COL_CALLS, COL_CALL, COL_CALL50, COL_LATENCY50,
				       COL_LATENCY95, COL_LATENCY99, COL_QUEUE, COL_BOUND, COL_UNLAUNCHED, COL_SHORT,
				       COL_GRAPHPCT)},
};
