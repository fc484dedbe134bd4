#include "idle.h"
#include "busy_threads.h"
#include "cause_sums.h"
#include "thread_causes.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/lost.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>

/* Which work begins the busy times [from, from + n) of a device. */
struct starters {
	row_id *row;
	uint32_t from, n;
	bool made;
};
/* An idle time that was gone through from end to end: a second question about a part of it need not. */
struct seen {
	uint32_t device;
	row_id launch;
	int64_t a_ns, b_ns;
	struct interval hole;
	bool any;
};
struct idles {
	const struct derived *d;
	const struct query *q;
	struct cause_lines *lines;
	struct starters *starters; /* per device */
	struct seen seen;          /* the last one */
	uint32_t beside_at;        /* where the last reader of other threads stood */
};

/* ---- the work that ends an idle time --------------------------------------------------------------------------------- */

/* Busy times that begin inside the window, and the one after it, which the last idle time inside waits for. */
static const struct starters *starters_of(struct idles *x, uint32_t device)
{
	struct starters *s = &x->starters[device];
	if (s->made)
		return s;
	const struct intervals *busy = derived_busy_device(x->d, device);
	uint32_t end = x->q->b_ns == INT64_MAX ? busy->n : intervals_after(busy, x->q->b_ns);
	s->from = x->q->a_ns == INT64_MIN ? 0 : intervals_after(busy, x->q->a_ns);
	s->n = (end < busy->n ? end + 1 : end) - s->from;
	s->made = true;
	s->row = must(malloc((s->n + (size_t)1) * sizeof *s->row));
	idle_starters(x->d, device, busy->at + s->from, s->n, s->row);
	return s;
}

/* ---- one idle time --------------------------------------------------------------------------------------------------- */

enum {
	TRUST_LATENCY = 60,
	TRUST_QUEUED = 50,
	TRUST_DRAINED = 70,
	TRUST_OTHERS = 50,
	TRUST_HELD = 90,
	TRUST_SEEN = 60,
	SEEN_NS = 1000000,
	TRUST_CONTENTION = 70,
	HOST_PCT = 50, /* of events of whatever thread, where none is known to launch */
	CROWD_PCT = 50 /* an empty stretch that fills so much of the idle time */
};

/* The idle time [a, b) as a whole, and [from, to) of it, which counts. */
struct one {
	struct idles *x;
	struct idle_split *out;
	uint32_t device, thread, host; /* thread NONE_ID: not known */
	row_id next, launch;
	int64_t a_ns, b_ns, from_ns, to_ns;
	int64_t begun_ns, ended_ns; /* the launch, cut to the idle time */
	int64_t drained_ns;         /* until then what the thread does goes to the call that drained the queue */
	row_id drained;
	struct interval hole; /* the longest stretch in which the thread records nothing; */
	bool hole_known;      /* before the host's part is looked at */
	bool latency_only;    /* nothing but out->latency_ns is asked for */
	uint32_t used;        /* bits: parts that hold something */
	struct idle_part mine[CAUSE_COUNT];
};

static struct idle_part *part_of(struct one *o, enum cause cause)
{
	if (!(o->used >> cause & 1))
		o->mine[cause] = (struct idle_part){.row = NONE_ID};
	o->used |= 1u << cause;
	return &o->mine[cause];
}

static int64_t clamp(int64_t v, int64_t a, int64_t b)
{
	return v < a ? a : v > b ? b : v;
}

static void charge(struct one *o, enum cause cause, uint8_t trust, row_id row, int64_t a_ns, int64_t b_ns)
{
	int64_t ns = earlier(b_ns, o->to_ns) - later(a_ns, o->from_ns);
	if (ns <= 0)
		return;
	struct idle_part *p = part_of(o, cause);
	p->ns += ns;
	p->trusted += (__int128)ns * trust;
	if (row != NONE_ID && ns > p->row_ns) {
		p->row = row;
		p->row_ns = ns;
	}
}

/* ---- the host's part ---- */

