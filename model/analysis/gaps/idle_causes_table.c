/* idle_causes: why each device was idle, one row per cause: every ns of its idle time once, and what removing it would win. */
#include "idle_causes_columns.h"
#include "idle_advice.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/derived/gaps.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/names/kernel_name.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/idle.h"
#include "model/analysis/steps/step_phase.h"
#include "model/query.h"
#include "model/table.h"
#include <stdlib.h>

TABLE_DECL(idle_causes);

static const struct column columns[] = {IDLE_CAUSES_COLUMNS(COLUMN_ROW)};

/* Which steps a device has: of derived_step_devices. */
struct device_own {
	uint32_t steps_from, steps_to;
};
/* What is known of one device. Moments: where its work and its steps start and end. */
struct device_idle {
	const struct derived *d;
	const struct query *q;
	const struct idle_extents *extents;
	struct idles *idles;
	uint32_t device;
	struct device_own own;
	int64_t first_ns, last_ns; /* of its work */
	int64_t begin_ns, end_ns;  /* of its work and its steps */
	int64_t watched_busy_ns, watched_idle_ns;
	int64_t steady_ns; /* start of the first steady step; INT64_MIN: start-up is not known */
	struct idle_split all;
	int64_t between_ns[CAUSE_COUNT], startup_idle_ns[CAUSE_COUNT], edge_ns[CAUSE_COUNT], startup_ns[CAUSE_COUNT],
		gap_ns[CAUSE_COUNT];
};

/* ---- where steps lie ------------------------------------------------------------------------------------------------- */

static void look_at_step(struct device_idle *x, uint32_t step)
{
	int64_t a_ns, b_ns;
	/* of the time of a step that is there in part nobody knows what the device did */
	if (step_is_part(x->d, x->q, step))
		return;
	step_time(x->d, step, x->device, &a_ns, &b_ns);
	x->begin_ns = earlier(x->begin_ns, a_ns);
	x->end_ns = later(x->end_ns, b_ns);
	if (!x->q->all_steps && (x->steady_ns == INT64_MIN || a_ns < x->steady_ns) &&
	    derived_step_phase(x->d, step) == PHASE_STEADY)
		x->steady_ns = a_ns;
}

static void look_at_steps(struct device_idle *x)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(x->d, &n);
	idle_extent(x->d, x->device, &x->first_ns, &x->last_ns);
	x->begin_ns = x->first_ns;
	x->end_ns = x->last_ns;
	x->steady_ns = INT64_MIN;
	for (uint32_t i = x->own.steps_from; i < x->own.steps_to; i++)
		look_at_step(x, parts[i].step);
	query_clip(x->q, &x->begin_ns, &x->end_ns);
}

/* ---- parts ----------------------------------------------------------------------------------------------------------- */

static void add_between(struct device_idle *x, int64_t a_ns, int64_t b_ns, int64_t sums[CAUSE_COUNT])
{
	struct idle_split s;
	if (a_ns >= b_ns)
		return;
	idle_between(x->idles, x->device, a_ns, b_ns, &s);
	for (int i = 0; i < CAUSE_COUNT; i++)
		sums[i] += s.part[i].ns;
}

/* Where the times of a gap's causes go, one after the other in the order of causes; and the cause with most, of equal ones the first. */
struct gap_sums {
	int64_t *ns;
	enum cause most;
	int64_t most_ns;
};

static void add_cause(struct gap_sums *s, enum cause cause, int64_t ns)
{
	s->ns[cause] += ns;
	if (ns <= s->most_ns)
		return;
	s->most = cause;
	s->most_ns = ns;
}

static void add_gap_sums(const struct device_idle *x, const struct step_gap *g, struct gap_sums *sums)
{
	struct idle_split s;
	const struct idle_kept *kept = g->part != NONE_ID ? x->extents->between[g->part] : NULL;
	if (!kept)
		idle_between(x->idles, x->device, g->start_ns, g->end_ns, &s);
	for (uint32_t left = kept ? idle_kept_causes(kept) : (1u << CAUSE_COUNT) - 1; left; left &= left - 1) {
		enum cause cause = (enum cause)__builtin_ctz(left);
		add_cause(sums, cause, kept ? idle_kept_ns(kept, cause) : s.part[cause].ns);
	}
}

/* Gaps between steps whose cause loses the whole gap win what else is in them, too. */
static void look_at_gap(struct device_idle *x, const struct step_gap *g)
{
	struct gap_sums s = {.ns = x->between_ns, .most = CAUSE_UNKNOWN};
	add_gap_sums(x, g, &s);
	if (cause_loses(s.most) == LOSES_GAP && g->start_ns >= x->steady_ns)
		x->gap_ns[s.most] += query_clipped_ns(x->q, g->start_ns, g->end_ns) - s.most_ns;
}

