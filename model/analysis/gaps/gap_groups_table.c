/* gap_groups: idle time that recurs, what it costs per step, and the step time when its work ran every k steps. */
#include "idle_advice.h"
#include "gap_groups_columns.h"
#include "gap_groups.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(gap_groups);

static const struct column columns[] = {GAP_GROUPS_COLUMNS(COLUMN_ROW)};

static void place_cells(const struct derived *d, struct cell *row, const struct gap_group *g, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	uint32_t host = trace_track(t, trace_columns(t)->track[g->longest.after])->host;
	cell_text(&row[COL_GAP_GROUPS_SCOPE], g->longest.scope == GAP_STEP ? "step" : "device");
	cell_device(&row[COL_GAP_GROUPS_DEVICE], t, g->longest.device);
	cell_text(&row[COL_GAP_GROUPS_PLACE], gap_group_place(d, g, mem));
	cell_int(&row[COL_GAP_GROUPS_LONGEST_GAP], g->longest.id);
	cell_rank(&row[COL_GAP_GROUPS_RANK], t, host);
	cell_host(&row[COL_GAP_GROUPS_HOST], t, host);
}

static void count_cells(struct cell *row, const struct gap_group *g, uint32_t k)
{
	int64_t then_ns = gap_group_period_every_ns(g, k);
	cell_int(&row[COL_GAP_GROUPS_COUNT], g->count);
	cell_int(&row[COL_GAP_GROUPS_POSSIBLE], g->of ? g->of : UNKNOWN_I64);
	cell_int(&row[COL_GAP_GROUPS_AVG_NS], g->total_ns / g->count);
	cell_int(&row[COL_GAP_GROUPS_TOTAL_NS], g->total_ns);
	cell_int(&row[COL_GAP_GROUPS_LOST_NS], g->lost_ns);
	cell_int(&row[COL_GAP_GROUPS_PER_STEP], gap_group_per_step_ns(g));
	cell_int(&row[COL_GAP_GROUPS_K], k);
	cell_int(&row[COL_GAP_GROUPS_PERIOD_NS], g->period_ns);
	cell_int(&row[COL_GAP_GROUPS_PERIOD_EVERY_K_NS], then_ns);
	if (then_ns != UNKNOWN_I64)
		cell_pct(&row[COL_GAP_GROUPS_SAVED_PCT], g->period_ns - then_ns, g->period_ns);
}

static void verdict_cells(const struct derived *d, struct cell *row, const struct gap_group *g, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	const struct gap_verdict *v = &g->verdict;
	cell_text(&row[COL_GAP_GROUPS_CAUSE], cause_word(v->cause));
	if (v->cause != CAUSE_UNKNOWN)
		cell_real(&row[COL_GAP_GROUPS_CONFIDENCE], g->confidence);
	cell_text(&row[COL_GAP_GROUPS_MAIN_EVENT],
		  v->row != NONE_ID ? trace_str(t, trace_columns(t)->name[v->row]) : NULL);
	cell_int(&row[COL_GAP_GROUPS_MAIN_EVENT_NS], v->row != NONE_ID ? v->row_ns : UNKNOWN_I64);
	cell_int(&row[COL_GAP_GROUPS_CAUSE_NS], v->cause_ns);
	cell_text(&row[COL_GAP_GROUPS_WHAT], gap_verdict_sentence(d, &g->longest, v, mem));
	cell_text(&row[COL_GAP_GROUPS_ADVICE], idle_advice(d, v->cause, v->row));
}

static void add_row(const struct derived *d, struct table *out, const struct gap_group *g, uint32_t k)
{
	struct cell *row = table_row(out);
	row_id rows[3];
	uint32_t n = 0;
	cell_int(&row[COL_GAP_GROUPS_GROUP], out->n_rows - 1);
	place_cells(d, row, g, out->mem);
	count_cells(row, g, k);
	verdict_cells(d, row, g, out->mem);
	if (g->verdict.row != NONE_ID)
		rows[n++] = g->verdict.row;
	rows[n++] = g->longest.before;
	rows[n++] = g->longest.after;
	table_evidence(out, g->longest.start_ns, g->longest.start_ns + g->longest.dur_ns, rows, n);
}

