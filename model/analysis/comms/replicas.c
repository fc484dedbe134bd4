#include "replicas.h"
#include <math.h>
#include <stdlib.h>
#include "comms.h"
#include "model/analysis/derived/device_steps.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/alone.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/steps/step_phase.h"
#include "model/query.h"
#include "model/store/base/both.h"
#include "model/store/base/memory.h"

struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	const struct comms *comms;
	const struct step_compute *steps; /* comms_steps */
	struct arena late_mem;            /* of lateness */
	struct lateness *late;
	struct err late_err;
	struct replica *by_device;
	struct progress_loop loop;
};

/* ---- per step ------------------------------------------------------------------------------------------------------------ */

/* Those of the device's steps that count, by their place on it; all of these lie in `about`. */
static void count_kernels(struct finder *f, uint32_t device, const bool *counted, struct interval about)
{
	uint32_t n;
	const struct columns *c = derived_columns(f->d);
	const uint32_t *tracks = device_streams(f->d, device, &n);
	struct device_steps steps = device_steps_find(f->d, device, INT64_MIN, INT64_MAX);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it =
			event_iter(derived_trace(f->d), tracks[i], about.a_ns, about.b_ns, KIND_BIT(KIND_KERNEL));
		while (event_next(&it) && !progress_loop_cancelled(&f->loop)) {
			uint32_t at = device_steps_of(&steps, it.row);
			if (at != NONE_ID && counted[at] && c->start_ns[it.row] < steps.parts[at].last_ns &&
			    !derived_is_collective(f->d, it.row))
				f->by_device[device].kernels++;
		}
	}
}

/* parts[from .. end) are all steps of one device, in order of time. */
static void add_steps_of_device(struct finder *f, const struct counted_steps *counts, uint32_t from, uint32_t end)
{
	uint32_t all;
	const struct step_device *parts = derived_step_devices(f->d, &all);
	struct replica *r = &f->by_device[parts[from].device];
	struct interval about = {INT64_MAX, INT64_MIN};
	bool *counted = must(calloc(end - from, sizeof *counted));
	for (uint32_t i = from; i < end && !progress_loop_cancelled(&f->loop); i++) {
		int64_t a_ns, b_ns;
		step_time(f->d, parts[i].step, parts[i].device, &a_ns, &b_ns);
		if (a_ns < f->q->a_ns || b_ns > f->q->b_ns || !step_counts(counts, parts[i].step))
			continue;
		r->steps++;
		r->step_ns += (double)(b_ns - a_ns);
		r->compute_ns += (double)f->steps[i].compute_ns;
		counted[i - from] = true;
		about = (struct interval){earlier(about.a_ns, parts[i].first_ns), later(about.b_ns, parts[i].last_ns)};
	}
	if (r->steps)
		count_kernels(f, parts[from].device, counted, about);
	free(counted);
}

static void add_collectives(struct finder *f, const struct counted_steps *counts)
{
	for (uint32_t i = 0; i < f->comms->x.n; i++) {
		const struct collective *c = &f->comms->x.at[i];
		int64_t a_ns, b_ns, wait_ns = collective_wait_ns(&f->comms->x, c);
		if (c->step == NONE_ID || collective_in_pairs(c))
			continue;
		step_time(f->d, c->step, c->device, &a_ns, &b_ns);
		if (a_ns < f->q->a_ns || b_ns > f->q->b_ns || !step_counts(counts, c->step))
			continue;
		f->by_device[c->device].calls++;
		f->by_device[c->device].wait_ns += wait_ns == UNKNOWN_I64 ? 0 : (double)wait_ns;
		f->by_device[c->device].steps_exposed_ns += f->comms->exposed[i].ns[EXPOSED_RANK];
	}
}

static void add_steps(struct finder *f)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(f->d, &n);
	struct counted_steps counts = counted_steps(f->d, f->q);
	for (uint32_t from = 0, end; from < n && !f->loop.cancelled; from = end) {
		for (end = from + 1; end < n && parts[end].device == parts[from].device;)
			end++;
		add_steps_of_device(f, &counts, from, end);
	}
	add_collectives(f, &counts);
}

static void to_means(struct replica *r)
{
	r->steps_ns = llround(r->step_ns);
	r->steps_wait_ns = llround(r->wait_ns);
	double n = r->steps ? r->steps : NAN;
	r->step_ns /= n;
	r->wait_ns /= n;
	r->compute_ns /= n;
	r->kernels /= n;
	r->calls /= n;
}

