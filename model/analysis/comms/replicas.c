#include "replicas.h"
#include <math.h>
#include <stdlib.h>
#include "comms.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/steps/step_phase.h"
#include "model/query.h"
#include "model/store/base/both.h"

struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	const struct collectives *x;
	const struct computing *computing;
	struct arena late_mem; /* of lateness */
	struct lateness *late;
	struct err late_err;
	struct replica *by_device;
	struct progress_loop loop;
};

/* ---- per step ------------------------------------------------------------------------------------------------------------ */

static void count_kernels(struct finder *f, const struct step_device *part, struct replica *r)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(f->d, part->device, &n);
	for (uint32_t i = 0; i < n; i++) {
		struct event_iter it = event_iter(derived_trace(f->d), tracks[i], part->first_ns, part->last_ns,
						  KIND_BIT(KIND_KERNEL));
		while (event_next(&it))
			if (derived_step_of(f->d, it.row) == part->step && !derived_is_collective(f->d, it.row))
				r->kernels++;
	}
}

static void add_steps(struct finder *f)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(f->d, &n);
	struct counted_steps counted = counted_steps(f->d, f->q);
	for (uint32_t i = 0; i < n && !progress_loop_cancelled(&f->loop); i++) {
		int64_t a_ns, b_ns;
		struct replica *r = &f->by_device[parts[i].device];
		step_time(f->d, parts[i].step, parts[i].device, &a_ns, &b_ns);
		if (a_ns < f->q->a_ns || b_ns > f->q->b_ns || !step_counts(&counted, parts[i].step))
			continue;
		r->steps++;
		r->step_ns += (double)(b_ns - a_ns);
		r->compute_ns += (double)intervals_within(&f->computing->devices[parts[i].device], a_ns, b_ns);
		count_kernels(f, &parts[i], r);
	}
	for (uint32_t i = 0; i < f->x->n; i++) {
		const struct collective *c = &f->x->at[i];
		int64_t a_ns, b_ns, wait_ns = collective_wait_ns(f->x, c);
		if (c->step == NONE_ID || collective_in_pairs(c))
			continue;
		step_time(f->d, c->step, c->device, &a_ns, &b_ns);
		if (a_ns < f->q->a_ns || b_ns > f->q->b_ns || !step_counts(&counted, c->step))
			continue;
		f->by_device[c->device].calls++;
		f->by_device[c->device].wait_ns += wait_ns == UNKNOWN_I64 ? 0 : (double)wait_ns;
	}
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

/* The edges of the busy times of all devices in order of time: what lies between two with more than one device at work is shared by
 * these. Each device's own edges are in order, so a heap of one edge per device gives the next of all. */
struct edge {
	int64_t at_ns, dur_ns; /* on the common axis; of the interval, as recorded */
	uint32_t device, interval;
	bool begins;
};
struct edges {
	const struct finder *f;
	struct edge *heap;
	uint32_t n;
};

static bool comes_first(const struct edge *x, const struct edge *y)
{
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns;
	return x->begins != y->begins ? y->begins : x->device < y->device;
}

static void sink(struct edges *q, uint32_t at)
{
	struct edge moved = q->heap[at];
	for (uint32_t child; (child = 2 * at + 1) < q->n; at = child) {
		child += child + 1 < q->n && comes_first(&q->heap[child + 1], &q->heap[child]);
		if (!comes_first(&q->heap[child], &moved))
			break;
		q->heap[at] = q->heap[child];
	}
	q->heap[at] = moved;
}

/* The edge of that interval on the common axis; false: it lies behind the window. */
static bool edge_of(const struct finder *f, uint32_t device, uint32_t interval, bool begins, struct edge *out)
{
	const struct intervals *busy = derived_busy_device(f->d, device);
	if (interval >= busy->n || busy->at[interval].a_ns >= f->q->b_ns)
		return false;
	struct interval v = busy->at[interval];
	query_clip(f->q, &v.a_ns, &v.b_ns);
	uint32_t host = trace_device(derived_trace(f->d), device)->host;
	*out = (struct edge){rank_axis_time(&f->x->axis, host, begins ? v.a_ns : v.b_ns), v.b_ns - v.a_ns, device,
			     interval, begins};
	return true;
}