static void note_hole(struct one *o, int64_t a_ns, int64_t b_ns)
{
	if (o->hole.b_ns == a_ns && o->hole.a_ns < a_ns)
		o->hole.b_ns = b_ns;
	else if (b_ns - a_ns > o->hole.b_ns - o->hole.a_ns)
		o->hole = (struct interval){a_ns, b_ns};
}

static void charge_piece(struct one *o, struct cause_at p, bool launching, int64_t a_ns, int64_t b_ns)
{
	bool guess = p.hole || p.frame || p.trust <= CAUSE_TRUST_GUESS;
	if (p.hole && !launching)
		note_hole(o, a_ns, b_ns);
	if (guess && a_ns < o->drained_ns) {
		charge(o, CAUSE_SYNC, TRUST_DRAINED, o->drained, a_ns, earlier(b_ns, o->drained_ns));
		a_ns = earlier(b_ns, o->drained_ns);
	}
	bool short_one = p.hole && o->launch != NONE_ID && o->b_ns - o->a_ns <= IDLE_SHORT_NS;
	bool unclear = p.hole || p.cause == CAUSE_UNKNOWN || p.cause == CAUSE_HOST_COMPUTE || p.cause == CAUSE_PYTHON;
	if (short_one || (launching && unclear))
		charge(o, CAUSE_LAUNCH, TRUST_QUEUED, o->launch, a_ns, b_ns);
	else
		charge(o, (enum cause)p.cause, p.trust, p.row, a_ns, b_ns);
}

/* Rows of a line were chosen from its whole stretch, of which another question may see less. */
static void note_wider(struct one *o, const struct cause_walk *w)
{
	if (!o->out->wider)
		o->out->wider =
			cause_walk_reaches_out(w, o->a_ns - CAUSE_LINES_BEYOND_NS, o->b_ns + CAUSE_LINES_BEYOND_NS);
}

/* Whether the next block of pieces, which begins at a_ns, lies before b_ns and counts as a whole, whatever lies before it. */
static bool block_counts(const struct one *o, const struct cause_line *l, const struct cause_sums *sums, uint32_t i,
			 int64_t b_ns)
{
	if (i % CAUSE_BLOCK || i / CAUSE_BLOCK >= sums->n || !sums->blocks[i / CAUSE_BLOCK].simple)
		return false;
	int64_t a_ns = l->at[i].at_ns, end_ns = l->at[i + CAUSE_BLOCK].at_ns;
	return end_ns < b_ns && end_ns <= o->to_ns && a_ns >= o->from_ns && a_ns >= o->drained_ns &&
	       o->b_ns - o->a_ns > IDLE_SHORT_NS && !(l->at[i].hole && o->hole.b_ns == a_ns);
}

static void charge_block(struct one *o, const struct cause_sums *sums, const struct cause_block *b)
{
	for (const struct cause_sum *s = sums->sums + b->from; s < sums->sums + b->from + b->n; s++) {
		struct idle_part *p = part_of(o, s->cause);
		p->ns += s->ns;
		p->trusted += s->trusted;
		if (s->row_ns > p->row_ns) {
			p->row = s->row;
			p->row_ns = s->row_ns;
		}
	}
	if (b->hole.b_ns - b->hole.a_ns > o->hole.b_ns - o->hole.a_ns)
		o->hole = b->hole;
}

/* Goes on from a_ns, where a piece begins, as far as pieces lie before b_ns that were drawn once for all devices. */
static int64_t charge_drawn(struct one *o, struct launcher_walk *w, int64_t a_ns, int64_t b_ns)
{
	const struct cause_sums *sums;
	const struct cause_line *l = cause_line_launcher(o->x->lines, o->thread, w->about, &sums);
	if (!l)
		return a_ns;
	uint32_t i = cause_walk_at(l, a_ns).i;
	for (bool whole; l->at[i].at_ns == a_ns && i + 1 < l->n && l->at[i + 1].at_ns < b_ns; a_ns = l->at[i].at_ns) {
		whole = block_counts(o, l, sums, i, b_ns);
		if (whole)
			charge_block(o, sums, &sums->blocks[i / CAUSE_BLOCK]);
		else
			charge_piece(o, l->at[i], false, a_ns, l->at[i + 1].at_ns);
		w->wider |= whole ? sums->blocks[i / CAUSE_BLOCK].mixed : l->at[i].mixed;
		i += whole ? CAUSE_BLOCK : 1;
	}
	w->own = cause_walk_from(w->own.line, w->own.i, a_ns);
	w->profiler = cause_walk_from(w->profiler.line, w->profiler.i, a_ns);
	return a_ns;
}