/* ---- together ------------------------------------------------------------------------------------------------------------- */

static const struct interval *busy_of(const struct finder *f, uint32_t device)
{
	return derived_busy_device(f->d, device)->at;
}

/* The first and the last interval of the device that lie in the window; false: it does nothing there. */
static bool work_of(const struct finder *f, uint32_t device, uint32_t *first, uint32_t *last)
{
	const struct intervals *busy = derived_busy_device(f->d, device);
	*first = intervals_after(busy, f->q->a_ns);
	if (*first >= busy->n || busy->at[*first].a_ns >= f->q->b_ns)
		return false;
	*last = f->q->b_ns == INT64_MAX ? busy->n - 1 : intervals_after(busy, f->q->b_ns);
	while (*last > *first && (*last == busy->n || busy->at[*last].a_ns >= f->q->b_ns))
		--*last;
	return true;
}

/* A moment of a device's work on the common axis. */
static int64_t on_axis(const void *ctx, uint32_t device, int64_t ts_ns)
{
	const struct finder *f = ctx;
	return rank_axis_time(&f->comms->x.axis, trace_device(derived_trace(f->d), device)->host, ts_ns);
}

static bool stop(const void *ctx)
{
	const struct finder *f = ctx;
	return progress_cancelled(f->loop.progress);
}

/* How many devices work in the window. */
static uint32_t add_extents(struct finder *f)
{
	uint32_t first, last, at_work = 0;
	for (uint32_t i = 0; i < trace_devices(derived_trace(f->d)); i++) {
		struct replica *r = &f->by_device[i];
		r->last_ns = INT64_MIN;
		if (!work_of(f, i, &first, &last))
			continue;
		at_work++;
		r->busy_ns = intervals_within(derived_busy_device(f->d, i), f->q->a_ns, f->q->b_ns);
		r->first_ns = on_axis(f, i, later(busy_of(f, i)[first].a_ns, f->q->a_ns));
		r->last_ns = on_axis(f, i, earlier(busy_of(f, i)[last].b_ns, f->q->b_ns));
	}
	return at_work;
}

/* How long the device works, as the common axis tells it. */
static int64_t work_on_axis(const struct finder *f, uint32_t device, const struct placed_intervals *work)
{
	int64_t sum_ns = 0;
	if (!f->comms->x.axis.fitted)
		return f->by_device[device].busy_ns;
	for (uint32_t i = 0; i < work->n; i++)
		sum_ns += on_axis(f, device, earlier(work->at[i].b_ns, work->b_ns)) -
			  on_axis(f, device, later(work->at[i].a_ns, work->a_ns));
	return sum_ns;
}

static void add_shared(struct finder *f)
{
	uint32_t devices = trace_devices(derived_trace(f->d)), first, last;
	if (add_extents(f) < 2)
		return;
	struct placed_intervals *work = must(calloc(devices, sizeof *work));
	int64_t *alone_ns = must(malloc(devices * sizeof *alone_ns));
	for (uint32_t i = 0; i < devices; i++)
		if (work_of(f, i, &first, &last))
			work[i] = (struct placed_intervals){busy_of(f, i) + first, last - first + 1, f->q->a_ns,
							    f->q->b_ns};
	struct placed_lists all = {work, devices, f->comms->x.axis.fitted ? on_axis : NULL, stop, f};
	intervals_alone(&all, alone_ns);
	for (uint32_t i = 0; i < devices; i++)
		f->by_device[i].shared_ns = work_on_axis(f, i, &work[i]) - alone_ns[i];
	f->loop.cancelled |= stop(f);
	free(alone_ns);
	free(work);
}

/* Two recordings of one device, one after the other, are no two devices beside each other. */
static bool beside(const struct replica *x, const struct replica *y)
{
	int64_t from_ns = x->first_ns > y->first_ns ? x->first_ns : y->first_ns;
	int64_t to_ns = x->last_ns < y->last_ns ? x->last_ns : y->last_ns;
	int64_t a_ns = x->last_ns - x->first_ns, b_ns = y->last_ns - y->first_ns;
	return x->busy_ns > 0 && y->busy_ns > 0 && to_ns > from_ns &&
	       (to_ns - from_ns) * 2 >= (a_ns < b_ns ? a_ns : b_ns);
}