static struct edges edges_new(const struct finder *f)
{
	uint32_t devices = trace_devices(derived_trace(f->d));
	struct edges q = {.f = f, .heap = arena_alloc(f->mem, (devices + 1) * sizeof *q.heap)};
	for (uint32_t i = 0; i < devices; i++)
		q.n += edge_of(f, i, intervals_after(derived_busy_device(f->d, i), f->q->a_ns), true, &q.heap[q.n]);
	for (uint32_t i = q.n / 2; i-- > 0;)
		sink(&q, i);
	return q;
}

static bool next_edge(struct edges *q, struct edge *out)
{
	if (!q->n)
		return false;
	*out = q->heap[0];
	if (!edge_of(q->f, out->device, out->interval + !out->begins, !out->begins, &q->heap[0]))
		q->heap[0] = q->heap[--q->n];
	sink(q, 0);
	return true;
}

/* One that works alone in the window shares nothing. */
static void add_lone(struct finder *f, const struct edge *first)
{
	const struct intervals *busy = derived_busy_device(f->d, first->device);
	struct replica *r = &f->by_device[first->device];
	uint32_t last = f->q->b_ns == INT64_MAX ? busy->n - 1 : intervals_after(busy, f->q->b_ns);
	struct edge end;
	while (last > first->interval && (last == busy->n || busy->at[last].a_ns >= f->q->b_ns))
		last--;
	edge_of(f, first->device, last, false, &end);
	r->busy_ns = intervals_within(busy, f->q->a_ns, f->q->b_ns);
	r->first_ns = first->at_ns;
	r->last_ns = end.at_ns;
}

static void add_shared(struct finder *f)
{
	uint32_t at_work = 0, devices = trace_devices(derived_trace(f->d));
	/* time with two or more at work until now; each device takes what is added while it works */
	int64_t shared_ns = 0, before_ns = 0, *since = arena_alloc(f->mem, (devices + 1) * sizeof *since);
	struct edges q = edges_new(f);
	for (uint32_t i = 0; i < devices; i++)
		f->by_device[i].last_ns = INT64_MIN;
	if (q.n == 1) {
		add_lone(f, &q.heap[0]);
		return;
	}
	for (struct edge x; next_edge(&q, &x); before_ns = x.at_ns) {
		struct replica *r = &f->by_device[x.device];
		shared_ns += at_work > 1 ? x.at_ns - before_ns : 0;
		at_work += x.begins ? 1 : -1u;
		if (x.begins)
			since[x.device] = shared_ns;
		else
			r->shared_ns += shared_ns - since[x.device];
		r->busy_ns += x.begins ? x.dur_ns : 0;
		/* no edge lies before the first one of all */
		r->first_ns = r->last_ns == INT64_MIN ? x.at_ns : r->first_ns;
		r->last_ns = x.at_ns;
	}
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
		if (r->busy_ns <= 0)
			continue;
		out->at[out->n++] = *r;
		known += r->steps > 0 && r->together;
		out->compute_mean_ns += r->steps && r->together ? r->compute_ns : 0;
	}
	out->compute_mean_ns = known ? out->compute_mean_ns / known : NAN;
}

/* Two threads: why devices are late, and what all of them do; each has its own memory. */
static bool find_lateness(void *ctx)
{
	struct finder *f = ctx;
	return lateness_find(f->d, f->q, f->x, &f->late_mem, f->loop.progress, &f->late, &f->late_err);
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
	const struct comms *comms = comms_of(d, p, e);
	if (!comms)
		return false;
	f.x = &comms->x;
	f.computing = &comms->computing;
	bool whole = both(2, add_times, find_lateness, &f);
	arena_adopt(mem, &f.late_mem);
	if (!whole)
		return err_usage(e, "cancelled");
	settle(&f, out);
	return true;
}
