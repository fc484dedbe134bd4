/* gap_groups: idle time that recurs, what it costs per step, and the step time when its work ran every k steps. */
#include "gap_groups.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(gap_groups);

/* clang-format off */
static const struct column columns[] = {
	{"gap_group", CELL_INT, UNIT_ID, "number in this list, the most time lost first"},
	{"scope", CELL_TEXT, UNIT_NONE, "step: between steps; device: inside steps, the 20,000 longest idle times of devices"},
	{"device", CELL_INT, UNIT_ID, "GPU number; empty: between markers of steps without device work"},
	{"place", CELL_TEXT, UNIT_NONE, "where it recurs: before which share of the steps, or between which works on the device"},
	{"count", CELL_INT, UNIT_COUNT, "gaps in the group"},
	{"of", CELL_INT, UNIT_COUNT, "steps of the window in which it could be: between steps the number of transitions on the device"},
	{"mean_ns", CELL_INT, UNIT_NS, "total_ns / count"},
	{"total_ns", CELL_INT, UNIT_NS, "length of all of them"},
	{"cause", CELL_TEXT, UNIT_NONE, "the class that costs the members the most time; of device groups the 12 longest are judged"},
	{"main_event", CELL_TEXT, UNIT_NONE, "event with the most time of its own among those of the cause, in the longest member"},
	{"lost_per_step_ns", CELL_INT, UNIT_NS, "lost_ns / of: time lost per step"},
	{"every_k", CELL_INT, UNIT_COUNT, "k of the what-if: that work runs in every k-th step only"},
	{"period_ns", CELL_INT, UNIT_NS, "mean time from step to step on the device, in the window"},
	{"period_every_k_ns", CELL_INT, UNIT_NS, "period_ns - lost_per_step_ns x (1 - 1/k)"},
	{"saved_pct", CELL_REAL, UNIT_PERCENT, "1 - period_every_k_ns / period_ns"},
	{"lost_ns", CELL_INT, UNIT_NS, "time that the verdict's events cost, over all members; empty: unknown"},
	{"confidence", CELL_REAL, UNIT_NONE, "0 to 1: mean over the members judged"},
	{"what", CELL_TEXT, UNIT_NONE, "one sentence about the longest member"},
	{"advice", CELL_TEXT, UNIT_NONE, "what to try, or what to record when nothing can be told"},
	{"longest_gap", CELL_INT, UNIT_ID, "number of that member: --gap N"},
	{"rank", CELL_INT, UNIT_ID, "rank of the distributed job"},
	{"host", CELL_TEXT, UNIT_NONE, "host of the device"},
	{"main_event_ns", CELL_INT, UNIT_NS, "time of its own that the main event has in the longest member"},
	{"cause_ns", CELL_INT, UNIT_NS, "time of the longest member in events of the cause, which is a class; empty when unknown"},
};
/* clang-format on */
enum {
	GROUP,
	SCOPE,
	DEVICE,
	PLACE,
	COUNT,
	OF,
	MEAN_NS,
	TOTAL_NS,
	CAUSE,
	MAIN_EVENT,
	PER_STEP,
	K,
	PERIOD_NS,
	PERIOD_EVERY_K_NS,
	SAVED_PCT,
	LOST_NS,
	CONFIDENCE,
	WHAT,
	ADVICE,
	LONGEST_GAP,
	RANK,
	HOST,
	MAIN_EVENT_NS,
	CAUSE_NS
};

static void place_cells(const struct derived *d, struct cell *row, const struct gap_group *g, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	uint32_t host = trace_track(t, trace_columns(t)->track[g->longest.after])->host;
	cell_text(&row[SCOPE], g->longest.scope == GAP_STEP ? "step" : "device");
	cell_device(&row[DEVICE], t, g->longest.device);
	cell_text(&row[PLACE], gap_group_place(d, g, mem));
	cell_int(&row[LONGEST_GAP], g->longest.id);
	cell_rank(&row[RANK], t, host);
	cell_host(&row[HOST], t, host);
}

static void count_cells(struct cell *row, const struct gap_group *g, uint32_t k)
{
	int64_t then_ns = gap_group_period_every_ns(g, k);
	cell_int(&row[COUNT], g->count);
	cell_int(&row[OF], g->of ? g->of : UNKNOWN_I64);
	cell_int(&row[MEAN_NS], g->total_ns / g->count);
	cell_int(&row[TOTAL_NS], g->total_ns);
	cell_int(&row[LOST_NS], g->lost_ns);
	cell_int(&row[PER_STEP], gap_group_per_step_ns(g));
	cell_int(&row[K], k);
	cell_int(&row[PERIOD_NS], g->period_ns);
	cell_int(&row[PERIOD_EVERY_K_NS], then_ns);
	if (then_ns != UNKNOWN_I64)
		cell_pct(&row[SAVED_PCT], g->period_ns - then_ns, g->period_ns);
}

static void verdict_cells(const struct derived *d, struct cell *row, const struct gap_group *g, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	const struct gap_verdict *v = &g->verdict;
	cell_text(&row[CAUSE], cause_word(v->cause));
	if (v->cause != CAUSE_UNKNOWN)
		cell_real(&row[CONFIDENCE], g->confidence);
	cell_text(&row[MAIN_EVENT], v->row != NONE_ID ? trace_str(t, trace_columns(t)->name[v->row]) : NULL);
	cell_int(&row[MAIN_EVENT_NS], v->row != NONE_ID ? v->row_ns : UNKNOWN_I64);
	cell_int(&row[CAUSE_NS], v->cause_ns);
	cell_text(&row[WHAT], gap_verdict_sentence(d, &g->longest, v, mem));
	cell_text(&row[ADVICE], cause_advice(v->cause));
}

static void add_row(const struct derived *d, struct table *out, const struct gap_group *g, uint32_t k)
{
	struct cell *row = table_row(out);
	row_id rows[3];
	uint32_t n = 0;
	cell_int(&row[GROUP], out->n_rows - 1);
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
	.first = COLUMN_LIST(GROUP, SCOPE, DEVICE, COUNT, TOTAL_NS, LOST_NS, CAUSE, CONFIDENCE, PLACE, PER_STEP,
			     PERIOD_NS, PERIOD_EVERY_K_NS, SAVED_PCT, K, MEAN_NS),
	.report =
		{.intro = "what if that work ran every k steps: period, and how much shorter; the most time lost first",
		 .brief = COLUMN_LIST(PLACE, CAUSE, COUNT, MEAN_NS, PER_STEP, K, PERIOD_NS, PERIOD_EVERY_K_NS,
				      SAVED_PCT),
		 .wide = COLUMN_LIST(GROUP, SCOPE, DEVICE, PLACE, COUNT, OF, MEAN_NS, TOTAL_NS, CAUSE, CONFIDENCE,
				     LOST_NS, PER_STEP, K, PERIOD_NS, PERIOD_EVERY_K_NS, SAVED_PCT, ADVICE, LONGEST_GAP,
				     MAIN_EVENT, MAIN_EVENT_NS)},
};
