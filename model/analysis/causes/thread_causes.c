#include "thread_causes.h"
#include "row_causes.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/innermost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/query/marks.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

enum {
	TRUST_FRAME = 60,        /* nothing but Python frames */
	TRUST_FRAME_BESIDE = 39, /* of a thread that does not launch: less than whatever a rule knows */
	TRUST_OUTSIDE = 60,      /* no rule knows the name, but it lies outside every step marker */
	TRUST_INSIDE = 45,       /* no rule knows the name */
	TRUST_CAPTURE = 90,      /* while a graph is captured */
	TRUST_HANDED = 45,       /* a collective handed over quickly */
	TRUST_DISPATCH = 50,     /* less: an op handed over by the host, see DISPATCH_NS */
	TRUST_COLLECTS = 90      /* a frame whose name says that garbage is collected */
};

/* ---- who owns the time of an event: itself or, when that one is trusted more, an event around it -------------------- */

struct owner {
	int64_t end_ns; /* of `row`; INT64_MAX where that is none */
	row_id row;
	struct name_cause cause;
	bool told;            /* of a thread whose frames do not count: a rule knows one of them */
	bool marker, frame;   /* of the open event itself: it marks a step, or is a Python frame; */
	enum cause own_class; /* the class its time went to last, */
	int64_t own_ns;       /* and how much of it */
};
static const struct owner nobody = {.end_ns = INT64_MAX, .row = NONE_ID};

struct thread_sweep {
	struct innermost m;
	struct self_sweep events;
	const struct derived *d;
	struct thread_causes out;
	struct interval about;     /* the time asked about */
	struct marks marks;        /* about it; `at` is NULL: nothing asked for them yet */
	uint32_t track, step_hint; /* of holds_step */
	bool launching, captures;  /* captures: graphs, at some time */
	struct owner *owners;
	uint32_t cap;
};

/* Most threads do nothing that they would tell about. */
static const struct marks *marks_near(struct thread_sweep *s)
{
	struct interval at[MARKS_MAX];
	if (s->marks.at)
		return &s->marks;
	s->marks.at = at;
	marks_of(s->d, s->track, s->about.a_ns, s->about.b_ns, &s->marks);
	s->marks.at = must(malloc((s->marks.n + (size_t)1) * sizeof *at));
	memcpy(s->marks.at, at, s->marks.n * sizeof *at);
	return &s->marks;
}

/* Frames stay open while their thread waits; however long they are, they tell something where the program's main thread has them, or one
 * that launches. */
static bool frames_count(struct thread_sweep *s)
{
	return s->launching || cause_calling_thread(s->d, s->track) || marks_near(s)->on_track;
}

/* Who owns the moment at which a new event opens above `at` others; some of them may have ended without having been dropped. */
static const struct owner *owner_below(const struct thread_sweep *s, uint32_t at, int64_t ts_ns)
{
	for (uint32_t i = at; i-- > 0;)
		if (s->m.stack[i].end_ns > ts_ns && s->owners[i].end_ns > ts_ns)
			return &s->owners[i];
	return &nobody;
}

static __attribute__((noinline)) bool long_holds_step(const struct derived *d, row_id r, uint32_t *hint)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), c->track[r]);
	for (uint32_t i = marks_step_from(d, k->host, c->start_ns[r], hint); i < derived_steps(d); i++) {
		const struct step *s = derived_step(d, i);
		if (s->host != k->host || s->start_ns >= row_end(c, r))
			return false;
		if (s->process == k->process && s->end_ns <= row_end(c, r))
			return true;
	}
	return false;
}

/* Steps take longer than handing over an op does; most events do not. */
static bool holds_step(const struct derived *d, row_id r, uint32_t *hint)
{
	return derived_columns(d)->dur_ns[r] > DISPATCH_NS && long_holds_step(d, r, hint);
}

bool thread_event_holds_step(const struct derived *d, row_id r)
{
	uint32_t hint = NONE_ID;
	return holds_step(d, r, &hint);
}