static void host_part(struct one *o, int64_t a_ns, int64_t b_ns, bool launching)
{
	if (a_ns >= b_ns)
		return;
	struct interval about = {o->a_ns, o->b_ns};
	bool part = launching || o->hole_known; /* what does not count tells nothing */
	int64_t from_ns = part ? later(a_ns, o->from_ns) : a_ns, to_ns = part ? earlier(b_ns, o->to_ns) : b_ns;
	struct launcher_walk w = launcher_walk_at(o->x->lines, o->thread, about, o->x->beside_at, from_ns);
	bool first = !launching;
	/* pieces end where one of the two changes, from wherever they are looked at */
	a_ns = from_ns == a_ns ? a_ns : later(a_ns, later(cause_walk_since(&w.own), cause_walk_since(&w.profiler)));
	for (int64_t until_ns; a_ns < to_ns; a_ns = until_ns) {
		until_ns = b_ns;
		struct cause_at p = launcher_walk_to(&w, a_ns, &until_ns);
		charge_piece(o, p, launching, a_ns, until_ns);
		if (first)
			until_ns = charge_drawn(o, &w, until_ns, to_ns);
		first = false;
	}
	o->x->beside_at = w.beside_at;
	o->out->wider |= w.wider;
}

/* Nothing tells which thread launches. */
static void any_thread(struct one *o)
{
	struct interval about = {o->a_ns, o->b_ns};
	int64_t a_ns = later(o->a_ns, o->from_ns), b_ns = earlier(o->b_ns, o->to_ns);
	struct cause_walk w = cause_walk_at(cause_line_host(o->x->lines, o->host, about), a_ns);
	for (int64_t until_ns; a_ns < b_ns; a_ns = until_ns) {
		until_ns = b_ns;
		struct cause_at p = cause_walk_to(&w, a_ns, &until_ns);
		note_wider(o, &w);
		charge(o, (enum cause)p.cause, (uint8_t)(p.trust * HOST_PCT / 100), p.row, a_ns, until_ns);
	}
}

/* Such a call ends before the launch, so nothing was queued. */
static void find_drained(struct one *o)
{
	if (o->begun_ns <= o->a_ns)
		return;
	o->drained = thread_drained_by(o->x->d, o->thread, o->a_ns, o->begun_ns);
	if (o->drained != NONE_ID)
		o->drained_ns = o->a_ns + IDLE_DRAINED_NS;
}

static void look_for_hole(struct one *o)
{
	const struct seen *s = &o->x->seen;
	o->hole_known =
		s->any && s->device == o->device && s->launch == o->launch && s->a_ns == o->a_ns && s->b_ns == o->b_ns;
	if (o->hole_known)
		o->hole = s->hole;
}

static void keep_hole(struct one *o)
{
	o->x->seen = (struct seen){o->device, o->launch, o->a_ns, o->b_ns, o->hole, true};
}

/* The item() that asks for the overflow flag has no name of its own, but stands right behind the kernel that sets it. */
static void look_for_overflow(struct one *o)
{
	if (!(o->used >> CAUSE_SYNC & 1))
		return;
	struct idle_part *sync = part_of(o, CAUSE_SYNC), *loss = part_of(o, CAUSE_LOSS_SCALING);
	row_id asks = sync->ns && sync->row != NONE_ID ? sync->row : o->drained;
	if (asks == NONE_ID || !sync->ns || !asks_for_overflow(o->x->d, asks, o->a_ns - (o->b_ns - o->a_ns)))
		return;
	loss->ns += sync->ns;
	loss->trusted += sync->trusted;
	loss->row = asks;
	loss->row_ns = sync->row_ns;
	*sync = (struct idle_part){.row = NONE_ID};
}

