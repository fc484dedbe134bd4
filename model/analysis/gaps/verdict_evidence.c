/* What happened during a gap, collected once for every verdict. */
#include "verdict.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/shares.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

enum {
	TRUST_FRAME = 60,    /* nothing but Python frames */
	TRUST_OUTSIDE = 60,  /* no rule knows the name, but it lies outside every step marker */
	FRAME_PCT = 80,      /* a rule that matches a frame's file or function instead of a range or an op */
	TRUST_HANDED = 45,   /* a collective handed over quickly */
	TRUST_DISPATCH = 50, /* less: an op handed over by the host, see DISPATCH_NS */
	DISPATCH_NS = 1000000,
	MARKERS_MAX = 64,
	THREADS_PCT = 50 /* share of a hole that makes a thread busy over it */
};

static void main_event(struct cause_share *s, row_id row, int64_t ns)
{
	if (ns <= s->row_ns)
		return;
	s->row = row;
	s->row_ns = ns;
}

static void share_add(struct cause_share *s, row_id owner, int64_t ns, int trust)
{
	s->ns += ns;
	s->trusted += (__int128)ns * trust;
	s->run_ns = owner == s->run_owner ? s->run_ns + ns : ns;
	s->run_owner = owner;
	if (s->run_ns > s->owner_ns) {
		s->owner = owner;
		s->owner_ns = s->run_ns;
	}
}

/* Of an event in which nothing else is. */
static void share_add_alone(struct cause_share *s, row_id row, int64_t ns, int trust)
{
	share_add(s, row, ns, trust);
	main_event(s, row, ns);
}

/* ---- where step markers lie ------------------------------------------------------------------------------------------ */

struct marks {
	struct interval at[MARKERS_MAX];
	uint32_t n;
	bool any;      /* the host has markers at all */
	bool on_track; /* one of them lies on the thread itself */
};

static bool host_has_markers(const struct derived *d, uint32_t from, uint32_t host)
{
	for (uint32_t i = from; i < derived_steps(d) && i < from + MARKERS_MAX && derived_step(d, i)->host == host; i++)
		if (derived_step(d, i)->marker != NONE_ID)
			return true;
	return false;
}