/* Nobody runs Python meanwhile, whichever thread launches next. */
static bool collects(const struct derived *d, row_id row)
{
	struct name_cause c = cause_of_name(d, derived_columns(d)->name[row]);
	return c.section == CAUSE_PYTHON && c.trust >= TRUST_COLLECTS;
}

/* False: the frame owns nothing. */
static __attribute__((noinline)) bool frame_owns(struct thread_sweep *s, row_id row, struct name_cause own,
						 struct owner *o)
{
	if (own.section == CAUSE_PYTHON && !collects(s->d, row))
		return false; /* a frame that is just Python: the innermost one says more */
	bool counts = frames_count(s);
	o->told |= !counts && cause_is_verdict(own) && own.section != CAUSE_LAUNCH;
	return counts;
}

/* Makes of who owns the moment at which an event opens who owns the event's own. */
static inline __attribute__((always_inline)) void own_inside(struct thread_sweep *s, row_id row, bool marker,
							     bool frame, struct owner *o)
{
	if (marker) {
		*o = nobody;
		return;
	}
	struct name_cause own = row_cause(s->d, row);
	if ((frame && !frame_owns(s, row, own, o)) || !cause_is_verdict(own) || own.trust < o->cause.trust ||
	    holds_step(s->d, row, &s->step_hint))
		return;
	o->end_ns = row_end(derived_columns(s->d), row);
	o->row = row;
	o->cause = own;
	o->told = false;
}

struct thread_owners {
	struct idmap places; /* of an event in `at`, whose owner it tells */
	struct owner *at;
	row_id *unknown; /* of the events around the one at hand, innermost first */
	uint32_t n, cap, cap_unknown;
};

/* Of what is around the event, whose track's events only nest; what describes the recording owns nothing. */
static __attribute__((noinline)) struct owner owner_around(struct thread_sweep *s, row_id row)
{
	enum { ONE_KEPT_IN = 32 };
	struct thread_owners *x = s->out.owners;
	struct owner o = nobody;
	uint32_t n = 0;
	for (row_id r = parent_of(s->d, row); r != NONE_ID; r = parent_of(s->d, r)) {
		uint32_t place = idmap_get(&x->places, r);
		if (place != UINT32_MAX) {
			o = x->at[place];
			break;
		}
		GROW_ARRAY(x->unknown, n, x->cap_unknown);
		x->unknown[n++] = r;
	}
	while (n--) {
		row_id r = x->unknown[n];
		uint8_t kind = derived_columns(s->d)->kind[r];
		if (kind != KIND_PROFILE)
			own_inside(s, r, row_is_marker(s->d, r), kind == KIND_PYTHON, &o);
		if (n % ONE_KEPT_IN)
			continue;
		GROW_ARRAY(x->at, x->n, x->cap);
		*idmap_put(&x->places, r, 0) = x->n;
		x->at[x->n++] = o;
	}
	return o;
}

/* Asked for each of millions of events, as piece() is. */
INNERMOST_INLINE void opened(void *arg, uint32_t row, uint32_t at)
{
	struct thread_sweep *s = arg;
	const struct columns *c = derived_columns(s->d);
	bool marker = row_is_marker(s->d, row), frame = c->kind[row] == KIND_PYTHON;
	GROW_ARRAY(s->owners, at, s->cap);
	struct owner *o = &s->owners[at];
	*o = !at && s->out.owners ? owner_around(s, row) : *owner_below(s, at, c->start_ns[row]);
	own_inside(s, row, marker, frame, o);
	o->marker = marker;
	o->frame = frame;
	o->own_ns = 0;
}

/* What partly overlaps may outlive an event that began before it: then the owner is sought among those still open. */
static struct owner owner_at(const struct thread_sweep *s, int64_t ts_ns)
{
	struct owner found = s->owners[s->m.n - 1];
	if (found.end_ns > ts_ns)
		return found;
	found = nobody;
	for (uint32_t i = 0; i < s->m.n; i++) {
		const struct owner *o = &s->owners[i];
		if (s->m.stack[i].end_ns <= ts_ns)
			continue;
		if (o->marker)
			found = nobody;
		else if (o->row == s->m.stack[i].id && o->cause.trust >= found.cause.trust)
			found = *o;
	}
	return found;
}