static void look_for_crowd(struct one *o)
{
	int64_t hole_ns = o->hole.b_ns - o->hole.a_ns, whole_ns = o->b_ns - o->a_ns;
	if (whole_ns < IDLE_CROWD_NS || !part_of(o, CAUSE_UNKNOWN)->ns ||
	    !share_at_least(hole_ns, whole_ns, CROWD_PCT) || o->hole.a_ns - o->a_ns > whole_ns / 2)
		return;
	struct busy_threads busy = busy_threads_beside(o->x->d, o->thread, o->hole.a_ns, o->hole.b_ns);
	if (!busy_threads_crowd(&busy))
		return;
	struct idle_part *unknown = part_of(o, CAUSE_UNKNOWN), *crowd = part_of(o, CAUSE_CONTENTION);
	int64_t ns = earlier(unknown->ns, busy.ns);
	unknown->ns -= ns;
	crowd->ns += ns;
	crowd->trusted += (__int128)ns * TRUST_CONTENTION;
	crowd->row = busy.row;
	crowd->row_ns = ns;
}

/* ---- the device's part ---- */

static bool others_work(const struct one *o, int64_t a_ns, int64_t b_ns)
{
	const struct trace *t = derived_trace(o->x->d);
	for (uint32_t i = 0; i < trace_devices(t); i++)
		if (i != o->device && trace_device(t, i)->host == o->host &&
		    intervals_within(derived_busy_device(o->x->d, i), a_ns, b_ns) * 2 > b_ns - a_ns)
			return true;
	return false;
}

/* Work that stood ready: what T waits for meanwhile is that work, or what it waits for itself. */
static void charge_ready(struct one *o, struct cause_at p, bool others, bool long_enough, int64_t a_ns, int64_t b_ns)
{
	if (p.cause == CAUSE_COMMUNICATION || (p.cause == CAUSE_SYNC && (others || !long_enough)))
		charge(o, (enum cause)p.cause, p.trust, p.row, a_ns, b_ns);
	else if (others)
		charge(o, CAUSE_SYNC, TRUST_OTHERS, NONE_ID, a_ns, b_ns);
	else if (long_enough)
		charge(o, CAUSE_HELD, TRUST_HELD, o->next, a_ns, b_ns);
	else
		charge(o, CAUSE_UNKNOWN, 0, NONE_ID, a_ns, b_ns);
}

/* After the launch latency. */
static void ready_part(struct one *o, int64_t a_ns, int64_t b_ns)
{
	if (a_ns >= b_ns)
		return;
	if (o->ended_ns <= o->a_ns && o->b_ns - o->a_ns <= IDLE_QUEUED_NS) {
		charge(o, CAUSE_LAUNCH, TRUST_QUEUED, o->launch, a_ns, b_ns);
		return;
	}
	bool others = others_work(o, a_ns, b_ns), long_enough = b_ns - a_ns >= IDLE_READY_NS;
	struct interval about = {o->a_ns, o->b_ns};
	a_ns = later(a_ns, o->from_ns);
	b_ns = earlier(b_ns, o->to_ns);
	struct cause_walk own = cause_walk_at(cause_line_of(o->x->lines, o->thread, about), a_ns);
	for (int64_t until_ns; a_ns < b_ns; a_ns = until_ns) {
		until_ns = b_ns;
		struct cause_at p = cause_walk_to(&own, a_ns, &until_ns);
		note_wider(o, &own);
		charge_ready(o, p, others, long_enough, a_ns, until_ns);
	}
}

/* Most idle times of a busy device: launched before, and as short as between queued work. */
static bool is_queued(const struct one *o, int64_t launched_ns)
{
	return launched_ns <= o->a_ns && o->b_ns - o->a_ns <= IDLE_QUEUED_NS && o->a_ns >= 0;
}

static void count_latency(const struct one *o, int64_t begun_ns, int64_t ready_ns)
{
	o->out->latency_ns += later(0, earlier(ready_ns, o->to_ns) - later(begun_ns, o->from_ns));
}