static void look_at_gaps(struct device_idle *x)
{
	uint32_t n;
	const struct step_gaps all = derived_step_gaps(x->d);
	const uint32_t *own = derived_step_gaps_of(x->d, x->device, &n);
	for (uint32_t i = 0; i < n; i++) {
		const struct step_gap g = step_gap_of(&all, own[i]);
		if (g.start_ns < x->q->b_ns && g.end_ns > x->q->a_ns)
			look_at_gap(x, &g);
	}
}

static void take_apart(struct device_idle *x)
{
	bool starts = x->steady_ns != INT64_MIN;
	int64_t started_ns = starts ? earlier(later(x->begin_ns, x->steady_ns), x->first_ns) : x->begin_ns;
	add_between(x, x->begin_ns, started_ns, x->startup_ns);
	add_between(x, started_ns, x->first_ns, x->edge_ns);
	add_between(x, x->last_ns, x->end_ns, x->edge_ns);
	x->startup_ns[CAUSE_UNKNOWN] = x->edge_ns[CAUSE_UNKNOWN] = 0; /* work that is not in the file may run there */
	x->startup_ns[CAUSE_HELD] = x->edge_ns[CAUSE_HELD] = 0;
	if (starts)
		add_between(x, x->first_ns, earlier(x->steady_ns, x->end_ns), x->startup_idle_ns);
	look_at_gaps(x);
	x->watched_busy_ns =
		intervals_within(derived_busy_device(x->d, x->device), later(x->begin_ns, x->steady_ns), x->end_ns);
	for (int i = 0; i < CAUSE_COUNT; i++)
		x->watched_idle_ns += x->all.part[i].ns + x->edge_ns[i] - x->startup_idle_ns[i];
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

static int64_t watched_ns(const struct device_idle *x)
{
	int64_t from_ns = later(x->begin_ns, x->steady_ns);
	return from_ns < x->end_ns ? derived_watched_ns(x->d, x->device, from_ns, x->end_ns) : 0;
}

static void event_cells(const struct derived *d, struct cell *row, const struct idle_part *p, struct arena *mem)
{
	if (p->row == NONE_ID)
		return;
	cell_text(&row[COL_IDLE_CAUSES_MAIN_EVENT],
		  kernel_name_full(mem, trace_str(derived_trace(d), derived_columns(d)->name[p->row])));
	cell_int(&row[COL_IDLE_CAUSES_STRETCH_NS], p->row_ns);
	cell_int(&row[COL_IDLE_CAUSES_MAIN_EVENT_ID], p->row);
}

static void stream_cell(const struct derived *d, struct cell *row, row_id work, struct arena *mem)
{
	char label[96];
	uint32_t stream = derived_columns(d)->track[work];
	cell_text(&row[COL_IDLE_CAUSES_HELD_STREAM],
		  arena_strdup(mem, trace_track_label(derived_trace(d), stream, label, sizeof label)));
}

static void cause_row(struct table *out, const struct device_idle *x, enum cause cause)
{
	const struct trace *t = derived_trace(x->d);
	const struct idle_part *p = &x->all.part[cause];
	int64_t now_ns = p->ns + x->edge_ns[cause] - x->startup_idle_ns[cause] + x->gap_ns[cause];
	if (!p->ns && !x->edge_ns[cause])
		return;
	struct cell *row = table_row(out);
	cell_device(&row[COL_IDLE_CAUSES_DEVICE], t, x->device);
	cell_text(&row[COL_IDLE_CAUSES_CAUSE], cause_word(cause));
	cell_int(&row[COL_IDLE_CAUSES_IDLE_NS], p->ns);
	cell_int(&row[COL_IDLE_CAUSES_LOST_NS], cause_loses(cause) == LOSES_NOTHING ? UNKNOWN_I64 : now_ns);
	cell_pct(&row[COL_IDLE_CAUSES_LOST_PCT], now_ns, watched_ns(x));
	cell_int(&row[COL_IDLE_CAUSES_WATCHED_NS], watched_ns(x));
	cell_int(&row[COL_IDLE_CAUSES_WATCHED_IDLE_NS], x->watched_idle_ns);
	cell_pct(&row[COL_IDLE_CAUSES_WATCHED_BUSY_PCT], x->watched_busy_ns, x->watched_busy_ns + x->watched_idle_ns);
	cell_int(&row[COL_IDLE_CAUSES_BETWEEN_NS], x->between_ns[cause]);
	cell_int(&row[COL_IDLE_CAUSES_EDGE_NS], x->edge_ns[cause]);
	cell_int(&row[COL_IDLE_CAUSES_STARTUP_NS],
		 x->steady_ns == INT64_MIN ? UNKNOWN_I64 : x->startup_ns[cause] + x->startup_idle_ns[cause]);
	if (cause != CAUSE_UNKNOWN && p->ns)
		cell_real(&row[COL_IDLE_CAUSES_CONFIDENCE], (double)p->trusted / 100.0 / (double)p->ns);
	event_cells(x->d, row, p, out->mem);
	cell_int(&row[COL_IDLE_CAUSES_LONGEST_NS], p->most_ns);
	if (cause == CAUSE_HELD && p->row != NONE_ID)
		stream_cell(x->d, row, p->row, out->mem);
	cell_text(&row[COL_IDLE_CAUSES_ADVICE], idle_advice(x->d, cause, p->row));
	cell_rank(&row[COL_IDLE_CAUSES_RANK], t, trace_device(t, x->device)->host);
	cell_host(&row[COL_IDLE_CAUSES_HOST], t, trace_device(t, x->device)->host);
	table_evidence(out, p->a_ns, p->b_ns, &p->row, p->row != NONE_ID);
}

static void device_rows(struct table *out, struct device_idle *x)
{
	bool done[CAUSE_COUNT] = {false};
	look_at_steps(x);
	take_apart(x);
	for (int n = 0; n < CAUSE_COUNT; n++) {
		int most = -1;
		for (int i = 0; i < CAUSE_COUNT; i++)
			if (!done[i] && (most < 0 || x->all.part[i].ns > x->all.part[most].ns))
				most = i;
		done[most] = true;
		cause_row(out, x, (enum cause)most);
	}
}

static void steps_of_devices(const struct derived *d, struct device_own *own)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(d, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (!i || parts[i - 1].device != parts[i].device)
			own[parts[i].device].steps_from = i;
		own[parts[i].device].steps_to = i + 1;
	}
}