/* ---- pieces ---------------------------------------------------------------------------------------------------------- */

static void close_own(const struct thread_sweep *s, struct owner *open, row_id row)
{
	if (open->own_ns > 0)
		s->out.own(s->out.arg, row, open->own_class, open->own_ns);
	open->own_ns = 0;
}

static inline void count_own(const struct thread_sweep *s, const struct thread_piece *p)
{
	if (!s->out.own)
		return;
	struct owner *open = &s->owners[s->m.n - 1];
	if (open->own_class != p->cause)
		close_own(s, open, p->row);
	open->own_class = p->cause;
	open->own_ns += p->b_ns - p->a_ns;
}

static inline void give(const struct thread_sweep *s, struct thread_piece *p)
{
	row_id capture = s->captures && p->trust < TRUST_CAPTURE ? graph_capture_at(s->d, s->track, p->a_ns) : NONE_ID;
	if (capture != NONE_ID) {
		p->owner = capture;
		p->cause = CAUSE_COMPILE;
		p->trust = TRUST_CAPTURE;
		p->frame = p->worker = false;
	}
	count_own(s, p);
	s->out.piece(s->out.arg, p);
}

static uint8_t trust_of_frames(const struct thread_sweep *s)
{
	return s->launching ? TRUST_FRAME : TRUST_FRAME_BESIDE;
}

/* Time of events that no rule knows: outside every marker it is work outside the graph. */
static __attribute__((noinline)) void give_unclassed(struct thread_sweep *s, row_id row, int64_t a_ns, int64_t b_ns)
{
	bool frame = derived_columns(s->d)->kind[row] == KIND_PYTHON, counts = s->launching || frame;
	struct thread_piece p = {.row = row, .owner = row, .frame = frame};
	struct interval at[MARKS_MAX];
	struct marks some = {.at = at};
	const struct marks *near = marks_near(s);
	bool nothing = cause_of_name(s->d, derived_columns(s->d)->name[row]).section == SAYS_NOTHING;
	if (!near->all) {
		marks_of(s->d, s->track, a_ns, b_ns, &some);
		near = &some;
	}
	for (struct thread_piece x; a_ns < b_ns;) {
		int64_t until_ns = b_ns;
		bool inside = marks_hold(near, a_ns, &until_ns), outside = near->any && !inside && !nothing;
		p.a_ns = a_ns;
		p.b_ns = a_ns = until_ns;
		p.cause = counts ? outside ? CAUSE_HOST_WORK : CAUSE_HOST_COMPUTE : CAUSE_UNKNOWN;
		p.trust = !counts ? 0 : frame ? trust_of_frames(s) : outside ? TRUST_OUTSIDE : TRUST_INSIDE;
		x = p;
		give(s, &x);
	}
}

/* The interpreter goes from call to call: what stays in one frame for longer than an op is handed over computes. */
static bool computes(const struct thread_sweep *s, row_id row, int64_t a_ns, int64_t b_ns)
{
	struct name_cause c = cause_of_name(s->d, derived_columns(s->d)->name[row]);
	return b_ns - a_ns > DISPATCH_NS && (c.section != CAUSE_PYTHON || c.trust < TRUST_COLLECTS);
}

/* Function of C that may return when the thread asked about has done something, as run_backward does. */
static bool may_wait(const struct thread_sweep *s, row_id row)
{
	return !s->launching &&
	       text_starts(trace_str(derived_trace(s->d), derived_columns(s->d)->name[row]), "<built-in ");
}

static __attribute__((noinline)) void give_frame(struct thread_sweep *s, row_id row, bool told, int64_t a_ns,
						 int64_t b_ns)
{
	bool long_one = computes(s, row, a_ns, b_ns), counts = long_one ? frames_count(s) && !may_wait(s, row) : !told;
	if (counts && long_one) {
		give_unclassed(s, row, a_ns, b_ns);
		return;
	}
	struct thread_piece p = {
		a_ns, b_ns, row, row, counts ? CAUSE_PYTHON : CAUSE_UNKNOWN, counts ? trust_of_frames(s) : 0,
		true, false};
	give(s, &p);
}