static void split_queued(struct one *o, int64_t launched_ns)
{
	int64_t ready_ns = clamp(launched_ns + IDLE_LATENCY_NS, o->a_ns, o->b_ns);
	charge(o, CAUSE_LAUNCH, TRUST_LATENCY, o->launch, o->a_ns, ready_ns);
	charge(o, CAUSE_LAUNCH, TRUST_QUEUED, o->launch, ready_ns, o->b_ns);
	count_latency(o, o->a_ns, ready_ns);
}

static void split_known(struct one *o)
{
	const struct columns *c = derived_columns(o->x->d);
	int64_t end_ns = o->launch == NONE_ID ? o->b_ns : row_end(c, o->launch);
	if (is_queued(o, end_ns)) {
		split_queued(o, end_ns);
		return;
	}
	o->begun_ns = o->launch == NONE_ID ? o->b_ns : clamp(c->start_ns[o->launch], o->a_ns, o->b_ns);
	o->ended_ns = clamp(end_ns, o->begun_ns, o->b_ns);
	int64_t ready_ns = o->launch == NONE_ID ? o->b_ns : clamp(end_ns + IDLE_LATENCY_NS, o->begun_ns, o->b_ns);
	count_latency(o, o->begun_ns, ready_ns);
	if (o->latency_only)
		return;
	find_drained(o);
	look_for_hole(o);
	host_part(o, o->a_ns, o->begun_ns, false);
	keep_hole(o);
	host_part(o, o->begun_ns, o->ended_ns, true);
	charge_piece(o, (struct cause_at){0, o->launch, CAUSE_LAUNCH, TRUST_LATENCY, false, false, false}, true,
		     o->ended_ns, ready_ns);
	ready_part(o, ready_ns, o->b_ns);
	look_for_overflow(o);
	look_for_crowd(o);
	if (o->launch != NONE_ID && o->b_ns - o->a_ns <= SEEN_NS && o->used >> CAUSE_LAUNCH & 1)
		idle_part_seen(part_of(o, CAUSE_LAUNCH), TRUST_SEEN);
}

static void split_one(struct one *o)
{
	const struct derived *d = o->x->d;
	int64_t lost_ns;
	row_id lost = lost_records(d, o->device, o->a_ns, o->b_ns, &lost_ns);
	o->host = trace_device(derived_trace(d), o->device)->host;
	o->launch = o->next == NONE_ID ? NONE_ID : derived_columns(d)->link[o->next];
	o->thread = o->launch != NONE_ID ? derived_columns(d)->track[o->launch] : derived_launch_track(d, o->device);
	if (lost != NONE_ID)
		charge(o, CAUSE_LOST, 100, lost, o->a_ns, o->b_ns);
	else if (o->thread == NONE_ID && o->latency_only)
		return;
	else if (o->thread == NONE_ID)
		any_thread(o);
	else if (o->next != NONE_ID && o->launch == NONE_ID)
		charge(o, CAUSE_UNKNOWN, 0, NONE_ID, o->a_ns, o->b_ns);
	else
		split_known(o);
	cause_lines_drop_many(o->x->lines);
}

static void add_up(struct one *o)
{
	for (uint32_t left = o->used; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		struct idle_part *sum = &o->out->part[i], *p = &o->mine[i];
		sum->ns += p->ns;
		sum->trusted += p->trusted;
		if (p->row_ns > sum->row_ns) {
			sum->row = p->row;
			sum->row_ns = p->row_ns;
		}
		if (p->ns > sum->most_ns) {
			sum->most_ns = p->ns;
			sum->a_ns = o->a_ns;
			sum->b_ns = o->b_ns;
		}
	}
}

static bool split_wanted(struct one *o)
{
	if (o->to_ns <= o->from_ns ||
	    (o->x->q->filter && (o->next == NONE_ID || !event_wanted(o->x->d, o->x->q, o->next))))
		return false;
	o->used = 0;
	o->drained = NONE_ID;
	o->drained_ns = 0;
	o->hole = (struct interval){0};
	split_one(o);
	return true;
}

