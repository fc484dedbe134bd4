/* verdicts: why devices idled, gap by gap, the most time lost first. There may be one for each of many steps: all are judged in one
 * sweep, 32 bytes are kept of each, and the sentence with its evidence is told again when it is read. */
#include "why.h"
#include "verdicts_columns.h"
#include "verdict.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/steps/idle.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

TABLE_DECL(verdicts);

/* So many idle intervals of devices get a verdict, the longest ones; all gaps between steps do. */
enum { MOST_IDLE = 1000 };

static const struct column columns[] = {VERDICTS_COLUMNS(COLUMN_ROW)};

/* The main event. */
struct told_event {
	int64_t row_ns;
	uint32_t thread;
	row_id row;
};
struct judged {
	int64_t dur_ns, cause_ns;
	double confidence;
	uint32_t id;
	uint32_t cause : 6;
	uint32_t alone : 1; /* it is the gap of the trace's only device */
	uint32_t told : 25; /* place of the event + 1; 0: it is found when it is read first */
};
_Static_assert(CAUSE_COUNT <= 1 << 6, "a cause needs its bits");
enum { TOLD_MOST = (1 << 25) - 1 };
struct listing {
	const struct derived *d;
	const struct table *table;
	struct judged *at;
	uint32_t n, n_told;
	struct told_event *told;
	const char **labels; /* of the threads, each when it is first read */
};

static int64_t lost_ns(const struct judged *j)
{
	return gap_lost_ns((enum cause)j->cause, j->cause_ns, j->dur_ns);
}

/* What is lost, else the gap's length. */
static int64_t weight_ns(const struct judged *j)
{
	int64_t ns = lost_ns(j);
	return ns == UNKNOWN_I64 ? j->dur_ns : ns;
}

