/* launch_totals: launches of each device as a whole. What takes time with their number is computed when its cells are read. */
#include "launch_totals_columns.h"
#include "launch_cells.h"
#include "launch_pass.h"
#include "model/analysis/compat/hta_launches.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/store/base/memory.h"
#include "model/table.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/idle.h"
#include <stdlib.h>

TABLE_DECL(launch_totals);

static const struct column columns[] = {LAUNCH_TOTALS_COLUMNS(COLUMN_ROW)};
#define PLACE(id) [LAUNCH_CELL_##id] = COL_LAUNCH_TOTALS_##id,
static const uint8_t places[] = {LAUNCH_CELLS(PLACE)};

/* ---- beside the groups ------------------------------------------------------------------------------------------------ */

/* Of a device, beside its group. */
struct beside {
	int64_t step_bound_ns, steps_ns; /* idle time for launches inside the steps of its host, and these */
	int64_t watched_ns;              /* from its first to its last work, cut to the window */
	int64_t full_ns;                 /* waits of its host for a full command buffer */
};
/* What rows are made from. */
struct listing {
	const struct derived *d;
	struct launch_groups all;
	struct beside *beside; /* per group */
};
struct totals {
	const struct derived *d;
	const struct query *q;
	const struct idle_extents *extents;
	struct idles *idles;
	const struct step_device *parts;
	uint32_t n_parts;
	struct host_steps {         /* by host: */
		uint32_t from, end; /* its steps are among these; */
		bool in_order;      /* they are its own alone, and begin and end in this order */
		int64_t ns;         /* together, cut to the window */
	} * of_host;
};

/* False: the window has nothing of the step. */
static bool step_in_window(const struct totals *x, const struct step *s, int64_t *a_ns, int64_t *b_ns)
{
	*a_ns = s->start_ns;
	*b_ns = s->time_end_ns;
	query_clip(x->q, a_ns, b_ns);
	return *a_ns < *b_ns;
}

static struct host_steps *find_host_steps(const struct totals *x)
{
	struct host_steps *of = must(calloc(trace_hosts(derived_trace(x->d)) + (size_t)1, sizeof *of));
	for (uint32_t i = 0; i < derived_steps(x->d); i++) {
		const struct step *s = derived_step(x->d, i);
		struct host_steps *h = &of[s->host];
		int64_t a_ns, b_ns;
		if (!h->end)
			*h = (struct host_steps){.from = i, .end = i, .in_order = true};
		else
			h->in_order &=
				h->end == i && s[-1].start_ns <= s->start_ns && s[-1].time_end_ns <= s->time_end_ns;
		h->end = i + 1;
		h->ns += step_in_window(x, s, &a_ns, &b_ns) ? b_ns - a_ns : 0;
	}
	return of;
}

/* Idle time for launches inside the step of the part, of which [a, b) lies in the window. */
static inline int64_t latency_of_part(const struct totals *x, uint32_t part, int64_t a_ns, int64_t b_ns)
{
	const struct step_device *p = &x->parts[part];
	const struct step *s = derived_step(x->d, p->step);
	const struct idle_kept *known = x->extents->steps[part];
	int64_t own_a_ns, own_b_ns;
	step_time(x->d, p->step, p->device, &own_a_ns, &own_b_ns);
	if (known && own_a_ns == s->start_ns && own_b_ns == s->time_end_ns)
		return idle_kept_latency_ns(known);
	return idle_latency_between(x->idles, p->device, a_ns, b_ns);
}

/* Of steps [from, to) in which the device has no part. Many may lie in one idle time. */
static int64_t latency_without(const struct totals *x, uint32_t device, uint32_t from, uint32_t to)
{
	struct interval without = {0};
	int64_t sum_ns = 0, a_ns, b_ns;
	for (uint32_t i = from; i < to; i++) {
		if (!step_in_window(x, derived_step(x->d, i), &a_ns, &b_ns) ||
		    (a_ns >= without.a_ns && b_ns <= without.b_ns))
			continue;
		sum_ns += idle_latency_between(x->idles, device, a_ns, b_ns);
		without = idle_without_latency(x->idles, device);
	}
	return sum_ns;
}

/* Until when nothing between this part and the device's next one is launch latency, if one idle time is all there is between them: until the
 * work that ends it is launched. INT64_MIN: not known. */
