#include "launch_order.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/step_phase.h"
#include <stdlib.h>

struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct counted_steps counted;
	struct thread_uses uses;
	struct device_order *of; /* by device */
	struct places {
		int64_t *late_by_ns, *begin_idle_ns;
		uint32_t *behind; /* by device: how often it was first while this one was late */
		uint32_t n_idle;
		int64_t most_ns;
	} * room; /* by device */
};

/* ---- threads -------------------------------------------------------------------------------------------------------------- */

/* Per track whether it launches for several devices. */
static const bool *feed_several(const struct finder *f)
{
	uint32_t n = trace_tracks(derived_trace(f->d)), *device = arena_alloc(f->mem, (n + 1u) * sizeof *device);
	bool *several = arena_alloc(f->mem, n + 1u);
	for (uint32_t i = 0; i < f->uses.n; i++) {
		const struct thread_use *x = &f->uses.at[i];
		if (x->device == NONE_ID)
			continue;
		several[x->track] |= device[x->track] && device[x->track] != x->device + 1;
		device[x->track] = x->device + 1;
	}
	return several;
}

static void count_threads(struct finder *f)
{
	const struct trace *t = derived_trace(f->d);
	const bool *several = feed_several(f);
	for (uint32_t i = 0; i < f->uses.n; i++) {
		const struct thread_use *x = &f->uses.at[i];
		if (x->device == NONE_ID)
			continue;
		struct device_order *o = &f->of[x->device];
		o->launches += x->launches;
		if (!derived_is_thread(t, trace_track(t, x->track)))
			continue;
		o->threads++;
		o->shared = o->shared || several[x->track];
	}
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

/* One device of a step whose devices stand from `first` on, two or more, the earliest in front. */
static void add_step(struct finder *f, const struct device_launch *first, const struct device_launch *x)
{
	int64_t a_ns, b_ns;
	if (!counts(f, first, x, &a_ns, &b_ns))
		return;
	struct device_order *o = &f->of[x->device];
	struct places *room = &f->room[x->device];
	const struct step_device *part = derived_step_device(f->d, x->step, x->device);
	o->steps++;
	/* without a marker its time begins with its work */
	a_ns = first->at_ns < a_ns ? first->at_ns : a_ns;
	o->steps_ns += b_ns - a_ns;
	if (part)
		room->begin_idle_ns[room->n_idle++] = part->first_ns > a_ns ? part->first_ns - a_ns : 0;
	o->first += x == first && first[1].at_ns > first->at_ns;
	int64_t idle_ns = x->at_ns - first->at_ns -
			  intervals_within(derived_busy_device(f->d, x->device), first->at_ns, x->at_ns);
	if (idle_ns <= 0 || idle_ns * 100 < b_ns - a_ns)
		return;
	room->late_by_ns[o->late++] = x->at_ns - first->at_ns;
	room->behind[first->device]++;
	o->waiting_ns += idle_ns;
	if (idle_ns > room->most_ns) {
		room->most_ns = idle_ns;
		o->latest = x->launch;
		o->latest_from_ns = first->at_ns;
	}
}

static void add_steps(struct finder *f)
{
	for (uint32_t from = 0, to; from < f->uses.n_earliest; from = to) {
		const struct device_launch *first = &f->uses.earliest[from];
		for (to = from + 1; to < f->uses.n_earliest && f->uses.earliest[to].step == first->step;)
			to++;
		for (uint32_t i = from; i < to && to - from > 1; i++)
			add_step(f, first, &f->uses.earliest[i]);
	}
}

/* ---- the list ------------------------------------------------------------------------------------------------------------- */

static uint32_t most_often(const uint32_t *times, uint32_t n)
{
	uint32_t most = NONE_ID;
	for (uint32_t i = 0; i < n; i++)
		if (times[i] && (most == NONE_ID || times[i] > times[most]))
			most = i;
	return most;
}

static void settle(struct finder *f, struct launch_order *out)
{
	uint32_t devices = trace_devices(derived_trace(f->d));
	out->at = arena_alloc(f->mem, (devices + 1) * sizeof *out->at);
	for (uint32_t i = 0; i < devices; i++) {
		struct device_order *o = &f->of[i];
		struct places *room = &f->room[i];
		if (!o->launches)
			continue;
		o->behind = most_often(room->behind, devices);
		o->late_by_ns = o->late ? upper_median(room->late_by_ns, o->late) : UNKNOWN_I64;
		o->begin_idle_ns = room->n_idle ? upper_median(room->begin_idle_ns, room->n_idle) : UNKNOWN_I64;
		out->at[out->n++] = *o;
	}
}

static void make_room(struct finder *f)
{
	uint32_t devices = trace_devices(derived_trace(f->d)), *steps;
	f->of = arena_alloc(f->mem, (devices + 1) * sizeof *f->of);
	f->room = arena_alloc(f->mem, (devices + 1) * sizeof *f->room);
	steps = arena_alloc(f->mem, (devices + 1) * sizeof *steps);
	for (uint32_t i = 0; i < f->uses.n_earliest; i++)
		steps[f->uses.earliest[i].device]++;
	for (uint32_t i = 0; i < devices; i++) {
		f->of[i] = (struct device_order){.device = i, .behind = NONE_ID, .latest = NONE_ID};
		f->room[i].late_by_ns = arena_alloc(f->mem, (steps[i] + 1) * sizeof(int64_t));
		f->room[i].begin_idle_ns = arena_alloc(f->mem, (steps[i] + 1) * sizeof(int64_t));
		f->room[i].behind = arena_alloc(f->mem, (devices + 1) * sizeof(uint32_t));
	}
}

bool launch_order_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct launch_order *out, struct err *e)
{
	struct finder f = {.d = d, .q = q, .mem = mem, .counted = counted_steps(d, q)};
	*out = (struct launch_order){0};
	if (!thread_uses_make(d, q, mem, p, &f.uses, e))
		return false;
	make_room(&f);
	count_threads(&f);
	add_steps(&f);
	settle(&f, out);
	return true;
}