static int by_loss(const void *x, const void *y)
{
	const struct judged *a = x, *b = y;
	int64_t a_ns = weight_ns(a), b_ns = weight_ns(b);
	if (a_ns != b_ns)
		return a_ns < b_ns ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static struct told_event event_of(const struct gap_verdict *v)
{
	return (struct told_event){v->row_ns, v->thread, v->row};
}

static void keep_event(struct listing *l, struct judged *j, const struct gap_verdict *v)
{
	if (j->told || l->n_told == TOLD_MOST)
		return;
	l->told = arena_next_row(l->table->mem, l->told, l->n_told, sizeof *l->told);
	l->told[l->n_told++] = event_of(v);
	j->told = l->n_told & TOLD_MOST;
}

static struct judged judged_as(const struct listing *l, uint32_t id, uint32_t device, int64_t dur_ns,
			       const struct gap_verdict *v)
{
	return (struct judged){.dur_ns = dur_ns,
			       .cause_ns = v->cause_ns,
			       .confidence = v->confidence,
			       .id = id,
			       .cause = (uint32_t)v->cause & 63,
			       .alone = device == 0 && trace_devices(derived_trace(l->d)) == 1};
}

static bool judge_step_gap(const struct listing *l, const struct gap_judge *judge, uint32_t id,
			   const struct step_gap *g, struct judged *out)
{
	struct gap_verdict v;
	if (!gap_judge_step_sums(judge, g, &v))
		return false;
	*out = judged_as(l, id, g->device, g->end_ns - g->start_ns, &v);
	return true;
}

/* steps: the gaps between steps, which have the first ids. */
static void judge_one(struct listing *l, struct gap_judge *judge, uint32_t id, const struct step_gaps *steps,
		      struct judged *out)
{
	struct gap_verdict v;
	struct gap g;
	if (id < steps->n) {
		const struct step_gap between = step_gap_of(steps, id);
		if (judge_step_gap(l, judge, id, &between, out))
			return;
	}
	derived_gap_at(l->d, id, &g);
	gap_judge_verdict(judge, &g, &v);
	*out = judged_as(l, id, g.device, g.dur_ns, &v);
	keep_event(l, out, &v);
}

/* Read by one thread at a time, like the table. */
static struct told_event event_at(const struct listing *l, uint32_t i)
{
	struct listing *w = (struct listing *)l;
	struct judged *j = &l->at[i];
	struct gap g;
	struct gap_verdict v;
	if (j->told)
		return l->told[j->told - 1];
	if (!derived_gap_at(l->d, j->id, &g))
		return (struct told_event){0, NONE_ID, NONE_ID};
	gap_verdict_of(l->d, &g, &v);
	keep_event(w, j, &v);
	return event_of(&v);
}

/* ---- parts of a row ------------------------------------------------------------------------------------------------------ */

static const char *scope_word(enum gap_scope scope)
{
	return scope == GAP_STEP ? "step" : "device";
}

/* What all readers ask first. */
static void make_span(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	struct gap_span span = derived_gap_span(l->d, l->at[i].id);
	cell_device(&out->cells[COL_VERDICTS_DEVICE], derived_trace(l->d), derived_gap_lane(l->d, span.id).device);
	cell_text(&out->cells[COL_VERDICTS_SCOPE], scope_word(span.scope));
	cell_int(&out->cells[COL_VERDICTS_START_NS], span.start_ns);
	cell_int(&out->cells[COL_VERDICTS_DUR_NS], span.dur_ns);
}

static void make_cause(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct judged *j = &l->at[i];
	struct cell *row = out->cells;
	enum cause cause = (enum cause)j->cause;
	cell_text(&row[COL_VERDICTS_CAUSE], cause_word(cause));
	cell_int(&row[COL_VERDICTS_CAUSE_NS], j->cause_ns);
	cell_int(&row[COL_VERDICTS_LOST_NS], lost_ns(j));
	if (cause != CAUSE_UNKNOWN)
		cell_real(&row[COL_VERDICTS_CONFIDENCE], j->confidence);
}

/* first: what is known of the trace's first device. */
static int64_t device_of(const struct derived *d, const struct judged *j, int64_t first)
{
	return j->alone ? first : device_known(derived_trace(d), derived_gap_lane(d, j->id).device);
}

/* What rules read of all rows, column by column. */
static void numbers_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, int64_t *out)
{
	const struct listing *l = ctx;
	const struct judged *at = l->at;
	int64_t first = device_known(derived_trace(l->d), 0);
	for (uint32_t i = 0; column == COL_VERDICTS_CAUSE_NS && i < n; i++)
		out[i] = at[rows[i]].cause_ns;
	for (uint32_t i = 0; column == COL_VERDICTS_LOST_NS && i < n; i++)
		out[i] = lost_ns(&at[rows[i]]);
	for (uint32_t i = 0; column == COL_VERDICTS_DEVICE && i < n; i++)
		out[i] = device_of(l->d, &at[rows[i]], first);
	for (uint32_t i = 0; column == COL_VERDICTS_START_NS && i < n; i++)
		out[i] = derived_gap_span(l->d, at[rows[i]].id).start_ns;
	for (uint32_t i = 0; column == COL_VERDICTS_DUR_NS && i < n; i++)
		out[i] = at[rows[i]].dur_ns;
}

static void texts_in(const void *ctx, const uint32_t *rows, uint32_t n, uint32_t column, const char **out)
{
	const struct listing *l = ctx;
	uint32_t steps = derived_step_gap_count(l->d); /* gaps between steps have the first ids */
	for (uint32_t i = 0; i < n; i++) {
		const struct judged *j = &l->at[rows[i]];
		out[i] = column == COL_VERDICTS_CAUSE ? cause_word((enum cause)j->cause)
						      : scope_word(j->id < steps ? GAP_STEP : GAP_DEVICE);
	}
}

