#include "launch_order.h"
#include "first_launches.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/idle.h"
#include "model/analysis/steps/step_phase.h"
#include <stdlib.h>

struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct counted_steps counted;
	struct first_launches earliest;
	uint32_t *fed;           /* by track: the device that it launched for last, + 1 */
	uint32_t *beside;        /* by host: how many devices it has: where it has one, no other is first */
	struct device_order *of; /* by device */
	struct step_begin {
		uint32_t first;   /* place of the earliest launch; of several at once that of the first device */
		uint32_t devices; /* that are launched */
		bool at_once;     /* another one as early */
	} * begins;               /* by step */
	struct places {
		int64_t *late_by_ns, *begin_idle_ns;
		uint32_t *behind; /* which device was first each time that this one was late */
		uint32_t n_idle;
		uint32_t near; /* of when it works: where the step before was looked for */
		int64_t most_ns;
		uint32_t most_step;
	} room; /* of one device */
};

/* ---- launches ------------------------------------------------------------------------------------------------------------ */

/* Devices come one after the other. */
static void count_thread(struct finder *f, uint32_t track, uint32_t device)
{
	const struct trace *t = derived_trace(f->d);
	uint32_t before = f->fed[track];
	f->fed[track] = device + 1;
	if (before == device + 1 || !derived_is_thread(t, trace_track(t, track)))
		return;
	f->of[device].threads++;
	if (before)
		f->of[device].shared = f->of[before - 1].shared = true;
}

static void count_launch(void *arg, row_id launch, uint32_t device)
{
	struct finder *f = arg;
	uint32_t step = derived_step_of(f->d, launch);
	f->of[device].launches++;
	count_thread(f, derived_columns(f->d)->track[launch], device);
	if (step != NONE_ID && f->beside[trace_device(derived_trace(f->d), device)->host] > 1)
		first_launches_add(&f->earliest, launch, device, step);
}

static bool read_launches(struct finder *f, struct progress *p, struct err *e)
{
	const struct trace *t = derived_trace(f->d);
	uint32_t devices = trace_devices(t);
	f->of = arena_alloc(f->mem, (devices + 1) * sizeof *f->of);
	for (uint32_t i = 0; i < devices; i++)
		f->of[i] = (struct device_order){.device = i,
						 .late_by_ns = UNKNOWN_I64,
						 .begin_idle_ns = UNKNOWN_I64,
						 .behind = NONE_ID,
						 .latest = NONE_ID,
						 .cause = CAUSE_COUNT,
						 .cause_row = NONE_ID};
	f->beside = arena_alloc(f->mem, (trace_hosts(t) + (size_t)1) * sizeof *f->beside);
	for (uint32_t i = 0; i < devices; i++)
		f->beside[trace_device(t, i)->host]++;
	f->fed = touched_zeroed(trace_tracks(t) + (size_t)1, sizeof *f->fed);
	bool fine = each_launch(f->d, f->q, p, count_launch, f, e);
	free(f->fed);
	return fine;
}

/* ---- steps ---------------------------------------------------------------------------------------------------------------- */

/* A step that has a time of its own on each device need not be at both at once. */
static bool counts(const struct finder *f, const struct device_launch *first, const struct device_launch *x,
		   int64_t *a_ns, int64_t *b_ns)
{
	int64_t first_a_ns, first_b_ns;
	step_time(f->d, x->step, first->device, &first_a_ns, &first_b_ns);
	step_time(f->d, x->step, x->device, a_ns, b_ns);
	return *a_ns < first_b_ns && first_a_ns < *b_ns && *a_ns >= f->q->a_ns && *b_ns <= f->q->b_ns &&
	       step_counts(&f->counted, x->step);
}

/* Of equally long waits that of the earlier step. */
static void take_longest(struct finder *f, const struct device_launch *first, const struct device_launch *x,
			 int64_t idle_ns)
{
	struct places *room = &f->room;
	if (idle_ns < room->most_ns || (idle_ns == room->most_ns && x->step > room->most_step))
		return;
	room->most_ns = idle_ns;
	room->most_step = x->step;
	f->of[x->device].latest = x->launch;
	f->of[x->device].latest_from_ns = first_launch_ns(&f->earliest, first);
}

/* One device of a step that has two or more. */
static void add_step(struct finder *f, const struct device_launch *x)
{
	int64_t a_ns, b_ns;
	const struct step_begin *begin = &f->begins[x->step];
	const struct device_launch *first = &f->earliest.at[begin->first];
	if (!counts(f, first, x, &a_ns, &b_ns))
		return;
	struct device_order *o = &f->of[x->device];
	struct places *room = &f->room;
	const struct step_device *part = derived_step_device(f->d, x->step, x->device);
	o->steps++;
	/* without a marker its time begins with its work */
	int64_t first_ns = first_launch_ns(&f->earliest, first), at_ns = first_launch_ns(&f->earliest, x);
	a_ns = earlier(first_ns, a_ns);
	o->steps_ns += b_ns - a_ns;
	if (part)
		room->begin_idle_ns[room->n_idle++] = part->first_ns > a_ns ? part->first_ns - a_ns : 0;
	o->first += x == first && !begin->at_once;
	int64_t late_ns = at_ns - first_ns;
	if (late_ns <= 0 || late_ns * 100 < b_ns - a_ns) /* and so is what of it is idle */
		return;
	const struct intervals *busy = derived_busy_device(f->d, x->device);
	room->near = intervals_after_near(busy, room->near, first_ns);
	int64_t idle_ns = late_ns - intervals_within_from(busy, room->near, first_ns, at_ns);
	if (idle_ns <= 0 || idle_ns * 100 < b_ns - a_ns)
		return;
	room->behind[o->late] = first->device;
	room->late_by_ns[o->late++] = late_ns;
	o->waiting_ns += idle_ns;
	take_longest(f, first, x, idle_ns);
}

