/* verdicts: why devices idled, gap by gap, the most time lost first. */
#include "verdict.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>

TABLE_DECL(verdicts);

/* So many idle intervals of devices get a verdict, the longest ones; all gaps between steps do. */
enum { MOST_IDLE = 1000 };

/* clang-format off */
static const struct column columns[] = {
	{"gap", CELL_INT, UNIT_ID, "number of the gap: --gap N, gap:N. All gaps between steps, and of the other idle times of devices the 1,000 longest"},
	{"scope", CELL_TEXT, UNIT_NONE, "step: between the device work of two steps; device: nothing runs there, inside a step"},
	{"device", CELL_INT, UNIT_ID, "GPU number; empty: between markers of steps without device work"},
	{"before", CELL_TEXT, UNIT_NONE, "step before the gap; for scope device the work before it"},
	{"after", CELL_TEXT, UNIT_NONE, "step after the gap; for scope device the work after it"},
	{"dur_ns", CELL_INT, UNIT_NS, "length of the whole gap"},
	{"lost_ns", CELL_INT, UNIT_NS, "time of the gap that the verdict's events fill; host work outside the graph costs all of it; empty: unknown. Ranked by it, unknown ones by their length"},
	{"cause", CELL_TEXT, UNIT_NONE, "the class that collects the most trust x time among the events of the gap; unknown below a tenth of it"},
	{"confidence", CELL_REAL, UNIT_NONE, "0 to 1: how sure the names are (rules/causes.rules) x the share of the gap that they fill; empty: unknown"},
	{"main_event", CELL_TEXT, UNIT_NONE, "the event with the most time of its own (self time) among those of the cause; when unknown the launching thread's largest one"},
	{"cause_ns", CELL_INT, UNIT_NS, "time of the gap in events of the cause, which is a class; empty when unknown"},
	{"thread", CELL_TEXT, UNIT_NONE, "where that event ran"},
	{"what", CELL_TEXT, UNIT_NONE, "the verdict in one sentence"},
	{"advice", CELL_TEXT, UNIT_NONE, "what to try, or what to record when nothing can be told"},
	{"start_ns", CELL_INT, UNIT_NS, "end of the last device work before"},
	{"rank", CELL_INT, UNIT_ID, "rank of the distributed job"},
	{"host", CELL_TEXT, UNIT_NONE, "host of the device"},
	{"main_event_id", CELL_INT, UNIT_ID, "id of the event in column main_event"},
	{"threads_busy", CELL_INT, UNIT_COUNT, "other threads busy while the launching one recorded nothing; looked at where its own events explain less than half"},
	{"main_event_ns", CELL_INT, UNIT_NS, "time of its own that the main event has inside the gap, until the work after it is launched"},
};
/* clang-format on */
enum {
	GAP,
	SCOPE,
	DEVICE,
	BEFORE,
	AFTER,
	DUR_NS,
	LOST_NS,
	CAUSE,
	CONFIDENCE,
	MAIN_EVENT,
	CAUSE_NS,
	THREAD,
	WHAT,
	ADVICE,
	START_NS,
	RANK,
	HOST,
	MAIN_EVENT_ID,
	THREADS_BUSY,
	MAIN_EVENT_NS
};

struct judged {
	struct gap gap;
	struct gap_verdict verdict;
};

static int64_t weight(const struct judged *j)
{
	return j->verdict.lost_ns != UNKNOWN_I64 ? j->verdict.lost_ns : j->gap.dur_ns;
}

static int by_loss(const void *x, const void *y)
{
	const struct judged *a = x, *b = y;
	if (weight(a) != weight(b))
		return weight(a) < weight(b) ? 1 : -1;
	return (a->gap.id > b->gap.id) - (a->gap.id < b->gap.id);
}