static struct table *run_idle_causes(const struct derived *d, const struct query *q, struct arena *mem,
				     struct progress *p, struct err *e)
{
	struct table *out = table_new(mem, &idle_causes_desc);
	table_reserve(out, trace_devices(derived_trace(d))); /* at least */
	const struct idle_extents *extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!extents)
		return NULL;
	struct arena work = {0};
	uint32_t devices = trace_devices(derived_trace(d));
	struct device_own *own = arena_alloc(&work, (devices + (size_t)1) * sizeof *own);
	struct idles *idles = idles_new(d, q, NONE_ID);
	int64_t a_ns, b_ns;
	steps_of_devices(d, own);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	for (uint32_t i = 0; i < devices && !progress_cancelled(p); i++)
		if (idle_extent(d, i, &a_ns, &b_ns) && a_ns < q->b_ns && b_ns > q->a_ns)
			device_rows(out, &(struct device_idle){.d = d,
							       .q = q,
							       .extents = extents,
							       .idles = idles,
							       .device = i,
							       .own = own[i],
							       .all = extents->of[i]});
	idles_free(idles);
	arena_free(&work);
	if (!progress_cancelled(p))
		return out;
	err_usage(e, "cancelled");
	return NULL;
}

const struct table_desc idle_causes_desc = {
	.name = "idle_causes",
	.title = "Idle causes",
	.help = "why each device was idle, by cause, and what removing the cause would save",
	TABLE_COLUMNS(columns),
	.run = run_idle_causes,
	.first = COLUMN_LIST(COL_IDLE_CAUSES_DEVICE, COL_IDLE_CAUSES_CAUSE, COL_IDLE_CAUSES_IDLE_NS,
			     COL_IDLE_CAUSES_LOST_NS, COL_IDLE_CAUSES_LOST_PCT, COL_IDLE_CAUSES_CONFIDENCE,
			     COL_IDLE_CAUSES_LONGEST_NS, COL_IDLE_CAUSES_MAIN_EVENT, COL_IDLE_CAUSES_BETWEEN_NS),
	.lead = 3,
	.vs = {.key = COLUMN_LIST(COL_IDLE_CAUSES_RANK, COL_IDLE_CAUSES_DEVICE, COL_IDLE_CAUSES_CAUSE),
	       .sums = COLUMN_LIST(COL_IDLE_CAUSES_IDLE_NS, COL_IDLE_CAUSES_LOST_NS)},
};