static struct table *run_gap_groups(const struct derived *d, const struct query *q, struct arena *mem,
				    struct progress *p, struct err *e)
{
	struct table *out = table_new(mem, &gap_groups_desc);
	struct gap_groups groups = gap_groups_find(d, q, mem);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < groups.n; i++)
		add_row(d, out, &groups.at[i], q->every_k ? q->every_k : EVERY_K);
	if (!progress_cancelled(p))
		return out;
	err_usage(e, "cancelled");
	return NULL;
}

const struct table_desc gap_groups_desc = {
	.name = "gap_groups",
	.title = "Recurring gaps",
	.help = "idle time that recurs, and the step time without it",
	TABLE_COLUMNS(columns),
	.run = run_gap_groups,
	.first = COLUMN_LIST(COL_GAP_GROUPS_GROUP, COL_GAP_GROUPS_SCOPE, COL_GAP_GROUPS_DEVICE, COL_GAP_GROUPS_COUNT,
			     COL_GAP_GROUPS_TOTAL_NS, COL_GAP_GROUPS_LOST_NS, COL_GAP_GROUPS_CAUSE,
			     COL_GAP_GROUPS_CONFIDENCE, COL_GAP_GROUPS_PLACE, COL_GAP_GROUPS_PER_STEP,
			     COL_GAP_GROUPS_PERIOD_NS, COL_GAP_GROUPS_PERIOD_EVERY_K_NS, COL_GAP_GROUPS_SAVED_PCT,
			     COL_GAP_GROUPS_K, COL_GAP_GROUPS_AVG_NS),
	.report =
		{.intro = "what if that work ran every k steps: period, and how much shorter; the most time lost first",
		 .brief = COLUMN_LIST(COL_GAP_GROUPS_PLACE, COL_GAP_GROUPS_CAUSE, COL_GAP_GROUPS_COUNT,
				      COL_GAP_GROUPS_PER_STEP, COL_GAP_GROUPS_K, COL_GAP_GROUPS_PERIOD_NS,
				      COL_GAP_GROUPS_PERIOD_EVERY_K_NS, COL_GAP_GROUPS_SAVED_PCT),
		 .wide = COLUMN_LIST(COL_GAP_GROUPS_GROUP, COL_GAP_GROUPS_SCOPE, COL_GAP_GROUPS_DEVICE,
				     COL_GAP_GROUPS_PLACE, COL_GAP_GROUPS_COUNT, COL_GAP_GROUPS_POSSIBLE,
				     COL_GAP_GROUPS_AVG_NS, COL_GAP_GROUPS_TOTAL_NS, COL_GAP_GROUPS_CAUSE,
				     COL_GAP_GROUPS_CONFIDENCE, COL_GAP_GROUPS_LOST_NS, COL_GAP_GROUPS_PER_STEP,
				     COL_GAP_GROUPS_K, COL_GAP_GROUPS_PERIOD_NS, COL_GAP_GROUPS_PERIOD_EVERY_K_NS,
				     COL_GAP_GROUPS_SAVED_PCT, COL_GAP_GROUPS_ADVICE, COL_GAP_GROUPS_LONGEST_GAP,
				     COL_GAP_GROUPS_MAIN_EVENT, COL_GAP_GROUPS_MAIN_EVENT_NS)},
	.vs = {.key = COLUMN_LIST(COL_GAP_GROUPS_SCOPE, COL_GAP_GROUPS_RANK, COL_GAP_GROUPS_DEVICE,
				  COL_GAP_GROUPS_PLACE),
	       .sums = COLUMN_LIST(COL_GAP_GROUPS_TOTAL_NS, COL_GAP_GROUPS_COUNT, COL_GAP_GROUPS_LOST_NS)},
};