/* First step of the list (by host, start) that begins at `ts` or later on the host. */
static uint32_t steps_from(const struct derived *d, uint32_t host, int64_t ts_ns)
{
	uint32_t lo = 0, hi = derived_steps(d);
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct step *s = derived_step(d, mid);
		if (s->host < host || (s->host == host && s->start_ns < ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Markers of the process that meet [a, b), latest first. */
static void marks_of(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct marks *out)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	uint32_t end = steps_from(d, k->host, b_ns), back = end > MARKERS_MAX ? end - MARKERS_MAX : 0;
	out->n = 0;
	out->on_track = false;
	out->any = host_has_markers(d, steps_from(d, k->host, INT64_MIN), k->host);
	for (uint32_t i = end; i-- > back && derived_step(d, i)->host == k->host;) {
		const struct step *s = derived_step(d, i);
		if (s->marker == NONE_ID || s->process != k->process || s->end_ns <= a_ns)
			continue;
		out->at[out->n++] = (struct interval){s->start_ns, s->end_ns};
		out->on_track |= derived_columns(d)->track[s->marker] == track;
	}
}

static int64_t inside_marks(const struct marks *m, int64_t a_ns, int64_t b_ns)
{
	int64_t ns = 0;
	for (uint32_t i = 0; i < m->n; i++)
		ns += later(0, earlier(b_ns, m->at[i].b_ns) - later(a_ns, m->at[i].a_ns));
	return earlier(ns, b_ns - a_ns);
}

/* ---- one thread ------------------------------------------------------------------------------------------------------- */

/* Who owns the time of an open event: itself or, when that one is trusted more, an event around it. */
struct owner {
	row_id row;
	struct name_cause cause;
	enum cause own_class; /* of the open event itself: the class its time went to last, */
	int64_t own_ns;       /* and how much of it */
};
struct sweep {
	struct innermost m;
	const struct derived *d;
	struct gap_evidence *out;
	struct cause_share *shares;
	const struct marks *marks;
	bool launching;
	int64_t last_ns; /* launching thread: end of what was recorded last */
	struct owner *owners;
	uint32_t cap;
	int64_t worker_ns;
};

static bool is_verdict(struct name_cause c)
{
	return (c.section > CAUSE_UNKNOWN && c.section < CAUSE_COUNT) || c.section == CAUSE_INPUT_WORKER ||
	       c.section == CAUSE_COMM_CALL;
}

static struct name_cause cause_of_row(const struct derived *d, row_id r)
{
	struct name_cause c = cause_of_name(d, derived_columns(d)->name[r]);
	if (derived_columns(d)->kind[r] == KIND_OVERHEAD && !is_verdict(c))
		return (struct name_cause){CAUSE_PROFILER, 95};
	if (derived_columns(d)->kind[r] == KIND_PYTHON)
		c.trust = (uint8_t)(c.trust * FRAME_PCT / 100);
	return c;
}

/* Frames stay open while their thread waits; they tell something where the program's main thread has them. */
static bool frames_count(const struct sweep *s)
{
	return s->launching || s->marks->on_track;
}

static void opened(void *arg, uint32_t row, uint32_t at)
{
	struct sweep *s = arg;
	GROW_ARRAY(s->owners, at, s->cap);
	struct owner *o = &s->owners[at];
	*o = at ? s->owners[at - 1] : (struct owner){.row = NONE_ID};
	o->own_ns = 0;
	struct name_cause own = cause_of_row(s->d, row);
	if (row_is_marker(s->d, row))
		*o = (struct owner){.row = NONE_ID};
	else if (derived_columns(s->d)->kind[row] == KIND_PYTHON && (!frames_count(s) || own.section == CAUSE_PYTHON))
		return; /* a frame that is just Python owns nothing: the innermost one says more */
	else if (is_verdict(own) && own.trust >= o->cause.trust)
		*o = (struct owner){.row = row, .cause = own};
}

static void close_own(struct sweep *s, struct owner *open, row_id row)
{
	main_event(&s->shares[open->own_class], row, open->own_ns);
	open->own_ns = 0;
}

/* Time of the innermost open event, which `owner` gives its class. */
static void add_time(struct sweep *s, enum cause c, row_id owner, int64_t ns, int trust)
{
	struct owner *open = &s->owners[s->m.n - 1];
	share_add(&s->shares[c], owner, ns, trust);
	if (open->own_class != c)
		close_own(s, open, s->m.stack[s->m.n - 1].id);
	open->own_class = c;
	open->own_ns += ns;
}

/* Time of events that no rule knows: outside every marker it is work outside the graph. */
static void add_unclassed(struct sweep *s, row_id row, int64_t a_ns, int64_t b_ns)
{
	if (derived_columns(s->d)->kind[row] == KIND_PYTHON) {
		if (!frames_count(s))
			return;
		add_time(s, CAUSE_PYTHON, row, b_ns - a_ns, TRUST_FRAME);
		return;
	}
	int64_t outside = b_ns - a_ns - inside_marks(s->marks, a_ns, b_ns);
	bool nothing = cause_of_name(s->d, derived_columns(s->d)->name[row]).section == SAYS_NOTHING;
	if (s->marks->any && outside > 0 && !nothing && s->launching)
		add_time(s, CAUSE_HOST_WORK, row, outside, TRUST_OUTSIDE);
}

static void add_owned(struct sweep *s, const struct owner *o, int64_t ns)
{
	if (o->cause.section == CAUSE_COMM_CALL && ns <= DISPATCH_NS)
		add_time(s, CAUSE_PYTHON, o->row, ns, TRUST_HANDED);
	else if (o->cause.section == CAUSE_COMM_CALL)
		add_time(s, CAUSE_COMMUNICATION, o->row, ns, o->cause.trust);
	else if (o->cause.section != CAUSE_INPUT_WORKER)
		add_time(s, (enum cause)o->cause.section, o->row, ns, o->cause.trust);
	else if (s->launching)
		add_time(s, CAUSE_INPUT, o->row, ns, o->cause.trust);
	else
		s->worker_ns += ns;
}

static void note_hole(struct sweep *s, int64_t until_ns)
{
	if (until_ns - s->last_ns <= s->out->hole_b_ns - s->out->hole_a_ns)
		return;
	s->out->hole_a_ns = s->last_ns;
	s->out->hole_b_ns = until_ns;
}

/* What partly overlaps may outlive an event that began before it: then the owner is sought among those still open. */
static struct owner owner_at(const struct sweep *s, int64_t ts_ns)
{
	struct owner found = s->owners[s->m.n - 1];
	if (found.row == NONE_ID || row_end(derived_columns(s->d), found.row) > ts_ns)
		return found;
	found = (struct owner){.row = NONE_ID};
	for (uint32_t i = 0; i < s->m.n; i++) {
		row_id row = s->m.stack[i].id;
		struct owner o = s->owners[i];
		if (s->m.stack[i].end_ns <= ts_ns)
			continue;
		if (row_is_marker(s->d, row))
			found = (struct owner){.row = NONE_ID};
		else if (o.row == row && o.cause.trust >= found.cause.trust)
			found = o;
	}
	return found;
}

static bool takes_longer(const struct owner *o)
{
	return o->cause.section == CAUSE_PYTHON && o->cause.trust < TRUST_DISPATCH;
}

static void add_piece(struct sweep *s, row_id row, int64_t a_ns, int64_t b_ns)
{
	while (a_ns < b_ns) {
		struct owner o = owner_at(s, a_ns);
		int64_t end_ns = o.row != NONE_ID ? earlier(b_ns, row_end(derived_columns(s->d), o.row)) : b_ns;
		if (o.row == NONE_ID || (takes_longer(&o) && end_ns - a_ns > DISPATCH_NS))
			add_unclassed(s, row, a_ns, end_ns);
		else
			add_owned(s, &o, end_ns - a_ns);
		a_ns = end_ns;
	}
}

static void piece(void *arg, uint32_t row, int64_t a_ns, int64_t b_ns)
{
	struct sweep *s = arg;
	if (row_is_marker(s->d, row))
		return;
	if (s->launching) {
		note_hole(s, a_ns);
		s->last_ns = b_ns;
		s->out->recorded_ns += b_ns - a_ns;
	}
	add_piece(s, row, a_ns, b_ns);
}

static void done(void *arg, uint32_t row, int64_t self_ns)
{
	struct sweep *s = arg;
	if (s->launching && self_ns > s->out->largest.ns && !row_is_marker(s->d, row))
		s->out->largest = (struct cause_share){.ns = self_ns, .row = row, .row_ns = self_ns, .owner = row};
	close_own(s, &s->owners[s->m.n], row);
}

/* Adds what the thread does in [a, b) to its shares; gives the time it spends preparing input for others. */
static int64_t sweep_thread(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, bool launching,
			    struct gap_evidence *out)
{
	struct marks marks;
	marks_of(d, track, a_ns, b_ns, &marks);
	struct sweep s = {.d = d,
			  .out = out,
			  .shares = launching ? out->own : out->others,
			  .marks = &marks,
			  .launching = launching,
			  .last_ns = a_ns};
	s.m = (struct innermost){.piece = piece, .done = done, .opened = opened, .arg = &s};
	self_time_sweep(d, track, a_ns, b_ns, &s.m);
	if (launching)
		note_hole(&s, b_ns);
	free(s.owners);
	return s.worker_ns;
}

/* A call that waits for the device and began before the gap: it ends inside, so nothing was queued behind it. */
static row_id drained_at(const struct derived *d, uint32_t track, int64_t a_ns, int64_t until_ns)
{
	row_id found = NONE_ID;
	for (row_id r = trace_innermost(derived_trace(d), track, a_ns); r != NONE_ID; r = parent_of(d, r))
		if (cause_of_name(d, derived_columns(d)->name[r]).section == CAUSE_SYNC &&
		    derived_columns(d)->start_ns[r] < a_ns && row_end(derived_columns(d), r) <= until_ns)
			found = r;
	return found;
}

/* The item() that asks for the overflow flag has no name of its own, but stands right behind the kernel that sets it. */
static void asks_for_overflow(const struct derived *d, struct gap_evidence *out, const struct gap *g)
{
	enum { BACK = 64 };
	struct cause_share *sync = &out->own[CAUSE_SYNC];
	row_id from = sync->ns ? sync->owner : out->drained;
	if (from == NONE_ID || from == 0)
		return;
	uint64_t first = trace_track(derived_trace(d), out->thread)->first;
	for (row_id r = from, n = 0; r-- > first && n < BACK; n++) {
		struct name_cause c = cause_of_name(d, derived_columns(d)->name[r]);
		if (c.section != CAUSE_LOSS_SCALING || derived_columns(d)->kind[r] != KIND_OP ||
		    derived_columns(d)->start_ns[r] < g->start_ns - g->dur_ns - 20000000)
			continue;
		struct cause_share *loss = &out->own[CAUSE_LOSS_SCALING];
		share_add(loss, from, sync->ns, c.trust);
		main_event(loss, sync->row, sync->row_ns);
		*sync = (struct cause_share){.row = NONE_ID, .owner = NONE_ID};
		out->asks_overflow = from;
		return;
	}
}

/* ---- the other threads ------------------------------------------------------------------------------------------------ */

/* Work that keeps a core busy: no marker, no Python frame (frames stay open while their thread waits), no waiting call. */
static bool keeps_busy(const struct derived *d, row_id r)
{
	uint8_t section = cause_of_name(d, derived_columns(d)->name[r]).section;
	return derived_columns(d)->kind[r] != KIND_PYTHON && derived_columns(d)->kind[r] != KIND_PROFILE &&
	       !row_is_marker(d, r) && section != CAUSE_SYNC && section != CAUSE_WAITING && section != SAYS_NOTHING;
}

/* Threads that launch for other devices share no core by being many: each has its own work. */
static bool launches(const struct derived *d, uint32_t track)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(d)); i++)
		if (derived_launch_track(d, i) == track)
			return true;
	return false;
}