/* Launches were met device by device. */
static void find_begins(struct finder *f)
{
	const struct first_launches *all = &f->earliest;
	f->begins = touched_zeroed(derived_steps(f->d) + (size_t)1, sizeof *f->begins);
	for (uint32_t i = 0; i < all->n; i++) {
		struct step_begin *b = &f->begins[all->at[i].step];
		int64_t at_ns = first_launch_ns(all, &all->at[i]),
			first_ns = b->devices ? first_launch_ns(all, &all->at[b->first]) : INT64_MAX;
		b->at_once = at_ns < first_ns ? false : b->at_once || at_ns == first_ns;
		b->first = at_ns < first_ns ? i : b->first;
		b->devices++;
	}
}

/* ---- the list ------------------------------------------------------------------------------------------------------------- */

/* Of devices that come as often the first one; NONE_ID: there is none. `times`: of each device 0, before and afterwards. */
static uint32_t most_often(const uint32_t *devices, uint32_t n, uint32_t *times)
{
	uint32_t most = NONE_ID;
	for (uint32_t i = 0; i < n; i++)
		times[devices[i]]++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = devices[i];
		if (most == NONE_ID || times[k] > times[most] || (times[k] == times[most] && k < most))
			most = k;
	}
	for (uint32_t i = 0; i < n; i++)
		times[devices[i]] = 0;
	return most;
}

/* Of the device that waits most. */
static void find_cause(struct finder *f, struct device_order *of, uint32_t n)
{
	struct device_order *most = NULL;
	for (uint32_t i = 0; i < n; i++)
		if (of[i].latest != NONE_ID && (!most || of[i].waiting_ns > most->waiting_ns))
			most = &of[i];
	if (!most)
		return;
	struct idles *idles = idles_new(f->d, f->q, most->device);
	struct idle_split split;
	idle_between(idles, most->device, most->latest_from_ns, derived_columns(f->d)->start_ns[most->latest], &split);
	for (int i = 0; i < CAUSE_COUNT; i++)
		if (split.part[i].ns > 0 && split.part[i].ns * 2 >= split.idle_ns) {
			most->cause = (enum cause)i;
			most->cause_row = split.part[i].row;
		}
	idles_free(idles);
}

/* The launches at[from .. to) are all of one device; times: per device 0, before and afterwards. */
static void add_device(struct finder *f, uint32_t from, uint32_t to, uint32_t *times)
{
	struct places *room = &f->room;
	struct device_order *o = &f->of[f->earliest.at[from].device];
	room->n_idle = room->near = 0;
	room->most_ns = 0;
	room->most_step = 0;
	for (uint32_t i = from; i < to; i++)
		if (f->begins[f->earliest.at[i].step].devices > 1)
			add_step(f, &f->earliest.at[i]);
	o->behind = most_often(room->behind, o->late, times);
	o->late_by_ns = o->late ? upper_median(room->late_by_ns, o->late) : UNKNOWN_I64;
	o->begin_idle_ns = room->n_idle ? upper_median(room->begin_idle_ns, room->n_idle) : UNKNOWN_I64;
}

static uint32_t device_end(const struct first_launches *all, uint32_t from)
{
	uint32_t to = from + 1;
	while (to < all->n && all->at[to].device == all->at[from].device)
		to++;
	return to;
}

static void add_devices(struct finder *f)
{
	const struct first_launches *all = &f->earliest;
	uint32_t most = 0;
	for (uint32_t from = 0, to; from < all->n; from = to) {
		to = device_end(all, from);
		most = to - from > most ? to - from : most;
	}
	f->room.late_by_ns = must(malloc(most * sizeof *f->room.late_by_ns));
	f->room.begin_idle_ns = must(malloc(most * sizeof *f->room.begin_idle_ns));
	f->room.behind = must(malloc(most * sizeof *f->room.behind));
	uint32_t *times = must(calloc(trace_devices(derived_trace(f->d)) + (size_t)1, sizeof *times));
	for (uint32_t from = 0, to; from < all->n; from = to) {
		to = device_end(all, from);
		add_device(f, from, to, times);
	}
	free(times);
	free(f->room.behind);
	free(f->room.begin_idle_ns);
	free(f->room.late_by_ns);
}

static void settle(struct finder *f, struct launch_order *out)
{
	uint32_t devices = trace_devices(derived_trace(f->d));
	out->at = arena_alloc(f->mem, (devices + 1) * sizeof *out->at);
	for (uint32_t i = 0; i < devices; i++)
		if (f->of[i].launches)
			out->at[out->n++] = f->of[i];
	find_cause(f, out->at, out->n);
}

bool launch_order_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct launch_order *out, struct err *e)
{
	struct finder f = {.d = d, .q = q, .mem = mem, .counted = counted_steps(d, q), .earliest.d = d};
	*out = (struct launch_order){0};
	bool fine = read_launches(&f, p, e);
	if (fine && f.earliest.n) {
		find_begins(&f);
		add_devices(&f);
	}
	if (fine)
		settle(&f, out);
	free(f.begins);
	first_launches_free(&f.earliest);
	return fine;
}