static inline void give_owned(const struct thread_sweep *s, row_id row, bool frame, const struct owner *o, int64_t a_ns,
			      int64_t b_ns)
{
	frame &= o->row == row && !s->launching;
	struct thread_piece p = {a_ns, b_ns, row, o->row, (enum cause)o->cause.section, o->cause.trust, frame, false};
	if (o->cause.section == CAUSE_COMM_CALL && b_ns - a_ns <= DISPATCH_NS) {
		p.cause = CAUSE_LAUNCH;
		p.trust = TRUST_HANDED;
	} else if (o->cause.section == CAUSE_COMM_CALL) {
		p.cause = CAUSE_COMMUNICATION;
	} else if (o->cause.section == CAUSE_INPUT_WORKER) {
		p.cause = s->launching ? CAUSE_INPUT : CAUSE_UNKNOWN;
		p.worker = !s->launching;
	}
	give(s, &p);
}

/* Ops that are handed over, and ranges around them: an op takes no longer than a millisecond, and frames inside say more. */
static bool is_dispatch(const struct owner *o)
{
	return (o->cause.section == CAUSE_LAUNCH || o->cause.section == CAUSE_PYTHON) &&
	       o->cause.trust < TRUST_DISPATCH;
}

/* The engine of autograd was called, whose threads launch. */
static bool hands_to_another(const struct thread_sweep *s, row_id row, const struct owner *o, bool frame)
{
	return !s->launching && o->row == row && o->cause.section == CAUSE_LAUNCH && frame;
}

/* Of one owner, o, all the time. */
static inline void give_one(struct thread_sweep *s, row_id row, bool frame, const struct owner *o, int64_t a_ns,
			    int64_t b_ns)
{
	bool weak = o->row == NONE_ID || (is_dispatch(o) && (frame || b_ns - a_ns > DISPATCH_NS));
	if (!weak || hands_to_another(s, row, o, frame))
		give_owned(s, row, frame, o, a_ns, b_ns);
	else if (frame)
		give_frame(s, row, o->told, a_ns, b_ns);
	else
		give_unclassed(s, row, a_ns, b_ns);
}

/* Of several: the first one ends sooner. */
static __attribute__((noinline)) void give_many(struct thread_sweep *s, row_id row, bool frame, int64_t a_ns,
						int64_t b_ns)
{
	while (a_ns < b_ns) {
		struct owner o = owner_at(s, a_ns);
		int64_t end_ns = earlier(b_ns, o.end_ns);
		give_one(s, row, frame, &o, a_ns, end_ns);
		a_ns = end_ns;
	}
}

/* Of the open event that began last. */
INNERMOST_INLINE void piece(void *arg, uint32_t row, int64_t a_ns, int64_t b_ns)
{
	struct thread_sweep *s = arg;
	const struct owner *open = &s->owners[s->m.n - 1];
	if (open->marker)
		return;
	if (open->end_ns >= b_ns)
		give_one(s, row, open->frame, open, a_ns, b_ns);
	else
		give_many(s, row, open->frame, a_ns, b_ns);
}