static int64_t launched_ns(const struct totals *x, uint32_t part)
{
	const struct columns *c = derived_columns(x->d);
	const struct idle_kept *between = x->extents->between[part];
	const struct step_device *p = &x->parts[part];
	if (!between || idle_kept_n(between) != 1 || idle_kept_all_ns(between) != p[1].first_ns - p->last_ns ||
	    between->longest_row == NONE_ID)
		return INT64_MIN;
	row_id launch = c->link ? c->link[between->longest_row] : NONE_ID;
	return launch == NONE_ID ? p[1].first_ns : earlier(p[1].first_ns, c->start_ns[launch]);
}

/* Those between the parts `part` and the device's next one; both in order. */
static int64_t latency_between_parts(const struct totals *x, uint32_t part, uint32_t from, uint32_t to)
{
	if (from == to || (derived_step(x->d, from)->start_ns >= x->parts[part].last_ns &&
			   derived_step(x->d, to - 1)->time_end_ns <= launched_ns(x, part)))
		return 0;
	return latency_without(x, x->parts[part].device, from, to);
}

/* Steps and parts come in the same order; false: they do not. */
static bool add_in_order(const struct totals *x, const struct host_steps *h, uint32_t device, int64_t *sum_ns)
{
	uint32_t first = derived_parts_of_device(x->d, device), next = h->from;
	int64_t ns = 0, a_ns, b_ns;
	for (uint32_t i = first; i < x->n_parts && x->parts[i].device == device; i++) {
		uint32_t step = x->parts[i].step;
		if (!h->in_order || step < next || step >= h->end)
			return false;
		ns += i == first ? latency_without(x, device, next, step) : latency_between_parts(x, i - 1, next, step);
		if (step_in_window(x, derived_step(x->d, step), &a_ns, &b_ns))
			ns += latency_of_part(x, i, a_ns, b_ns);
		next = step + 1;
	}
	*sum_ns = ns + latency_without(x, device, next, h->end);
	return true;
}

static int64_t latency_of_each(const struct totals *x, const struct host_steps *h, uint32_t device)
{
	uint32_t host = trace_device(derived_trace(x->d), device)->host;
	int64_t sum_ns = 0, a_ns, b_ns;
	for (uint32_t i = h->from; i < h->end; i++) {
		const struct step_device *part = derived_step_device(x->d, i, device);
		if (derived_step(x->d, i)->host != host)
			continue;
		if (!part)
			sum_ns += latency_without(x, device, i, i + 1);
		else if (step_in_window(x, derived_step(x->d, i), &a_ns, &b_ns))
			sum_ns += latency_of_part(x, (uint32_t)(part - x->parts), a_ns, b_ns);
	}
	return sum_ns;
}

static void add_steps(const struct totals *x, uint32_t device, struct beside *out)
{
	const struct host_steps *h = &x->of_host[trace_device(derived_trace(x->d), device)->host];
	out->steps_ns = h->ns;
	if (!add_in_order(x, h, device, &out->step_bound_ns))
		out->step_bound_ns = latency_of_each(x, h, device);
}

static int64_t watched_ns(const struct totals *x, uint32_t device)
{
	int64_t a_ns, b_ns;
	if (!idle_extent(x->d, device, &a_ns, &b_ns))
		return 0;
	query_clip(x->q, &a_ns, &b_ns);
	return b_ns - a_ns;
}

static int64_t *full_buffers(const struct derived *d, const struct query *q, struct arena *mem)
{
	static const char name[] = "Command Buffer Full";
	const struct trace *t = derived_trace(d);
	const struct columns *c = trace_columns(t);
	str_id id = strings_find(trace_strings(t), name, sizeof name - 1);
	int64_t *of_host = arena_alloc(mem, (trace_hosts(t) + (size_t)1) * sizeof *of_host);
	for (uint32_t i = 0; id && i < trace_tracks(t); i++) {
		struct event_iter it = event_iter(t, i, q->a_ns, q->b_ns, KIND_BIT(KIND_OVERHEAD));
		while (event_next(&it)) {
			if (c->name[it.row] == id)
				of_host[trace_track(t, i)->host] +=
					query_clipped_ns(q, c->start_ns[it.row], row_end(c, it.row));
		}
	}
	return of_host;
}

static struct beside *find_beside(const struct totals *x, const struct launch_groups *all, struct arena *mem)
{
	struct beside *at = arena_alloc(mem, (all->n + (size_t)1) * sizeof *at);
	const int64_t *full_ns = full_buffers(x->d, x->q, mem);
	for (uint32_t i = 0; i < all->n; i++) {
		uint32_t device = all->at[i].device;
		add_steps(x, device, &at[i]);
		at[i].watched_ns = watched_ns(x, device);
		at[i].full_ns = full_ns[trace_device(derived_trace(x->d), device)->host];
	}
	return at;
}

/* ---- parts of a row --------------------------------------------------------------------------------------------------- */

