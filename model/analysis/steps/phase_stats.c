/* Device time by phase: one pass to find where backward begins in each step, one to add up. */
#include "phases.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/derived/device_steps.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/query/halves.h"
#include "model/analysis/query/windowed.h"
#include "model/analysis/maths/order.h"
#include "model/store/base/memory.h"
#include <string.h>

struct phase_reader {
	READER_APART const struct derived *d;
	const struct query *q;
	struct arena *mem;
	struct phases *phases;
	struct arena own;
	struct phase_stats *out, stats; /* `at`: room for the rows of its devices */
	struct device_steps steps;
	int64_t *backward_ns; /* per step of the device: start of its first backward kernel */
	struct windowed w;
};

static void add_row(struct phase_reader *v, uint32_t step)
{
	struct phase_stats *s = v->out;
	s->at[s->n++] = (struct phase_sums){.device = v->steps.device, .step = step, .longest = NONE_ID};
}

static void find_backward(struct phase_reader *v)
{
	uint32_t n;
	const uint32_t *tracks = device_streams(v->d, v->steps.device, &n);
	v->backward_ns = arena_alloc(v->mem, (v->steps.n + 1u) * sizeof *v->backward_ns);
	pages_take(v->backward_ns, v->steps.n * sizeof *v->backward_ns);
	for (uint32_t i = 0; i < v->steps.n; i++)
		v->backward_ns[i] = INT64_MIN;
	for (uint32_t i = 0; v->steps.n && i < n; i++) {
		struct event_iter it =
			event_iter(derived_trace(v->d), tracks[i], v->steps.a_ns, v->steps.b_ns, KIND_BIT(KIND_KERNEL));
		while (event_next(&it)) {
			uint32_t step = device_steps_of(&v->steps, it.row);
			int64_t start_ns = derived_columns(v->d)->start_ns[it.row];
			if (step == NONE_ID || phase_of_work(v->phases, it.row).phase != WORK_BACKWARD)
				continue;
			if (v->backward_ns[step] == INT64_MIN || start_ns < v->backward_ns[step])
				v->backward_ns[step] = start_ns;
		}
	}
}

static struct work_phase_of phase_in_step(struct phase_reader *v, row_id r, uint32_t step)
{
	struct work_phase_of x = phase_of_work(v->phases, r);
	if (x.phase == WORK_OTHER && step != NONE_ID && derived_columns(v->d)->kind[r] == KIND_KERNEL &&
	    derived_columns(v->d)->start_ns[r] < v->backward_ns[step])
		x = (struct work_phase_of){WORK_FORWARD, PHASE_BY_ORDER};
	return x;
}

static void count(const struct derived *d, struct phase_sums *s, struct work_phase_of x, row_id r, int64_t ns)
{
	s->ns[x.phase] += ns;
	if (x.by != PHASE_BY_NOTHING)
		s->by_ns[x.by - PHASE_BY_NAME] += ns;
	if (s->longest == NONE_ID || derived_columns(d)->dur_ns[r] > derived_columns(d)->dur_ns[s->longest])
		s->longest = r;
}

/* The device inside the window, then its steps as a whole; false when the device does nothing there. */
static bool add_rows(struct phase_reader *v)
{
	const struct intervals *busy = derived_busy_device(v->d, v->steps.device);
	if (!busy->n || busy->at[0].a_ns >= v->q->b_ns || busy->at[busy->n - 1].b_ns < v->q->a_ns)
		return false;
	add_row(v, NONE_ID);
	for (uint32_t i = 0; i < v->steps.n; i++)
		add_row(v, v->steps.parts[i].step);
	return true;
}

struct interval phase_sums_time(const struct derived *d, const struct phase_stats *stats, const struct phase_sums *s)
{
	if (s->step != NONE_ID) {
		const struct step_device *part = derived_step_device(d, s->step, s->device);
		return (struct interval){part->first_ns, part->last_ns};
	}
	const struct intervals *busy = derived_busy_device(d, s->device);
	return (struct interval){later(busy->at[0].a_ns, stats->a_ns),
				 earlier(busy->at[busy->n - 1].b_ns, stats->b_ns)};
}