static void look_at_busy(const struct derived *d, uint32_t track, struct gap_evidence *out)
{
	struct bin bin;
	int64_t span = out->hole_b_ns - out->hole_a_ns;
	if (span <= 0)
		return;
	trace_bins(derived_trace(d), track, 0, out->hole_a_ns, span, 1, &bin);
	if (!share_at_least(bin.busy_ns, span, THREADS_PCT) || bin.longest == NONE_ID || !keeps_busy(d, bin.longest))
		return;
	uint8_t section = cause_of_name(d, derived_columns(d)->name[bin.longest]).section;
	bool input = section == CAUSE_INPUT_WORKER || section == CAUSE_INPUT || cause_input_thread(d, track);
	if (!input && launches(d, track))
		return;
	out->input_threads += input;
	out->other_threads += !input;
	out->busy_ns = later(out->busy_ns, bin.busy_ns);
	if (out->busy_row == NONE_ID ||
	    derived_columns(d)->dur_ns[bin.longest] > derived_columns(d)->dur_ns[out->busy_row])
		out->busy_row = bin.longest;
}

static bool has_events(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns)
{
	struct event_iter it = event_iter(derived_trace(d), track, a_ns, b_ns, KINDS_ALL);
	return event_next(&it);
}

static void look_at_threads(const struct derived *d, int64_t a_ns, struct gap_evidence *out)
{
	const struct track_info *own = trace_track(derived_trace(d), out->thread);
	for (uint32_t i = 0; i < trace_tracks(derived_trace(d)); i++) {
		const struct track_info *k = trace_track(derived_trace(d), i);
		if (i == out->thread || k->host != own->host || !derived_is_host_track(k) || k->kind != TRACK_THREAD ||
		    !has_events(d, i, a_ns, out->until_ns))
			continue;
		look_at_busy(d, i, out);
		if (k->process == own->process && !cause_input_thread(d, i))
			sweep_thread(d, i, a_ns, out->until_ns, false, out);
	}
}