static void done(void *arg, uint32_t row, int64_t self_ns)
{
	struct thread_sweep *s = arg;
	if (s->owners[s->m.n].marker)
		return;
	if (s->out.own)
		close_own(s, &s->owners[s->m.n], row);
	if (s->out.done)
		s->out.done(s->out.arg, row, self_ns);
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

/* Of a million threads each has a sweep of its own. */
enum { DEPTH_AT_FIRST = 8 };

struct thread_owners *thread_owners_new(void)
{
	return must(calloc(1, sizeof(struct thread_owners)));
}

void thread_owners_free(struct thread_owners *o)
{
	if (!o)
		return;
	idmap_free(&o->places);
	free(o->at);
	free(o->unknown);
	free(o);
}

static struct thread_sweep *sweep_with_room(void)
{
	struct thread_sweep *s = must(malloc(sizeof *s));
	s->m.stack = must(malloc(DEPTH_AT_FIRST * sizeof *s->m.stack));
	s->owners = must(malloc(DEPTH_AT_FIRST * sizeof *s->owners));
	s->m.cap = s->cap = DEPTH_AT_FIRST;
	s->marks.at = NULL;
	return s;
}

struct thread_sweep *thread_sweep_new(struct thread_sweep *used, const struct derived *d, uint32_t track, int64_t a_ns,
				      int64_t b_ns, bool launching, const struct thread_causes *out)
{
	struct thread_sweep *s = used ? used : sweep_with_room();
	bool again = used && used->d == d && used->track == track;
	free(s->marks.at);
	*s = (struct thread_sweep){.d = d,
				   .out = *out,
				   .track = track,
				   .launching = launching,
				   .captures = again ? s->captures : graph_captures_on(d, track),
				   .about = {a_ns, b_ns},
				   .owners = s->owners,
				   .cap = s->cap,
				   .m = {.piece = piece,
					 .done = done,
					 .opened = opened,
					 .arg = s,
					 .at_ns = INT64_MIN,
					 .stack = s->m.stack,
					 .cap = s->m.cap}};
	if (!launching || trace_track(derived_trace(d), track)->overlaps)
		s->out.owners = NULL;
	s->events = self_sweep_begin(d, track, a_ns, b_ns, &s->m, s->out.owners != NULL);
	return s;
}

/* The next event, false when there is none and all is told; by: who is called, known where this is compiled. */
INNERMOST_INLINE bool sweep_on(struct thread_sweep *s, const struct innermost_calls *by)
{
	const struct columns *c = derived_columns(s->d);
	row_id r = self_sweep_next(&s->events);
	if (r == NONE_ID) {
		innermost_advance_by(&s->m, by, INT64_MAX);
		return false;
	}
	if (!self_sweep_leaves_out(c, r))
		innermost_open_by(&s->m, by, r, later(c->start_ns[r], s->about.a_ns),
				  earlier(row_end(c, r), s->about.b_ns));
	return true;
}

bool thread_sweep_next(struct thread_sweep *s)
{
	static const struct innermost_calls calls = {piece, done, opened};
	return sweep_on(s, &calls);
}

bool thread_sweep_until(struct thread_sweep *s, int64_t until_ns)
{
	static const struct innermost_calls pieces = {piece, NULL, opened};
	bool ends = s->out.own || s->out.done, more;
	do
		more = ends ? thread_sweep_next(s) : sweep_on(s, &pieces);
	while (more && s->m.at_ns <= until_ns);
	return more;
}

int64_t thread_sweep_told_ns(const struct thread_sweep *s)
{
	return s->m.at_ns;
}

void thread_sweep_free(struct thread_sweep *s)
{
	if (!s)
		return;
	free(s->m.stack);
	free(s->owners);
	free(s->marks.at);
	free(s);
}

/* What the thread does in [a, b). `launching`: it launches work of the device in question. */
static void thread_causes_sweep(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, bool launching,
				const struct thread_causes *out)
{
	struct thread_sweep *s = thread_sweep_new(NULL, d, track, a_ns, b_ns, launching, out);
	thread_sweep_until(s, INT64_MAX);
	thread_sweep_free(s);
}

/* ---- waits alone ----------------------------------------------------------------------------------------------------- */

static void add_wait(void *arg, const struct thread_piece *p)
{
	struct thread_waits *w = arg;
	if (p->cause == CAUSE_INPUT)
		interval_add(&w->input, p->a_ns, p->b_ns);
	else if (p->cause == CAUSE_SYNC || p->cause == CAUSE_HOST_WAIT)
		interval_add(&w->others, p->a_ns, p->b_ns);
}

void thread_waits_add(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct thread_waits *out)
{
	if (a_ns < b_ns)
		thread_causes_sweep(d, track, a_ns, b_ns, true, &(struct thread_causes){.piece = add_wait, .arg = out});
}