static void make_latency(const void *ctx, uint32_t i, struct made_row *out)
{
	launch_latency_cells(out->cells, places, &((const struct listing *)ctx)->all, i);
}

static void make_calls(const void *ctx, uint32_t i, struct made_row *out)
{
	launch_call_cells(out->cells, places, &((const struct listing *)ctx)->all, i);
}

static void make_sums(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct launch_group *g = &l->all.at[i];
	const struct beside *beside = &l->beside[i];
	const struct trace *t = derived_trace(l->d);
	struct cell *row = out->cells;
	cell_rank(&row[COL_LAUNCH_TOTALS_RANK], t, trace_device(t, g->device)->host);
	cell_host(&row[COL_LAUNCH_TOTALS_HOST], t, trace_device(t, g->device)->host);
	cell_device(&row[COL_LAUNCH_TOTALS_DEVICE], t, g->device);
	launch_sum_cells(row, places, &l->all, i);
	cell_int(&row[COL_LAUNCH_TOTALS_LATENCYSUM], launch_group_ns(&l->all, g, LAUNCH_LATENCY_NS));
	cell_pct(&row[COL_LAUNCH_TOTALS_SHORTPCT], g->shorter, g->calls);
	cell_int(&row[COL_LAUNCH_TOTALS_GRAPH], g->graph);
	cell_pct(&row[COL_LAUNCH_TOTALS_BOUNDPCT], beside->step_bound_ns, beside->steps_ns);
	cell_pct(&row[COL_LAUNCH_TOTALS_BOUNDSPAN], launch_group_ns(&l->all, g, LAUNCH_BOUND_NS), beside->watched_ns);
	cell_int(&row[COL_LAUNCH_TOTALS_BLOCKED], launch_group_ns(&l->all, g, LAUNCH_BLOCKED_NS));
	cell_int(&row[COL_LAUNCH_TOTALS_BUFFER], beside->full_ns);
	out->evidence.rows = out->events;
	if (g->longest != NONE_ID)
		out->events[out->evidence.n++] = g->longest;
}

static const struct row_part row_parts[] = {
	{make_latency,
	 PART_BIT(COL_LAUNCH_TOTALS_LATENCY50) | PART_BIT(COL_LAUNCH_TOTALS_LATENCY95) |
		 PART_BIT(COL_LAUNCH_TOTALS_LATENCY99) | PART_BIT(COL_LAUNCH_TOTALS_LATENCYMAX),
	 false},
	{make_calls,
	 PART_BIT(COL_LAUNCH_TOTALS_CALL50) | PART_BIT(COL_LAUNCH_TOTALS_CALL99) | PART_BIT(COL_LAUNCH_TOTALS_CALLFAR) |
		 PART_BIT(COL_LAUNCH_TOTALS_WORK50),
	 false},
	{make_sums, 0, false},
};

/* ---- the reference's way ---------------------------------------------------------------------------------------------- */

enum { NS_PER_US = 1000 };

static void put_hta_host(struct table *t, const struct derived *d, const struct hta_call *at, uint32_t n)
{
	int64_t *delays = arena_alloc(t->mem, n * sizeof *delays), call_us = 0, work_us = 0, delay_us = 0,
		longest_us = at->delay_us;
	for (uint32_t i = 0; i < n; i++) {
		call_us += at[i].call_us;
		work_us += at[i].work_us;
		delay_us += at[i].delay_us;
		longest_us = at[i].delay_us > longest_us ? at[i].delay_us : longest_us;
		delays[i] = at[i].delay_us * NS_PER_US;
	}
	struct cell *row = table_row(t);
	cell_rank(&row[COL_LAUNCH_TOTALS_RANK], derived_trace(d), at->host);
	cell_host(&row[COL_LAUNCH_TOTALS_HOST], derived_trace(d), at->host);
	cell_int(&row[COL_LAUNCH_TOTALS_COUNT], n);
	cell_int(&row[COL_LAUNCH_TOTALS_CALLS], n);
	cell_int(&row[COL_LAUNCH_TOTALS_CALL], call_us * NS_PER_US);
	cell_int(&row[COL_LAUNCH_TOTALS_WORK], work_us * NS_PER_US);
	cell_int(&row[COL_LAUNCH_TOTALS_LATENCYSUM], delay_us * NS_PER_US);
	cell_int(&row[COL_LAUNCH_TOTALS_LATENCY50], median_of(delays, n));
	cell_int(&row[COL_LAUNCH_TOTALS_LATENCYMAX], longest_us * NS_PER_US);
}

