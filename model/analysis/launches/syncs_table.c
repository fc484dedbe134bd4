/* syncs: calls in which the host waits for a device, and the idle time around those that find it with nothing left to do. */
#include "syncs_columns.h"
#include "syncs.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(syncs);

static const struct column columns[] = {SYNCS_COLUMNS(COLUMN_ROW)};

static void put_group(struct table *t, const struct derived *d, const struct sync_group *g)
{
	const struct trace *trace = derived_trace(d);
	struct cell *row = table_row(t);
	cell_text(&row[COL_SYNCS_NAME], trace_str(trace, g->name));
	if (g->op.n)
		cell_text(&row[COL_SYNCS_OP], arena_strndup(t->mem, g->op.p, g->op.n));
	if (g->device != NONE_ID) {
		cell_rank(&row[COL_SYNCS_RANK], trace, trace_device(trace, g->device)->host);
		cell_host(&row[COL_SYNCS_HOST], trace, trace_device(trace, g->device)->host);
		cell_device(&row[COL_SYNCS_DEVICE], trace, g->device);
		cell_int(&row[COL_SYNCS_WAITED], g->waited_ns);
		cell_int(&row[COL_SYNCS_DRAINED], g->drained);
		cell_int(&row[COL_SYNCS_DRAINED_IDLE], g->idle_ns);
		cell_int(&row[COL_SYNCS_LEAD], g->lead_ns);
	}
	if (g->overflow)
		cell_text(&row[COL_SYNCS_ASKS], "overflow check");
	cell_int(&row[COL_SYNCS_COUNT], g->count);
	cell_int(&row[COL_SYNCS_TOTAL], g->total_ns);
	if (g->count) {
		cell_real(&row[COL_SYNCS_AVG], (double)g->whole_ns / (double)g->count);
		cell_int(&row[COL_SYNCS_MAX], g->max_ns);
	}
	table_evidence(t, 0, 0, &g->worst, 1);
}

static struct table *run_syncs(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	struct syncs all;
	if (!syncs_make(d, q, mem, p, &all, e))
		return NULL;
	struct table *t = table_new(mem, &syncs_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	for (uint32_t i = 0; i < all.n; i++)
		put_group(t, d, &all.at[i]);
	t->sort_col = COL_SYNCS_DRAINED_IDLE;
	t->sort_desc = true;
	return t;
}

const struct table_desc syncs_desc = {
	.name = "syncs",
	.title = "Synchronisation",
	.help = "calls in which the host waits for a device, and the idle time they cause",
	TABLE_COLUMNS(columns),
	.run = run_syncs,
	.first = COLUMN_LIST(COL_SYNCS_NAME, COL_SYNCS_OP, COL_SYNCS_DEVICE, COL_SYNCS_DRAINED_IDLE, COL_SYNCS_LEAD,
			     COL_SYNCS_ASKS, COL_SYNCS_COUNT, COL_SYNCS_TOTAL, COL_SYNCS_DRAINED, COL_SYNCS_WAITED),
	.report = {.intro = "calls in which the host waits for a device",
		   .brief = COLUMN_LIST(COL_SYNCS_NAME, COL_SYNCS_OP, COL_SYNCS_DEVICE, COL_SYNCS_COUNT,
					COL_SYNCS_TOTAL, COL_SYNCS_DRAINED, COL_SYNCS_DRAINED_IDLE)},
	.vs = {.key = COLUMN_LIST(COL_SYNCS_OP, COL_SYNCS_NAME), .sums = COLUMN_LIST(COL_SYNCS_TOTAL, COL_SYNCS_COUNT)},
};