static void make_place(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct trace *t = derived_trace(l->d);
	const struct columns *c = trace_columns(t);
	struct cell *row = out->cells;
	struct gap g;
	derived_gap_at(l->d, l->at[i].id, &g);
	bool step = g.scope == GAP_STEP;
	uint32_t host = trace_track(t, c->track[g.after])->host;
	cell_int(&row[COL_VERDICTS_GAP], g.id);
	cell_text(&row[COL_VERDICTS_BEFORE],
		  step ? derived_step(l->d, g.step_before)->label : trace_str(t, c->name[g.before]));
	cell_text(&row[COL_VERDICTS_AFTER],
		  step ? derived_step(l->d, g.step_after)->label : trace_str(t, c->name[g.after]));
	cell_rank(&row[COL_VERDICTS_RANK], t, host);
	cell_host(&row[COL_VERDICTS_HOST], t, host);
}

/* Read by one thread at a time, like the table. */
static const char *label_of(const struct listing *l, uint32_t track)
{
	struct listing *w = (struct listing *)l;
	const struct trace *t = derived_trace(l->d);
	char label[128];
	if (!w->labels)
		w->labels = arena_alloc(l->table->mem, (trace_tracks(t) + (size_t)1) * sizeof *w->labels);
	if (!w->labels[track])
		w->labels[track] = arena_strdup(l->table->mem, trace_track_label(t, track, label, sizeof label));
	return w->labels[track];
}

static void make_event(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct told_event told = event_at(l, i);
	const struct trace *t = derived_trace(l->d);
	struct cell *row = out->cells;
	enum cause cause = (enum cause)l->at[i].cause;
	if (told.thread != NONE_ID)
		cell_text(&row[COL_VERDICTS_THREAD], label_of(l, told.thread));
	if (told.row == NONE_ID)
		return;
	if (cause == CAUSE_HELD)
		cell_text(&row[COL_VERDICTS_HELD_STREAM], label_of(l, trace_columns(t)->track[told.row]));
	cell_text(&row[COL_VERDICTS_MAIN_EVENT], trace_str(t, trace_columns(t)->name[told.row]));
	cell_int(&row[COL_VERDICTS_MAIN_EVENT_NS], told.row_ns);
	cell_int(&row[COL_VERDICTS_MAIN_EVENT_ID], told.row);
}

static void make_advice(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct judged *j = &l->at[i];
	const row_id row = event_at(l, i).row;
	struct gap g;
	derived_gap_at(l->d, j->id, &g);
	cell_text(&out->cells[COL_VERDICTS_ADVICE], gap_advice(l->d, &g, (enum cause)j->cause, row));
}

static void make_evidence(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const row_id row = event_at(l, i).row;
	struct gap g;
	derived_gap_at(l->d, l->at[i].id, &g);
	out->evidence = (struct evidence){g.start_ns, g.start_ns + g.dur_ns, out->events, 0, NULL};
	if (row != NONE_ID)
		out->events[out->evidence.n++] = row;
	out->events[out->evidence.n++] = g.before;
	out->events[out->evidence.n++] = g.after;
}

static void make_words(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	struct cell *row = out->cells;
	struct gap g;
	struct gap_verdict v;
	derived_gap_at(l->d, l->at[i].id, &g);
	gap_verdict_of(l->d, &g, &v);
	keep_event((struct listing *)l, &l->at[i], &v); /* read by one thread at a time, like the table */
	cell_text(&row[COL_VERDICTS_WHAT], gap_verdict_sentence(l->d, &g, &v, l->table->mem));
	int64_t unrecorded_ns = gap_unrecorded_ns(&g, &v);
	if (unrecorded_ns != UNKNOWN_I64 && g.dur_ns > 0)
		cell_real(&row[COL_VERDICTS_UNRECORDED_PCT], 100.0 * (double)unrecorded_ns / (double)g.dur_ns);
	cell_int(&row[COL_VERDICTS_DRAINED_UNTIL], gap_drained_until_ns(l->d, &g, &v));
	cell_int(&row[COL_VERDICTS_LAUNCHED_AHEAD], gap_launched_ahead_ns(l->d, &g, &v));
	cell_int(&row[COL_VERDICTS_THREADS_BUSY], v.evidence.busy.input + v.evidence.busy.other);
}