/* ---- devices and the profiler --------------------------------------------------------------------------------------- */

static void look_at_collectives(const struct derived *d, const struct gap *g, struct gap_evidence *out)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(d, g->device, &n);
	int64_t end_ns = g->start_ns + g->dur_ns;
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(derived_trace(d), tracks[i], g->start_ns, end_ns,
						  KIND_BIT(KIND_KERNEL) | KIND_BIT(KIND_DEVICE_OTHER));
		while (tracks[i] != g->track && event_next(&it))
			if (derived_is_collective(d, it.row))
				share_add_alone(&out->collective, it.row,
						earlier(end_ns, row_end(derived_columns(d), it.row)) -
							later(g->start_ns, derived_columns(d)->start_ns[it.row]),
						90);
	}
	out->collective.ns = earlier(out->collective.ns, g->dur_ns);
}

static void look_at_profiler(const struct derived *d, const struct gap *g, uint32_t host, struct gap_evidence *out)
{
	uint32_t n;
	const row_id *rows = cause_overheads(d, &n);
	int64_t end_ns = g->start_ns + g->dur_ns, seen_ns = g->start_ns;
	for (uint32_t i = 0; i < n && derived_columns(d)->start_ns[rows[i]] < end_ns; i++) {
		int64_t a_ns = later(seen_ns, derived_columns(d)->start_ns[rows[i]]),
			b_ns = earlier(end_ns, row_end(derived_columns(d), rows[i]));
		if (b_ns <= a_ns || trace_track(derived_trace(d), derived_columns(d)->track[rows[i]])->host != host ||
		    cause_of_row(d, rows[i]).section != CAUSE_PROFILER)
			continue;
		share_add_alone(&out->profiler, rows[i], b_ns - a_ns, 95);
		seen_ns = b_ns;
	}
}

