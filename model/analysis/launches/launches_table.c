/* launches: calls that launch device work, and how long the work waits for them; by op, kernel, thread or call. */
#include "launches_columns.h"
#include "launch_cells.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include <math.h>

TABLE_DECL(launches);

static const struct column columns[] = {LAUNCHES_COLUMNS(COLUMN_ROW)};
#define PLACE(id) [LAUNCH_CELL_##id] = COL_LAUNCHES_##id,
static const uint8_t places[] = {LAUNCH_CELLS(PLACE)};

static void put_names(struct table *t, struct cell *row, const struct launch_group *g, const struct derived *d)
{
	const struct trace *trace = derived_trace(d);
	char label[256];
	if (g->op != LAUNCH_MIXED && g->op_name.n)
		cell_text(&row[COL_LAUNCHES_OP], arena_strndup(t->mem, g->op_name.p, g->op_name.n));
	if (g->kernel != LAUNCH_MIXED)
		cell_text(&row[COL_LAUNCHES_KERNEL], trace_str(trace, g->kernel));
	if (g->device != LAUNCH_MIXED) {
		cell_device(&row[COL_LAUNCHES_DEVICE], trace, g->device);
		cell_host(&row[COL_LAUNCHES_HOST], trace, trace_device(trace, g->device)->host);
	}
	if (g->api != LAUNCH_MIXED && g->api != LAUNCH_NONE)
		cell_text(&row[COL_LAUNCHES_API], trace_str(trace, g->api));
	if (g->thread != LAUNCH_MIXED && g->thread != LAUNCH_NONE)
		cell_text(&row[COL_LAUNCHES_THREAD],
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
		launch_sum_cells(row, places, g);
		launch_call_cells(row, places, &all, all.order[i]);
		cell_int(&row[COL_LAUNCHES_LATENCYMIN], launch_latency_cells(row, places, &all, all.order[i]).min_ns);
		cell_pct(&row[COL_LAUNCHES_SHARE], g->launch_bound_ns, all.launch_bound_ns);
		put_evidence(t, d, g);
	}
	t->sort_col = COL_LAUNCHES_BOUND;
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
	.first = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_BOUND, COL_LAUNCHES_COUNT, COL_LAUNCHES_LATENCY50,
			     COL_LAUNCHES_LATENCY99, COL_LAUNCHES_KERNEL, COL_LAUNCHES_QUEUE, COL_LAUNCHES_CALL,
			     COL_LAUNCHES_UNLAUNCHED),
	.lead = 2,
	.report = {.intro = "by op, most idle time for launches first",
		   .brief = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_KERNEL, COL_LAUNCHES_COUNT,
					COL_LAUNCHES_LATENCY50, COL_LAUNCHES_LATENCY99, COL_LAUNCHES_QUEUE,
					COL_LAUNCHES_BOUND, COL_LAUNCHES_CALL),
		   .wide = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_KERNEL, COL_LAUNCHES_COUNT, COL_LAUNCHES_CALLS,
				       COL_LAUNCHES_CALL, COL_LAUNCHES_CALL50, COL_LAUNCHES_LATENCY50,
				       COL_LAUNCHES_LATENCY95, COL_LAUNCHES_LATENCY99, COL_LAUNCHES_QUEUE,
				       COL_LAUNCHES_BOUND, COL_LAUNCHES_UNLAUNCHED, COL_LAUNCHES_SHORT,
				       COL_LAUNCHES_GRAPHPCT)},
	.vs = {.key = COLUMN_LIST(COL_LAUNCHES_OP, COL_LAUNCHES_KERNEL),
	       .sums = COLUMN_LIST(COL_LAUNCHES_BOUND, COL_LAUNCHES_CALL, COL_LAUNCHES_COUNT)},
};