/* False when nothing of it counts. */
static bool take(struct one *o)
{
	struct idle_split *out = o->out;
	int64_t ns = o->to_ns - o->from_ns;
	if (!split_wanted(o))
		return false;
	add_up(o);
	out->idle_ns += ns;
	out->n++;
	if (ns > out->longest_ns) {
		out->longest_ns = ns;
		out->longest_row = o->next;
	}
	return true;
}

/* An idle time before the first work or behind the last one is as long as asked for. */
static void walk(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, idle_time_fn *each, void *arg,
		 bool latency_only, struct idle_split *out)
{
	*out = (struct idle_split){.longest_row = NONE_ID};
	for (int i = 0; i < CAUSE_COUNT; i++)
		out->part[i].row = NONE_ID;
	int64_t least_ns = a_ns, most_ns = b_ns;
	query_clip(x->q, &a_ns, &b_ns);
	const struct intervals *busy = derived_busy_device(x->d, device);
	const struct starters *s = starters_of(x, device);
	struct one o;
	o.x = x;
	o.out = out;
	o.device = device;
	o.latency_only = latency_only;
	for (uint32_t i = intervals_after(busy, a_ns); a_ns < b_ns; i++) {
		bool last = i >= busy->n;
		o.from_ns = a_ns;
		o.next = !last && i - s->from < s->n ? s->row[i - s->from] : NONE_ID;
		o.a_ns = i ? busy->at[i - 1].b_ns : least_ns;
		o.b_ns = last ? most_ns : busy->at[i].a_ns;
		o.to_ns = earlier(o.b_ns, b_ns);
		int64_t before_ns = out->latency_ns;
		bool wider = out->wider;
		out->wider = false;
		if (take(&o) && each)
			each(arg, &(struct idle_time){i, o.from_ns, o.to_ns, out->latency_ns - before_ns, o.next,
						      o.used, out->wider, o.mine});
		out->wider |= wider;
		if (last || busy->at[i].a_ns >= b_ns)
			return;
		a_ns = later(a_ns, busy->at[i].b_ns);
	}
}

void idle_each(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, idle_time_fn *each, void *arg,
	       struct idle_split *out)
{
	walk(x, device, a_ns, b_ns, each, arg, false, out);
}

void idle_between(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, struct idle_split *out)
{
	walk(x, device, a_ns, b_ns, NULL, NULL, false, out);
}

int64_t idle_latency_between(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	struct idle_split out;
	walk(x, device, a_ns, b_ns, NULL, NULL, true, &out);
	return out.latency_ns;
}

int64_t idle_before(struct idles *x, uint32_t device, uint32_t i, enum cause cause)
{
	const struct intervals *busy = derived_busy_device(x->d, device);
	const struct starters *s = starters_of(x, device);
	struct idle_split out; /* of which one idle time writes nothing but this: */
	out.latency_ns = 0;
	struct one o;
	o.x = x;
	o.out = &out;
	o.device = device;
	o.latency_only = out.wider = false;
	o.a_ns = o.from_ns = busy->at[i - 1].b_ns;
	o.b_ns = o.to_ns = busy->at[i].a_ns;
	query_clip(x->q, &o.from_ns, &o.to_ns);
	o.next = i - s->from < s->n ? s->row[i - s->from] : NONE_ID;
	return split_wanted(&o) && o.used >> cause & 1 ? o.mine[cause].ns : 0;
}

struct idles *idles_new(const struct derived *d, const struct query *q, uint32_t device)
{
	struct idles *x = must(malloc(sizeof *x));
	size_t devices = trace_devices(derived_trace(d)) + (size_t)1;
	struct interval about = idle_times_cut(d, q, device);
	*x = (struct idles){.d = d, .q = q, .lines = cause_lines_new(d, about.a_ns, about.b_ns)};
	x->starters = must(malloc(devices * sizeof *x->starters));
	for (size_t i = 0; i < devices; i++)
		x->starters[i] = (struct starters){0};
	return x;
}

void idles_free(struct idles *x)
{
	for (uint32_t i = 0; i < trace_devices(derived_trace(x->d)); i++)
		free(x->starters[i].row);
	free(x->starters);
	cause_lines_free(x->lines);
	free(x);
}
