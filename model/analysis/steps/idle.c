#include "idle_one.h"
#include "model/analysis/causes/cause_sums.h"
#include "model/analysis/causes/thread_causes.h"
#include "model/analysis/query/busy_threads.h"
#include "model/analysis/query/drained.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/cause_names.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/pauses.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/shares.h"
#include "model/analysis/query/cells.h"
#include <stdlib.h>

/* ---- one idle time --------------------------------------------------------------------------------------------------- */

static int64_t clamp(int64_t v, int64_t a, int64_t b)
{
	return v < a ? a : v > b ? b : v;
}

/* Where one thread launches for many devices its line tells near which event an idle time begins: these lie all over its time. */
static void look_near(struct one *o, const struct drawn_line *drawn)
{
	uint32_t i = o->near = cause_sums_near(&drawn->sums, o->near, o->a_ns);
	row_id row = drawn->line.at[i].row;
	if (row == NONE_ID && i)
		row = drawn->line.at[i - 1].row;
	if (row != NONE_ID && derived_columns(o->x->d)->track[row] == o->thread)
		o->x->drained_near = row + 1;
}

/* Such a call ends before the launch, so nothing was queued. */
static void find_drained(struct one *o)
{
	if (o->begun_ns <= o->a_ns)
		return;
	const struct drawn_line *drawn = cause_line_drawn(o->x->lines, o->thread);
	if (drawn && !drawn->syncs)
		return;
	if (drawn)
		look_near(o, drawn);
	o->drained = thread_drained_by(o->x->d, o->thread, o->a_ns, o->begun_ns, &o->x->drained_near);
	if (o->drained != NONE_ID)
		o->drained_ns =
			o->a_ns + earlier(IDLE_DRAINED_NS, o->a_ns - derived_columns(o->x->d)->start_ns[o->drained]);
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

/* The item() that asks for the overflow flag has no name of its own, but stands right after the kernel that sets it. */
static void look_for_overflow(struct one *o)
{
	if (!(o->used >> CAUSE_SYNC & 1))
		return;
	struct idle_part *sync = idle_part_of(o, CAUSE_SYNC), *loss = idle_part_of(o, CAUSE_LOSS_SCALING);
	idle_charged_no_more(o); /* what another part asks for is another call */
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
	if (whole_ns < IDLE_CROWD_NS || !idle_part_of(o, CAUSE_UNKNOWN)->ns ||
	    !share_at_least(hole_ns, whole_ns, CROWD_PCT) || o->hole.a_ns - o->a_ns > whole_ns / 2)
		return;
	struct busy_threads busy = busy_threads_beside(o->x->d, o->thread, o->hole.a_ns, o->hole.b_ns);
	if (!busy_threads_crowd(&busy))
		return;
	struct idle_part *unknown = idle_part_of(o, CAUSE_UNKNOWN), *crowd = idle_part_of(o, CAUSE_CONTENTION);
	int64_t ns = earlier(unknown->ns, busy.ns);
	idle_charged_no_more(o);
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
static void charge_ready(struct one *o, const struct cause_at *p, bool others, bool long_enough, int64_t a_ns,
			 int64_t b_ns)
{
	if (p->cause == CAUSE_COMMUNICATION || (p->cause == CAUSE_SYNC && (others || !long_enough)))
		idle_charge(o, (enum cause)p->cause, p->trust, p->row, a_ns, b_ns);
	else if (others)
		idle_charge(o, CAUSE_SYNC, TRUST_OTHERS, NONE_ID, a_ns, b_ns);
	else if (long_enough)
		idle_charge(o, CAUSE_HELD, TRUST_HELD, o->next, a_ns, b_ns);
	else
		idle_charge(o, CAUSE_UNKNOWN, 0, NONE_ID, a_ns, b_ns);
}

/* Launched a millisecond before it begins, however much of that the device worked; what is as short as a launch stays one. */
static bool stood_ready_long(const struct one *o)
{
	return o->b_ns - o->a_ns >= IDLE_CROWD_NS &&
	       o->b_ns - row_end(derived_columns(o->x->d), o->launch) >= IDLE_READY_NS;
}

/* After the launch latency. */
static void ready_part(struct one *o, int64_t a_ns, int64_t b_ns)
{
	if (a_ns >= b_ns)
		return;
	if (o->ended_ns <= o->a_ns && o->b_ns - o->a_ns <= IDLE_QUEUED_NS) {
		idle_charge(o, CAUSE_LAUNCH, TRUST_QUEUED, o->launch, a_ns, b_ns);
		return;
	}
	/* a wait of the host holds up nothing that was launched long before */
	bool others = others_work(o, a_ns, b_ns), long_enough = b_ns - a_ns >= IDLE_READY_NS || stood_ready_long(o);
	struct interval about = {o->a_ns, o->b_ns};
	a_ns = later(a_ns, o->from_ns);
	b_ns = earlier(b_ns, o->to_ns);
	struct cause_walk own = cause_walk_at(cause_line_of(o->x->lines, o->thread, about), a_ns);
	for (int64_t until_ns; a_ns < b_ns; a_ns = until_ns) {
		until_ns = b_ns;
		const struct cause_at *p = cause_walk_to(&own, a_ns, &until_ns);
		idle_note_wider(o, &own);
		charge_ready(o, p, others, long_enough, a_ns, until_ns);
	}
}

/* Most idle times of a busy device: launched before, and as short as between queued work. */
static bool is_queued(const struct one *o, int64_t launched_ns)
{
	return launched_ns <= o->a_ns && o->b_ns - o->a_ns <= IDLE_QUEUED_NS && o->a_ns >= 0;
}

static void count_latency(struct one *o, int64_t begun_ns, int64_t ready_ns)
{
	o->latency = (struct interval){begun_ns, ready_ns};
	o->out->latency_ns += latency_met(o->latency, o->from_ns, o->to_ns);
}

static void split_queued(struct one *o, int64_t launched_ns)
{
	int64_t ready_ns = clamp(launched_ns + IDLE_LATENCY_NS, o->a_ns, o->b_ns);
	idle_charge(o, CAUSE_LAUNCH, TRUST_LATENCY, o->launch, o->a_ns, ready_ns);
	idle_charge(o, CAUSE_LAUNCH, TRUST_QUEUED, o->launch, ready_ns, o->b_ns);
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
	o->call_asked = false;
	find_drained(o);
	look_for_hole(o);
	idle_host_part(o, o->a_ns, o->begun_ns, false);
	keep_hole(o);
	idle_host_part(o, o->begun_ns, o->ended_ns, true);
	idle_charge_piece(o, &(struct cause_at){0, o->launch, CAUSE_LAUNCH, TRUST_LATENCY, false, false, false}, true,
			  o->ended_ns, ready_ns);
	ready_part(o, ready_ns, o->b_ns);
	look_for_overflow(o);
	look_for_crowd(o);
	if (o->launch != NONE_ID && o->b_ns - o->a_ns <= SEEN_NS && o->used >> CAUSE_LAUNCH & 1)
		idle_part_seen(idle_part_of(o, CAUSE_LAUNCH), TRUST_SEEN);
}

static void split_one(struct one *o)
{
	const struct derived *d = o->x->d;
	int64_t lost_ns;
	row_id lost = o->x->any_lost ? lost_records(d, o->device, o->a_ns, o->b_ns, &lost_ns) : NONE_ID;
	o->launch = o->next == NONE_ID ? NONE_ID : derived_columns(d)->link[o->next];
	o->thread = o->launch != NONE_ID ? derived_columns(d)->track[o->launch] : derived_launch_track(d, o->device);
	if (lost != NONE_ID)
		idle_charge(o, CAUSE_LOST, 100, lost, o->a_ns, o->b_ns);
	else if (o->thread == NONE_ID && o->latency_only)
		return;
	else if (o->thread == NONE_ID)
		idle_any_thread(o);
	else if (o->next != NONE_ID && o->launch == NONE_ID)
		idle_charge(o, CAUSE_UNKNOWN, 0, NONE_ID, o->a_ns, o->b_ns);
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

/* What lies before a pause of the profiler ends with no work of its own, and what lies behind it begins with none. A question that
 * goes from one side to the other asks for neither, as at both ends of the file. */
static void leave_pause_out(struct one *o)
{
	struct interval pause;
	if (!derived_pause_in(o->x->d, o->host, o->a_ns, o->b_ns, &pause))
		return;
	idle_charged_no_more(o);
	bool before = o->from_ns <= pause.a_ns, behind = o->to_ns >= pause.b_ns;
	if (before == behind) {
		o->to_ns = o->from_ns;
	} else if (before) {
		o->to_ns = earlier(o->to_ns, pause.a_ns);
		o->b_ns = pause.a_ns;
		o->next = NONE_ID;
	} else {
		o->from_ns = later(o->from_ns, pause.b_ns);
		o->a_ns = pause.b_ns;
	}
}

static bool split_wanted(struct one *o)
{
	o->n_charged = 0;
	o->drawn.sums = NULL;
	o->near = 0;
	leave_pause_out(o);
	if (o->to_ns <= o->from_ns ||
	    (o->x->q->filter && (o->next == NONE_ID || !event_wanted(o->x->d, o->x->q, o->next))))
		return false;
	o->used = 0;
	o->walks = false;
	o->drained = NONE_ID;
	o->drained_ns = 0;
	o->hole = o->latency = (struct interval){0};
	split_one(o);
	return true;
}

/* False when nothing of it counts. */
static bool take(struct one *o)
{
	struct idle_split *out = o->out;
	if (!split_wanted(o))
		return false;
	int64_t ns = o->to_ns - o->from_ns;
	add_up(o);
	out->idle_ns += ns;
	out->n++;
	if (ns > out->longest_ns) {
		out->longest_ns = ns;
		out->longest_row = o->next;
	}
	return true;
}

static void tell(const struct one *o, uint32_t i, int64_t latency_ns, idle_time_fn *each, void *arg)
{
	bool charged = o->n_charged <= CHARGED_MOST;
	each(arg, &(struct idle_time){.i = i,
				      .from_ns = o->from_ns,
				      .to_ns = o->to_ns,
				      .latency_ns = latency_ns,
				      .next = o->next,
				      .used = o->used,
				      .wider = o->out->wider,
				      .part = o->mine,
				      .charged = charged ? o->charged : NULL,
				      .n_charged = charged ? o->n_charged : 0,
				      .drawn = o->drawn.sums ? &o->drawn : NULL,
				      .latency = o->latency});
}

/* An idle time before the first work or after the last one is as long as asked for. */
static void walk(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns, idle_time_fn *each, void *arg,
		 bool latency_only, struct idle_split *out)
{
	*out = (struct idle_split){.longest_row = NONE_ID};
	for (int i = 0; i < CAUSE_COUNT; i++)
		out->part[i].row = NONE_ID;
	int64_t least_ns = a_ns, most_ns = b_ns;
	query_clip(x->q, &a_ns, &b_ns);
	const struct intervals *busy = derived_busy_device(x->d, device);
	uint32_t i = intervals_after(busy, a_ns);
	const struct starters *s =
		idle_starters_of(x, device, b_ns == INT64_MAX ? busy->n - i : intervals_after(busy, b_ns) - i + 1);
	struct one o;
	o.x = x;
	o.out = out;
	o.device = device;
	o.host = trace_device(derived_trace(x->d), device)->host;
	o.latency_only = latency_only;
	for (; a_ns < b_ns; i++) {
		bool last = i >= busy->n;
		o.from_ns = a_ns;
		o.next = last ? NONE_ID : idle_starter_at(x, s, device, i);
		o.a_ns = i ? busy->at[i - 1].b_ns : least_ns;
		o.b_ns = last ? most_ns : busy->at[i].a_ns;
		o.to_ns = earlier(o.b_ns, b_ns);
		int64_t before_ns = out->latency_ns;
		bool wider = out->wider;
		out->wider = false;
		if (take(&o) && each)
			tell(&o, i, out->latency_ns - before_ns, each, arg);
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

/* [a, b) of the idle time that ends with the busy time i > 0; of `out` it writes no more than what one of them needs. */
static bool split_before(struct idles *x, uint32_t device, uint32_t i, struct interval part, bool latency_only,
			 struct idle_split *out, struct one *o)
{
	const struct intervals *busy = derived_busy_device(x->d, device);
	const struct starters *s = idle_starters_of(x, device, 1);
	out->latency_ns = 0;
	out->wider = false;
	o->x = x;
	o->out = out;
	o->device = device;
	o->host = trace_device(derived_trace(x->d), device)->host;
	o->latency_only = latency_only;
	o->a_ns = busy->at[i - 1].b_ns;
	o->b_ns = busy->at[i].a_ns;
	o->from_ns = later(o->a_ns, part.a_ns);
	o->to_ns = earlier(o->b_ns, part.b_ns);
	query_clip(x->q, &o->from_ns, &o->to_ns);
	o->next = idle_starter_at(x, s, device, i);
	return split_wanted(o);
}

static const struct interval all_of_it = {INT64_MIN, INT64_MAX};

void idle_cut(struct idles *x, uint32_t device, uint32_t i, struct interval part, idle_time_fn *each, void *arg)
{
	struct idle_split out;
	struct one o;
	if (split_before(x, device, i, part, false, &out, &o))
		tell(&o, i, out.latency_ns, each, arg);
}

int64_t idle_before(struct idles *x, uint32_t device, uint32_t i, enum cause cause)
{
	struct idle_split out;
	struct one o;
	bool any = split_before(x, device, i, all_of_it, false, &out, &o);
	return any && o.used >> cause & 1 ? o.mine[cause].ns : 0;
}

/* ---- launch latency alone -------------------------------------------------------------------------------------------- */

/* When the work that ends the idle time is launched; before that nothing is latency. */
static int64_t launched_ns(struct idles *x, uint32_t device, uint32_t i)
{
	const struct starters *s = &x->starters[device];
	row_id next = idle_starter_at(x, s->row ? s : idle_starters_of(x, device, 1), device, i);
	row_id launch = next == NONE_ID ? NONE_ID : derived_columns(x->d)->link[next];
	return launch == NONE_ID ? INT64_MAX : derived_columns(x->d)->start_ns[launch];
}

/* Where that of an idle time lies, as far as it begins before b_ns; mostly the one asked about before, as many steps may lie in one idle time of a
 * device. */
static struct interval latency_before(struct idles *x, uint32_t device, uint32_t i, int64_t b_ns)
{
	struct late *late = &x->late;
	struct idle_split out;
	struct one o;
	if (late->i_above != i + 1 || late->device != device) {
		const struct interval *busy = &derived_busy_device(x->d, device)->at[i];
		*late = (struct late){device, i + 1, {0}, {busy[-1].b_ns, busy[0].a_ns}, launched_ns(x, device, i)};
	}
	if (b_ns <= late->until_ns)
		return late->at;
	late->until_ns = INT64_MAX;
	if (split_before(x, device, i, all_of_it, true, &out, &o))
		late->at = o.latency;
	return late->at;
}

/* [a, b) lies in the idle time asked about before. */
static bool is_late_again(const struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	const struct late *late = &x->late;
	return late->i_above && late->device == device && a_ns >= late->idle.a_ns &&
	       b_ns <= earlier(late->idle.b_ns, late->until_ns);
}

/* Of times that begin after the device's first work. */
static int64_t latency_inside(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	const struct intervals *busy = derived_busy_device(x->d, device);
	int64_t sum_ns = 0;
	uint32_t i = x->late_near = intervals_after_near(busy, x->late_near, a_ns);
	for (; i < busy->n && (!i || busy->at[i - 1].b_ns < b_ns); i++)
		if (busy->at[i].a_ns > a_ns)
			sum_ns += latency_met(latency_before(x, device, i, b_ns), a_ns, b_ns);
	return sum_ns;
}

struct interval idle_without_latency(const struct idles *x, uint32_t device)
{
	const struct late *late = &x->late;
	if (!late->i_above || late->device != device || late->at.a_ns < late->at.b_ns)
		return (struct interval){0};
	return (struct interval){late->idle.a_ns, earlier(late->idle.b_ns, late->until_ns)};
}

int64_t idle_latency_between(struct idles *x, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	struct idle_split out;
	int64_t first_ns, last_ns, from_ns = a_ns, to_ns = b_ns;
	query_clip(x->q, &from_ns, &to_ns);
	if (is_late_again(x, device, from_ns, to_ns))
		return latency_met(x->late.at, from_ns, to_ns);
	bool inside = idle_extent(x->d, device, &first_ns, &last_ns) && a_ns >= first_ns;
	if (inside && !derived_off(x->d, device)->n) /* what a pause cuts is told by what is asked about */
		return latency_inside(x, device, from_ns, to_ns);
	walk(x, device, a_ns, b_ns, NULL, NULL, true, &out);
	return out.latency_ns;
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

struct idles *idles_new(const struct derived *d, const struct query *q, uint32_t device)
{
	struct idles *x = must(malloc(sizeof *x));
	size_t devices = trace_devices(derived_trace(d)) + (size_t)1;
	struct interval about = idle_times_cut(d, q, device);
	*x = (struct idles){.d = d, .q = q, .lines = cause_lines_new(d, q, about.a_ns, about.b_ns)};
	x->any_lost = any_lost_records(d);
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