#define BITS(a, b, c) (PART_BIT(a) | PART_BIT(b) | PART_BIT(c))
static const struct row_part row_parts[] = {
	{make_span,
	 BITS(COL_VERDICTS_SCOPE, COL_VERDICTS_START_NS, COL_VERDICTS_DUR_NS) | PART_BIT(COL_VERDICTS_DEVICE), false},
	{make_place,
	 BITS(COL_VERDICTS_GAP, COL_VERDICTS_BEFORE, COL_VERDICTS_AFTER) | PART_BIT(COL_VERDICTS_RANK) |
		 PART_BIT(COL_VERDICTS_HOST),
	 false},
	{make_cause,
	 BITS(COL_VERDICTS_CAUSE, COL_VERDICTS_CAUSE_NS, COL_VERDICTS_LOST_NS) | PART_BIT(COL_VERDICTS_CONFIDENCE),
	 false},
	{make_event,
	 PART_BIT(COL_VERDICTS_THREAD) |
		 BITS(COL_VERDICTS_MAIN_EVENT, COL_VERDICTS_MAIN_EVENT_NS, COL_VERDICTS_MAIN_EVENT_ID) |
		 PART_BIT(COL_VERDICTS_HELD_STREAM),
	 false},
	{make_advice, PART_BIT(COL_VERDICTS_ADVICE), false},
	{make_words,
	 BITS(COL_VERDICTS_WHAT, COL_VERDICTS_UNRECORDED_PCT, COL_VERDICTS_DRAINED_UNTIL) |
		 PART_BIT(COL_VERDICTS_LAUNCHED_AHEAD) | PART_BIT(COL_VERDICTS_THREADS_BUSY),
	 true},
	{make_evidence, 0, false},
};

/* ---- all of them --------------------------------------------------------------------------------------------------------- */

static bool judge_all(struct listing *l, const struct gap_pick *pick, const struct idle_extents *known,
		      struct progress *p)
{
	const struct step_gaps steps = derived_step_gaps(l->d);
	struct gap_judge *judge = gap_judge_new(l->d, pick->a_ns, pick->b_ns);
	gap_judge_knows(judge, known);
	for (; l->n < pick->n && !progress_cancelled(p); l->n++)
		judge_one(l, judge, pick->ids[l->n], &steps, &l->at[l->n]);
	gap_judge_free(judge);
	if (l->n)
		sort_if_needed(l->at, l->n, sizeof *l->at, by_loss);
	return l->n == pick->n;
}

static struct table *run_verdicts(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
				  struct err *e)
{
	struct table *out = table_new(mem, &verdicts_desc);
	struct listing *l = arena_alloc(mem, sizeof *l);
	struct arena work = {0};
	struct gap_pick pick = gap_pick(d, q, MOST_IDLE, &work);
	*l = (struct listing){.d = d, .table = out, .at = arena_room(mem, (pick.n + (size_t)1) * sizeof *l->at)};
	pages_take(l->at, pick.n * sizeof *l->at);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	const struct idle_extents *known =
		shared_fits(q) && !q->filter ? shared_part(&idle_extents_part, d, q, mem, p, e) : NULL;
	bool all = judge_all(l, &pick, known, p);
	table_made_parts(out, l->n, row_parts, sizeof row_parts / sizeof *row_parts, l);
	table_made_numbers(out, numbers_in,
			   BITS(COL_VERDICTS_DEVICE, COL_VERDICTS_START_NS, COL_VERDICTS_DUR_NS) |
				   PART_BIT(COL_VERDICTS_CAUSE_NS) | PART_BIT(COL_VERDICTS_LOST_NS));
	table_made_texts(out, texts_in, PART_BIT(COL_VERDICTS_SCOPE) | PART_BIT(COL_VERDICTS_CAUSE));
	arena_free(&work);
	if (all && !progress_cancelled(p))
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
	.vs = {.why_not = "single gaps have none: idle_causes has their sums, gap_groups those that recur"},
};