static void place_cells(const struct derived *d, struct cell *row, const struct gap *g)
{
	const struct trace *t = derived_trace(d);
	const struct columns *c = trace_columns(t);
	bool step = g->scope == GAP_STEP;
	uint32_t host = trace_track(t, c->track[g->after])->host;
	cell_int(&row[GAP], g->id);
	cell_text(&row[SCOPE], step ? "step" : "device");
	cell_device(&row[DEVICE], t, g->device);
	cell_text(&row[BEFORE], step ? derived_step(d, g->step_before)->label : trace_str(t, c->name[g->before]));
	cell_text(&row[AFTER], step ? derived_step(d, g->step_after)->label : trace_str(t, c->name[g->after]));
	cell_int(&row[START_NS], g->start_ns);
	cell_int(&row[DUR_NS], g->dur_ns);
	cell_rank(&row[RANK], t, host);
	cell_host(&row[HOST], t, host);
}

static void verdict_cells(const struct derived *d, struct cell *row, const struct judged *j, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	const struct gap_verdict *v = &j->verdict;
	char label[128];
	cell_int(&row[LOST_NS], v->lost_ns);
	cell_int(&row[CAUSE_NS], v->cause_ns);
	cell_text(&row[CAUSE], cause_word(v->cause));
	if (v->cause != CAUSE_UNKNOWN)
		cell_real(&row[CONFIDENCE], v->confidence);
	cell_text(&row[WHAT], gap_verdict_sentence(d, &j->gap, v, mem));
	cell_text(&row[ADVICE], cause_advice(v->cause));
	cell_int(&row[THREADS_BUSY], v->evidence.input_threads + v->evidence.other_threads);
	if (v->thread != NONE_ID)
		cell_text(&row[THREAD], arena_strdup(mem, trace_track_label(t, v->thread, label, sizeof label)));
	if (v->row == NONE_ID)
		return;
	cell_text(&row[MAIN_EVENT], trace_str(t, trace_columns(t)->name[v->row]));
	cell_int(&row[MAIN_EVENT_NS], v->row_ns);
	cell_int(&row[MAIN_EVENT_ID], v->row);
}

static void add_row(const struct derived *d, struct table *out, const struct judged *j)
{
	struct cell *row = table_row(out);
	row_id rows[3];
	uint32_t n = 0;
	place_cells(d, row, &j->gap);
	verdict_cells(d, row, j, out->mem);
	if (j->verdict.row != NONE_ID)
		rows[n++] = j->verdict.row;
	rows[n++] = j->gap.before;
	rows[n++] = j->gap.after;
	table_evidence(out, j->gap.start_ns, j->gap.start_ns + j->gap.dur_ns, rows, n);
}

static struct table *run_verdicts(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct table *out = table_new(mem, &verdicts_desc);
	struct arena work = {0};
	struct gap_pick pick = gap_pick(d, q, MOST_IDLE, &work);
	struct judged *judged = arena_alloc(&work, (pick.n + (size_t)1) * sizeof *judged);
	uint32_t n = 0;
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (; n < pick.n && !progress_cancelled(p); n++) {
		derived_gap_at(d, pick.ids[n], &judged[n].gap);
		gap_verdict_of(d, &judged[n].gap, &judged[n].verdict);
	}
	qsort(judged, n, sizeof *judged, by_loss);
	for (uint32_t i = 0; i < n; i++)
		add_row(d, out, &judged[i]);
	arena_free(&work);
	if (!progress_cancelled(p))
		return out;
	err_usage(e, "cancelled");
	return NULL;
}

const struct table_desc verdicts_desc = {
	.name = "verdicts",
	.title = "Verdicts",
	.help = "why devices idled, gap by gap, with evidence and confidence",
	TABLE_COLUMNS(columns),
	.run = run_verdicts,
	.first = COLUMN_LIST(GAP, SCOPE, DEVICE, LOST_NS, CAUSE, CAUSE_NS, CONFIDENCE, MAIN_EVENT, MAIN_EVENT_NS,
			     DUR_NS, BEFORE, AFTER),
};
