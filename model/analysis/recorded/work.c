#include "work.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/query/cells.h"

static struct work nothing(void)
{
	return (struct work){.first_ns = INT64_MAX, .last_ns = INT64_MIN};
}

/* What producers write as a size may be anything. */
static void add_bytes(int64_t *sum, int64_t bytes)
{
	if (bytes != UNKNOWN_I64 && __builtin_add_overflow(*sum, bytes, sum))
		*sum = INT64_MAX;
}

static void count_event(const struct derived *d, row_id r, struct work *w)
{
	w->events++;
	w->kernels += derived_columns(d)->kind[r] == KIND_KERNEL;
	w->memsets += derived_columns(d)->kind[r] == KIND_MEMSET;
	if (derived_columns(d)->kind[r] != KIND_COPY)
		return;
	w->copies++;
	const struct copy_info *copy = trace_copy(derived_trace(d), r);
	if (copy)
		add_bytes(&w->copy_bytes, copy->bytes);
}

static void add_event(const struct derived *d, const struct query *q, row_id r, struct work *w,
		      struct interval_list *busy)
{
	int64_t a_ns = later(derived_columns(d)->start_ns[r], q->a_ns),
		b_ns = earlier(row_end(derived_columns(d), r), q->b_ns);
	if (derived_columns(d)->start_ns[r] >= q->a_ns)
		count_event(d, r, w);
	w->work_ns += b_ns - a_ns;
	w->kernel_ns += derived_columns(d)->kind[r] == KIND_KERNEL ? b_ns - a_ns : 0;
	uint32_t role = work_role(d, r);
	if (role)
		w->class_ns[__builtin_ctz(role)] += b_ns - a_ns;
	w->first_ns = earlier(w->first_ns, a_ns);
	w->last_ns = later(w->last_ns, b_ns);
	if (busy)
		interval_add(busy, a_ns, b_ns);
}

/* busy: receives the events' intervals when a filter makes the precomputed union useless; else NULL. */
static struct work sum_track(const struct derived *d, const struct query *q, uint32_t track, struct interval_list *busy)
{
	struct work w = nothing();
	struct event_iter it = event_iter(derived_trace(d), track, q->a_ns, q->b_ns, KINDS_WORK);
	while (event_next(&it))
		if (event_wanted(d, q, it.row))
			add_event(d, q, it.row, &w, busy);
	return w;
}

struct work work_of_track(const struct derived *d, const struct query *q, uint32_t track)
{
	struct interval_list busy = {0};
	struct work w = sum_track(d, q, track, q->filter ? &busy : NULL);
	w.busy_ns = q->filter ? interval_list_total(&busy)
			      : intervals_within(derived_busy_track(d, track), q->a_ns, q->b_ns);
	interval_list_free(&busy);
	return w;
}

static void add_work(struct work *sum, const struct work *w)
{
	sum->events += w->events;
	sum->kernels += w->kernels;
	sum->copies += w->copies;
	sum->memsets += w->memsets;
	add_bytes(&sum->copy_bytes, w->copy_bytes);
	sum->kernel_ns += w->kernel_ns;
	sum->work_ns += w->work_ns;
	for (int i = 0; i < WORK_CLASSES; i++)
		sum->class_ns[i] += w->class_ns[i];
}

/* First start to last end of everything on the device, cut to the window: adds up over windows, gaps included. */
static void device_extent(const struct derived *d, const struct query *q, uint32_t device, struct work *w)
{
	const struct intervals *v = derived_busy_device(d, device);
	if (!v->n)
		return;
	int64_t a_ns = later(v->at[0].a_ns, q->a_ns), b_ns = earlier(v->at[v->n - 1].b_ns, q->b_ns);
	if (a_ns <= b_ns) {
		w->first_ns = a_ns;
		w->last_ns = b_ns;
	}
}

struct work work_of_device(const struct derived *d, const struct query *q, uint32_t device)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(d, device, &n);
	struct work sum = nothing();
	struct interval_sum streams = {0};
	for (uint32_t i = 0; i < n; i++) {
		struct interval_list one = {0};
		struct work w = sum_track(d, q, tracks[i], q->filter ? &one : NULL);
		add_work(&sum, &w);
		sum.first_ns = earlier(sum.first_ns, w.first_ns);
		sum.last_ns = later(sum.last_ns, w.last_ns);
		interval_sum_add(&streams, &one);
	}
	struct interval_list busy = interval_sum_end(&streams);
	sum.busy_ns = q->filter ? interval_list_total(&busy)
				: intervals_within(derived_busy_device(d, device), q->a_ns, q->b_ns);
	interval_list_free(&busy);
	if (!q->filter)
		device_extent(d, q, device, &sum);
	return sum;
}
