#include "replicas.h"
#include <math.h>
#include <stdlib.h>
#include "comms.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/steps/step_phase.h"
#include "model/query.h"

struct finder {
	const struct derived *d;
	const struct query *q;
	struct arena *mem;
	const struct collectives *x;
	const struct computing *computing;
	struct lateness *late;
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

/* Edges of busy times of all devices: what lies between two with more than one device at work is shared by these. */
struct edge {
	int64_t at_ns;
	uint32_t device;
	bool begins;
};

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	if (x->begins != y->begins)
		return x->begins ? 1 : -1;
	return (x->device > y->device) - (x->device < y->device);
}

static struct edge *edges_of(struct finder *f, uint32_t *n_out)
{
	uint32_t devices = trace_devices(derived_trace(f->d)), n = 0, all = 0;
	for (uint32_t i = 0; i < devices; i++)
		all += derived_busy_device(f->d, i)->n;
	struct edge *edges = arena_alloc(f->mem, (2 * (size_t)all + 1) * sizeof *edges);
	for (uint32_t i = 0; i < devices; i++) {
		const struct intervals *busy = derived_busy_device(f->d, i);
		for (uint32_t k = intervals_after(busy, f->q->a_ns); k < busy->n && busy->at[k].a_ns < f->q->b_ns;
		     k++) {
			struct interval v = busy->at[k];
			query_clip(f->q, &v.a_ns, &v.b_ns);
			f->by_device[i].busy_ns += v.b_ns - v.a_ns;
			v.a_ns = rank_axis_time(&f->x->axis, trace_device(derived_trace(f->d), i)->host, v.a_ns);
			v.b_ns = rank_axis_time(&f->x->axis, trace_device(derived_trace(f->d), i)->host, v.b_ns);
			edges[n++] = (struct edge){v.a_ns, i, true};
			edges[n++] = (struct edge){v.b_ns, i, false};
		}
	}
	if (n > 1)
		qsort(edges, n, sizeof *edges, by_time);
	*n_out = n;
	return edges;
}

static void add_shared(struct finder *f)
{
	uint32_t n, at_work = 0, devices = trace_devices(derived_trace(f->d));
	for (uint32_t i = 0; i < devices; i++)
		f->by_device[i].last_ns = INT64_MIN;
	struct edge *edges = edges_of(f, &n);
	/* time with two or more at work until now; each device takes what is added while it works */
	int64_t shared_ns = 0, *since = arena_alloc(f->mem, (devices + 1) * sizeof *since);
	for (uint32_t i = 0; i < n; i++) {
		if (i && at_work > 1)
			shared_ns += edges[i].at_ns - edges[i - 1].at_ns;
		at_work += edges[i].begins ? 1 : -1u;
		struct replica *r = &f->by_device[edges[i].device];
		if (edges[i].begins)
			since[edges[i].device] = shared_ns;
		else
			r->shared_ns += shared_ns - since[edges[i].device];
		/* no edge lies before the first one of all */
		r->first_ns = r->last_ns == INT64_MIN ? edges[i].at_ns : r->first_ns;
		r->last_ns = edges[i].at_ns;
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

bool replicas_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		   struct replicas *out, struct err *e)
{
	struct finder f = {.d = d, .q = q, .mem = mem, .loop = {.progress = p}};
	*out = (struct replicas){0};
	f.by_device = arena_alloc(mem, (trace_devices(derived_trace(d)) + 1) * sizeof *f.by_device);
	const struct comms *comms = comms_of(d, p, e);
	if (!comms)
		return false;
	f.x = &comms->x;
	f.computing = &comms->computing;
	bool whole = lateness_find(d, q, f.x, mem, p, &f.late, e);
	if (whole) {
		add_steps(&f);
		add_shared(&f);
		find_together(&f);
		settle(&f, out);
		whole = !f.loop.cancelled || err_usage(e, "cancelled");
	}
	return whole;
}