/* ---- all of it --------------------------------------------------------------------------------------------------------- */

/* The host has its part in the gap until it has launched the work after it. */
static void bound_host(const struct derived *d, const struct gap *g, struct gap_evidence *out)
{
	row_id launch = g->device != NONE_ID ? derived_columns(d)->link[g->after] : NONE_ID;
	int64_t end_ns = g->start_ns + g->dur_ns;
	out->until_ns = launch != NONE_ID ? earlier(end_ns, row_end(derived_columns(d), launch)) : end_ns;
	out->launched_before = out->until_ns <= g->start_ns;
}

static void start_empty(struct gap_evidence *out, const struct gap *g)
{
	memset(out, 0, sizeof *out);
	for (int i = 0; i < CAUSE_COUNT; i++)
		out->own[i] = out->others[i] = (struct cause_share){.row = NONE_ID, .owner = NONE_ID};
	out->largest = out->collective = out->profiler = out->own[0];
	out->busy_row = out->drained = out->asks_overflow = NONE_ID;
	out->hole_a_ns = out->hole_b_ns = g->start_ns;
}

static bool mostly_explained(const struct gap_evidence *e, int64_t dur_ns)
{
	__int128 best = e->profiler.trusted;
	for (int i = 0; i < CAUSE_COUNT; i++)
		best = e->own[i].trusted > best ? e->own[i].trusted : best;
	return best >= (__int128)dur_ns * 50;
}

static void look_at_host(const struct derived *d, const struct gap *g, struct gap_evidence *out)
{
	if (out->launched_before)
		return;
	sweep_thread(d, out->thread, g->start_ns, out->until_ns, true, out);
	out->drained = drained_at(d, out->thread, g->start_ns, out->until_ns);
	asks_for_overflow(d, out, g);
	if (!mostly_explained(out, g->dur_ns))
		look_at_threads(d, g->start_ns, out);
}

void gap_evidence_of(const struct derived *d, const struct gap *g, struct gap_evidence *out)
{
	start_empty(out, g);
	out->thread = gap_thread(d, g);
	bound_host(d, g, out);
	look_at_profiler(d, g, trace_track(derived_trace(d), derived_columns(d)->track[g->after])->host, out);
	if (g->device != NONE_ID && g->scope != GAP_DEVICE)
		look_at_collectives(d, g, out);
	if (g->device != NONE_ID && g->scope == GAP_STEP)
		out->foreign_ns =
			intervals_within(derived_busy_device(d, g->device), g->start_ns, g->start_ns + g->dur_ns);
	if (out->thread != NONE_ID)
		look_at_host(d, g, out);
}