/* all: the row of the device; those of its steps stand after it. */
static void read_stream(struct phase_reader *v, uint32_t track, uint32_t all)
{
	windowed_track(&v->w, track, KINDS_WORK);
	while (windowed_next(&v->w)) {
		row_id r = v->w.row;
		uint32_t step = device_steps_of(&v->steps, r);
		struct work_phase_of x = phase_in_step(v, r, step);
		count(v->d, &v->out->at[all], x, r, windowed_clipped(&v->w));
		if (step != NONE_ID)
			count(v->d, &v->out->at[all + 1 + step], x, r, windowed_clipped(&v->w));
	}
}

static void read_device(struct phase_reader *v, uint32_t device)
{
	uint32_t n, all = v->out->n;
	const uint32_t *tracks = device_streams(v->d, device, &n);
	v->steps = device_steps_find(v->d, device, v->q->a_ns, v->q->b_ns);
	if (!add_rows(v))
		return;
	find_backward(v);
	for (uint32_t i = 0; i < n; i++)
		read_stream(v, tracks[i], all);
}

static bool read_devices(void *reader, uint32_t from, uint32_t to)
{
	struct phase_reader *v = reader;
	for (uint32_t i = from; i < to && !v->w.loop.cancelled; i++)
		read_device(v, i);
	return !v->w.loop.cancelled;
}

static bool reader_open(struct phase_reader *v, const struct derived *d, const struct query *q, struct progress *p,
			struct err *e)
{
	*v = (struct phase_reader){.d = d, .q = q, .w = windowed_open(d, q, p)};
	v->mem = &v->own;
	v->out = &v->stats;
	v->phases = phases_new(d, e);
	return v->phases != NULL;
}

/* Room for a row of each device and of each of its steps; the second half's lies behind the first one's. */
static void make_room(const struct derived *d, const struct halves *h, struct phase_reader of[2], struct arena *mem)
{
	uint32_t n;
	derived_step_devices(d, &n);
	size_t rows = n + (size_t)trace_devices(derived_trace(d));
	of[0].stats.at = arena_alloc(mem, (rows + 1) * sizeof *of->stats.at);
	pages_take(of[0].stats.at, rows * sizeof *of->stats.at);
	of[1].stats.at = of[0].stats.at + derived_parts_of_device(d, h->middle) + h->middle;
}

static void join(const struct phase_reader of[2], struct phase_stats *out)
{
	const struct phase_stats *x = &of[0].stats, *y = &of[1].stats;
	*out = (struct phase_stats){x->at, x->n + y->n, of->q->a_ns, of->q->b_ns};
	if (y->n)
		memmove(x->at + x->n, y->at, y->n * sizeof *y->at);
}

static bool phase_stats_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			     struct phase_stats *out, struct err *e)
{
	struct halves h = halves_of_devices(d);
	struct phase_reader of[2] = {0};
	*out = (struct phase_stats){0};
	bool whole = reader_open(&of[0], d, q, p, e) && (!halves_two(&h) || reader_open(&of[1], d, q, p, e));
	make_room(d, &h, of, mem);
	whole = whole && (halves_read(&h, read_devices, &of[0], &of[1]) || err_usage(e, "cancelled"));
	if (whole)
		join(of, out);
	for (int i = 0; i < 2; i++) {
		phases_free(of[i].phases);
		arena_free(&of[i].own);
	}
	return whole;
}

static bool make_part(const struct derived *d, const struct query *q, void *out, struct arena *mem, struct progress *p,
		      struct err *e)
{
	return phase_stats_make(d, q, mem, p, out, e);
}

const struct shared_part phase_stats_part = {sizeof(struct phase_stats), make_part};