static void put_hta(struct table *t, const struct derived *d)
{
	struct hta_launches x = hta_launches_read(d);
	for (uint32_t i = 0, end; i < x.n_calls; i = end) {
		for (end = i; end < x.n_calls && x.calls[end].host == x.calls[i].host; end++)
			;
		put_hta_host(t, d, &x.calls[i], end - i);
	}
	hta_launches_free(&x);
}

static bool read_launches(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			  struct launch_groups *out, struct err *e)
{
	struct query by_device = *q;
	by_device.by = "device";
	if (!launch_pass_fits(d, q))
		return launch_groups_make(d, &by_device, mem, p, out, e);
	const struct launch_pass *pass = shared_part(&launch_pass_part, d, q, mem, p, e);
	if (pass)
		*out = pass->by_device;
	return pass != NULL;
}

static struct table *run_launch_totals(const struct derived *d, const struct query *q, struct arena *mem,
				       struct progress *p, struct err *e)
{
	struct table *t = table_new(mem, &launch_totals_desc);
	struct totals x = {.d = d, .q = q};
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	if (derived_options(d)->semantics == SEM_HTA) {
		put_hta(t, d);
		return t;
	}
	struct listing *l = arena_alloc(mem, sizeof *l);
	l->d = d;
	/* first, for others ask for it, too */
	x.extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!x.extents || !read_launches(d, q, mem, p, &l->all, e))
		return NULL;
	x.idles = idles_new(d, q, NONE_ID);
	x.parts = derived_step_devices(d, &x.n_parts);
	x.of_host = find_host_steps(&x);
	l->beside = find_beside(&x, &l->all, mem);
	free(x.of_host);
	idles_free(x.idles);
	table_made_parts(t, l->all.n, row_parts, sizeof row_parts / sizeof *row_parts, l);
	return t;
}

const struct table_desc launch_totals_desc = {
	.name = "launch_totals",
	.title = "Launches per device",
	.help = "launches per device in total: latency, launch-bound time, graph launches, full queues",
	TABLE_COLUMNS(columns),
	.run = run_launch_totals,
	.first = COLUMN_LIST(COL_LAUNCH_TOTALS_DEVICE, COL_LAUNCH_TOTALS_BOUNDPCT, COL_LAUNCH_TOTALS_LATENCY50,
			     COL_LAUNCH_TOTALS_LATENCY99, COL_LAUNCH_TOTALS_CALLS, COL_LAUNCH_TOTALS_GRAPHPCT,
			     COL_LAUNCH_TOTALS_SHORTPCT, COL_LAUNCH_TOTALS_QUEUE),
	.lead = 2,
	.report = {.intro = "how long work waits for its launch, and what the device idled for launches",
		   .brief =
			   COLUMN_LIST(COL_LAUNCH_TOTALS_DEVICE, COL_LAUNCH_TOTALS_CALLS, COL_LAUNCH_TOTALS_LATENCY50,
				       COL_LAUNCH_TOTALS_LATENCY99, COL_LAUNCH_TOTALS_BOUND, COL_LAUNCH_TOTALS_BOUNDPCT,
				       COL_LAUNCH_TOTALS_GRAPHPCT, COL_LAUNCH_TOTALS_QUEUE),
		   .wide = COLUMN_LIST(COL_LAUNCH_TOTALS_RANK, COL_LAUNCH_TOTALS_DEVICE, COL_LAUNCH_TOTALS_COUNT,
				       COL_LAUNCH_TOTALS_CALLS, COL_LAUNCH_TOTALS_CALL, COL_LAUNCH_TOTALS_LATENCY50,
				       COL_LAUNCH_TOTALS_LATENCY95, COL_LAUNCH_TOTALS_LATENCY99,
				       COL_LAUNCH_TOTALS_LATENCYMAX, COL_LAUNCH_TOTALS_BOUND,
				       COL_LAUNCH_TOTALS_BOUNDPCT, COL_LAUNCH_TOTALS_UNLAUNCHED,
				       COL_LAUNCH_TOTALS_SHORTPCT, COL_LAUNCH_TOTALS_GRAPHPCT, COL_LAUNCH_TOTALS_QUEUE,
				       COL_LAUNCH_TOTALS_BLOCKED, COL_LAUNCH_TOTALS_UNKNOWN)},
	.vs = {.key = COLUMN_LIST(COL_LAUNCH_TOTALS_RANK, COL_LAUNCH_TOTALS_DEVICE),
	       .sums = COLUMN_LIST(COL_LAUNCH_TOTALS_BOUND, COL_LAUNCH_TOTALS_CALL, COL_LAUNCH_TOTALS_CALLS,
				   COL_LAUNCH_TOTALS_UNLAUNCHED)},
};
