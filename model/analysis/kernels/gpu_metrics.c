/* One sweep over each device: the kernels of its streams in order of their start, those that run in a heap by their end. */
#include "gpu_metrics.h"
#include "model/store/base/grow.h"
#include "model/analysis/compat/steps_kineto.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/query/halves.h"
#include "model/analysis/query/windowed.h"
#include <math.h>
#include <stdlib.h>

/* ---- a heap: the earliest first ----------------------------------------------------------------------------------- */

struct moment {
	int64_t at_ns;
	double share;  /* of the multiprocessors; of a kernel that runs */
	uint32_t lane; /* of a kernel that is next on its stream */
};
struct heap {
	struct moment *at;
	uint32_t n, cap;
};

static void heap_push(struct heap *h, struct moment m)
{
	GROW_ARRAY(h->at, h->n, h->cap);
	uint32_t i = h->n++;
	for (; i && h->at[(i - 1) / 2].at_ns > m.at_ns; i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = m;
}

static struct moment heap_pop(struct heap *h)
{
	struct moment top = h->at[0], last = h->at[--h->n];
	uint32_t i = 0, child;
	for (; (child = 2 * i + 1) < h->n; i = child) {
		child += child + 1 < h->n && h->at[child + 1].at_ns < h->at[child].at_ns;
		if (h->at[child].at_ns >= last.at_ns)
			break;
		h->at[i] = h->at[child];
	}
	h->at[i] = last;
	return top;
}

/* ---- a device ----------------------------------------------------------------------------------------------------- */

struct sweep {
	const struct derived *d;
	struct query q; /* its window is the range */
	bool kineto;
	struct windowed *lanes;
	struct heap next, running;
	int64_t now_ns;
	double share; /* sum of those that run */
	struct gpu_metrics *out;
	const struct device *device;
};

static void move_to(struct sweep *s, int64_t at_ns)
{
	if (s->running.n) {
		s->out->kernel_ns += at_ns - s->now_ns;
		s->out->sm_ns += fmin(s->share, 1) * (double)(at_ns - s->now_ns);
	}
	s->now_ns = at_ns;
}

static void end_until(struct sweep *s, int64_t at_ns)
{
	while (s->running.n && s->running.at[0].at_ns <= at_ns) {
		move_to(s, s->running.at[0].at_ns);
		s->share -= heap_pop(&s->running).share;
		s->share = s->running.n ? s->share : 0; /* no rounding error outlives a pause */
	}
}

static double blocks_per_sm(const struct sweep *s, const struct kernel_info *k)
{
	if (!k || !isnan(k->blocks_per_sm))
		return k ? (double)k->blocks_per_sm : NAN;
	bool grid = k->grid[0] != UNKNOWN_U32 && k->grid[1] != UNKNOWN_U32 && k->grid[2] != UNKNOWN_U32;
	if (s->kineto || !grid || s->device->sms <= 0)
		return NAN;
	return (double)k->grid[0] * k->grid[1] * k->grid[2] / (double)s->device->sms;
}

/* Producers write whole percents: 0 is right for a grid too small to make one, else it says that they could not tell. */
static bool occupancy_told(const struct sweep *s, const struct kernel_info *k, double blocks)
{
	static const double warp_slots = 2048 / 200.0; /* threads of an SM that make half a percent */
	double threads = k && k->block[0] != UNKNOWN_U32 ? (double)k->block[0] * k->block[1] * k->block[2] : NAN;
	return k && (k->occupancy_pct > 0 || (!(k->occupancy_pct < 0) && !isnan(k->occupancy_pct) &&
					      (s->kineto || blocks * threads < warp_slots)));
}

/* What the kernel tells of itself; returns its share of the multiprocessors, 0 when unknown. */
static double take_facts(struct sweep *s, const struct kernel_info *k, int64_t ns)
{
	double blocks = blocks_per_sm(s, k);
	s->out->kernels++;
	s->out->work_ns += ns;
	if (occupancy_told(s, k, blocks)) {
		s->out->occupancy_known++;
		s->out->occupancy_known_ns += ns;
		s->out->occupancy_ns += (double)k->occupancy_pct * (double)ns;
	}
	if (!(blocks > 0))
		return 0;
	s->out->blocks_known++;
	s->out->blocks_known_ns += ns;
	return fmin(blocks, 1);
}

static void queue_next(struct sweep *s, uint32_t lane)
{
	struct windowed *w = &s->lanes[lane];
	if (!windowed_next(w))
		return;
	facts_ahead(s->d, w->row);
	heap_push(&s->next, (struct moment){.at_ns = w->c->start_ns[w->row], .lane = lane});
}

static void take_kernel(struct sweep *s, row_id r)
{
	int64_t a_ns = derived_columns(s->d)->start_ns[r], b_ns = row_end(derived_columns(s->d), r);
	a_ns = a_ns > s->q.a_ns ? a_ns : s->q.a_ns;
	b_ns = b_ns < s->q.b_ns ? b_ns : s->q.b_ns;
	end_until(s, a_ns);
	move_to(s, a_ns);
	double share = take_facts(s, trace_kernel(derived_trace(s->d), r), b_ns > a_ns ? b_ns - a_ns : 0);
	if (b_ns <= a_ns)
		return;
	s->share += share;
	heap_push(&s->running, (struct moment){.at_ns = b_ns, .share = share});
}

static bool sweep_device(struct sweep *s, uint32_t device, struct progress *p)
{
	uint32_t n;
	bool cancelled = false;
	const uint32_t *streams = device_streams(s->d, device, &n);
	for (uint32_t i = 0; i < n; i++) {
		s->lanes[i] = windowed_open(s->d, &s->q, p);
		windowed_track(&s->lanes[i], streams[i], KIND_BIT(KIND_KERNEL));
		queue_next(s, i);
	}
	s->now_ns = s->q.a_ns;
	while (s->next.n) {
		uint32_t lane = heap_pop(&s->next).lane;
		take_kernel(s, s->lanes[lane].row);
		queue_next(s, lane);
	}
	end_until(s, INT64_MAX);
	for (uint32_t i = 0; i < n; i++)
		cancelled |= s->lanes[i].loop.cancelled;
	return !cancelled;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------- */

static void range_of_work(const struct derived *d, uint32_t device, struct query *q)
{
	const struct intervals *busy = derived_busy_device(d, device);
	uint32_t first = intervals_after(busy, q->a_ns), last = busy->n;
	while (last > first && busy->at[last - 1].a_ns >= q->b_ns)
		last--;
	if (first == last) {
		q->b_ns = q->a_ns = 0;
		return;
	}
	q->a_ns = busy->at[first].a_ns > q->a_ns ? busy->at[first].a_ns : q->a_ns;
	q->b_ns = busy->at[last - 1].b_ns < q->b_ns ? busy->at[last - 1].b_ns : q->b_ns;
}

static void range_of_steps(const struct derived *d, uint32_t device, const struct kineto_steps *steps, struct query *q)
{
	int64_t a_ns = INT64_MAX, b_ns = INT64_MIN;
	for (uint32_t i = 0; i < steps->n; i++)
		if (steps->at[i].host == trace_device(derived_trace(d), device)->host) {
			a_ns = steps->at[i].a_ns < a_ns ? steps->at[i].a_ns : a_ns;
			b_ns = steps->at[i].b_ns > b_ns ? steps->at[i].b_ns : b_ns;
		}
	q->a_ns = a_ns > q->a_ns ? a_ns : q->a_ns;
	q->b_ns = b_ns < q->b_ns ? b_ns : q->b_ns;
	if (q->a_ns >= q->b_ns)
		q->a_ns = q->b_ns = 0;
}

/* A sweep over the devices of one half. */
struct half {
	READER_APART struct sweep s;
	const struct query *q;
	const struct kineto_steps *steps;
	struct gpu_metrics *out; /* by device */
	struct progress *p;
};

static bool measure_device(struct half *h, uint32_t device)
{
	struct sweep *s = &h->s;
	s->q = *h->q;
	s->out = &h->out[device];
	s->device = trace_device(derived_trace(s->d), device);
	if (s->kineto)
		range_of_steps(s->d, device, h->steps, &s->q);
	else
		range_of_work(s->d, device, &s->q);
	s->out->from_ns = s->q.a_ns;
	s->out->to_ns = s->q.b_ns;
	return s->q.a_ns == s->q.b_ns || sweep_device(s, device, h->p);
}

static bool measure_devices(void *reader, uint32_t from, uint32_t to)
{
	struct half *h = reader;
	struct sweep *s = &h->s;
	bool fine = true;
	s->lanes = must(malloc((trace_tracks(derived_trace(s->d)) + (size_t)1) * sizeof *s->lanes));
	for (uint32_t i = from; i < to && fine; i++)
		fine = measure_device(h, i);
	free(s->lanes);
	free(s->next.at);
	free(s->running.at);
	return fine;
}

bool gpu_metrics_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct gpu_metrics **out, struct err *e)
{
	struct halves halves = halves_of_devices(d);
	bool kineto = derived_options(d)->semantics == SEM_KINETO;
	struct kineto_steps steps = kineto ? kineto_steps(d) : (struct kineto_steps){0};
	*out = arena_alloc(mem, (trace_devices(derived_trace(d)) + 1u) * sizeof **out);
	struct half half = {.s = {.d = d, .kineto = kineto}, .q = q, .steps = &steps, .out = *out, .p = p};
	struct half of[] = {half, half};
	bool fine = halves_read(&halves, measure_devices, &of[0], &of[1]);
	kineto_free(&steps);
	return fine || err_usage(e, "cancelled");
}
