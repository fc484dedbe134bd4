/* verdicts: why devices idled, gap by gap, the most time lost first. */
#include "idle_advice.h"
#include "verdicts_columns.h"
#include "verdict.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>

TABLE_DECL(verdicts);

/* So many idle intervals of devices get a verdict, the longest ones; all gaps between steps do. */
enum { MOST_IDLE = 1000 };

static const struct column columns[] = {VERDICTS_COLUMNS(COLUMN_ROW)};

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
	cell_int(&row[COL_VERDICTS_GAP], g->id);
	cell_text(&row[COL_VERDICTS_SCOPE], step ? "step" : "device");
	cell_device(&row[COL_VERDICTS_DEVICE], t, g->device);
	cell_text(&row[COL_VERDICTS_BEFORE],
		  step ? derived_step(d, g->step_before)->label : trace_str(t, c->name[g->before]));
	cell_text(&row[COL_VERDICTS_AFTER],
		  step ? derived_step(d, g->step_after)->label : trace_str(t, c->name[g->after]));
	cell_int(&row[COL_VERDICTS_START_NS], g->start_ns);
	cell_int(&row[COL_VERDICTS_DUR_NS], g->dur_ns);
	cell_rank(&row[COL_VERDICTS_RANK], t, host);
	cell_host(&row[COL_VERDICTS_HOST], t, host);
}

static void verdict_cells(const struct derived *d, struct cell *row, const struct judged *j, struct arena *mem)
{
	const struct trace *t = derived_trace(d);
	const struct gap_verdict *v = &j->verdict;
	char label[128];
	cell_int(&row[COL_VERDICTS_LOST_NS], v->lost_ns);
	cell_int(&row[COL_VERDICTS_CAUSE_NS], v->cause_ns);
	cell_text(&row[COL_VERDICTS_CAUSE], cause_word(v->cause));
	if (v->cause != CAUSE_UNKNOWN)
		cell_real(&row[COL_VERDICTS_CONFIDENCE], v->confidence);
	cell_text(&row[COL_VERDICTS_WHAT], gap_verdict_sentence(d, &j->gap, v, mem));
	cell_text(&row[COL_VERDICTS_ADVICE], idle_advice(d, v->cause));
	int64_t unrecorded_ns = gap_unrecorded_ns(&j->gap, v);
	if (unrecorded_ns != UNKNOWN_I64 && j->gap.dur_ns > 0)
		cell_real(&row[COL_VERDICTS_UNRECORDED_PCT], 100.0 * (double)unrecorded_ns / (double)j->gap.dur_ns);
	cell_int(&row[COL_VERDICTS_DRAINED_UNTIL], gap_drained_until_ns(d, &j->gap, v));
	cell_int(&row[COL_VERDICTS_LAUNCHED_AHEAD], gap_launched_ahead_ns(d, &j->gap, v));
	cell_int(&row[COL_VERDICTS_THREADS_BUSY], v->evidence.busy.input + v->evidence.busy.other);
	if (v->thread != NONE_ID)
		cell_text(&row[COL_VERDICTS_THREAD],
			  arena_strdup(mem, trace_track_label(t, v->thread, label, sizeof label)));
	if (v->row == NONE_ID)
		return;
	cell_text(&row[COL_VERDICTS_MAIN_EVENT], trace_str(t, trace_columns(t)->name[v->row]));
	cell_int(&row[COL_VERDICTS_MAIN_EVENT_NS], v->row_ns);
	cell_int(&row[COL_VERDICTS_MAIN_EVENT_ID], v->row);
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
	.first =
		COLUMN_LIST(COL_VERDICTS_GAP, COL_VERDICTS_SCOPE, COL_VERDICTS_DEVICE, COL_VERDICTS_LOST_NS,
			    COL_VERDICTS_CAUSE, COL_VERDICTS_CAUSE_NS, COL_VERDICTS_CONFIDENCE, COL_VERDICTS_MAIN_EVENT,
			    COL_VERDICTS_MAIN_EVENT_NS, COL_VERDICTS_DUR_NS, COL_VERDICTS_BEFORE, COL_VERDICTS_AFTER),
};