static void find_together(struct finder *f)
{
	uint32_t devices = trace_devices(derived_trace(f->d));
	for (uint32_t i = 0; i < devices; i++)
		for (uint32_t k = 0; k < devices && !f->by_device[i].together; k++)
			f->by_device[i].together = k != i && beside(&f->by_device[i], &f->by_device[k]);
}

static void settle(struct finder *f, struct replicas *out)
{
	uint32_t devices = trace_devices(derived_trace(f->d)), known = 0;
	out->at = arena_alloc(f->mem, (devices + 1) * sizeof *out->at);
	out->compute_mean_ns = 0;
	for (uint32_t i = 0; i < devices; i++) {
		struct replica *r = &f->by_device[i];
		to_means(r);
		r->device = i;
		r->late = f->late[i];
		r->pace = (struct pace){NAN, NAN, NAN};
		if (r->busy_ns <= 0)
			continue;
		out->at[out->n++] = *r;
		known += r->steps > 0 && r->together;
		out->compute_mean_ns += r->steps && r->together ? r->compute_ns : 0;
	}
	out->compute_mean_ns = known ? out->compute_mean_ns / known : NAN;
}

static enum late_compute compute_of(const struct pace *p, enum late_compute otherwise)
{
	enum { HALF_PCT = 50 };
	return pace_is_slow(p)           ? LATE_SLOW
	       : isnan(p->more_pct)      ? otherwise
	       : p->more_pct >= HALF_PCT ? LATE_MORE
					 : LATE_LONGER;
}

static void add_late_compute(struct finder *f, struct replicas *all)
{
	struct late_work *work = arena_alloc(f->mem, (all->n + (size_t)1) * sizeof *work);
	for (uint32_t i = 0; i < all->n; i++) {
		const struct replica *r = &all->at[i];
		work[i] = (struct late_work){r->steps && r->together ? r->compute_ns : NAN, r->kernels, LATE_UNASKED};
	}
	late_work_compare(work, all->n);
	for (uint32_t i = 0; i < all->n; i++)
		all->at[i].late.compute = work[i].compute;
}

/* Whether kernels take longer is asked of the device that computes longest, and of the one that is waited for. */
static void add_pace(struct finder *f, struct replicas *all)
{
	struct replica *longest = NULL, *latest = NULL;
	for (uint32_t i = 0; i < all->n; i++) {
		struct replica *r = &all->at[i];
		if (r->together && (!longest || r->compute_ns > longest->compute_ns))
			longest = r;
		if (r->late.waited_for_ns > 0 && (!latest || r->late.waited_for_ns > latest->late.waited_for_ns))
			latest = r;
	}
	if (longest)
		longest->pace = pace_of(f->d, f->q, longest->device);
	if (latest && latest != longest)
		latest->pace = pace_of(f->d, f->q, latest->device);
	if (latest)
		latest->late.compute = compute_of(&latest->pace, latest->late.compute);
}

/* Two threads: why devices are late, and what all of them do; each has its own memory. */
static bool find_lateness(void *ctx)
{
	struct finder *f = ctx;
	return lateness_find(f->d, f->q, f->comms, &f->late_mem, f->loop.progress, &f->late, &f->late_err);
}

static bool add_times(void *ctx)
{
	struct finder *f = ctx;
	add_steps(f);
	add_shared(f);
	find_together(f);
	return !f->loop.cancelled;
}

bool replicas_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		   struct replicas *out, struct err *e)
{
	struct finder f = {.d = d, .q = q, .mem = mem, .loop = {.progress = p}, .late_err = {.at = -1}};
	*out = (struct replicas){0};
	f.by_device = arena_alloc(mem, (trace_devices(derived_trace(d)) + 1) * sizeof *f.by_device);
	f.comms = comms_of(d, p, e);
	f.steps = f.comms ? comms_steps(d, f.comms, mem, p, e) : NULL;
	if (!f.steps)
		return false;
	bool whole = both(2, add_times, find_lateness, &f);
	arena_adopt(mem, &f.late_mem);
	if (!whole)
		return err_usage(e, "cancelled");
	settle(&f, out);
	add_late_compute(&f, out);
	add_pace(&f, out);
	return true;
}
