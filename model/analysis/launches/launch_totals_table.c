/* launch_totals: launches of each device as a whole. */
#include "launch_totals_columns.h"
#include "launch_cells.h"
#include "model/analysis/compat/hta_launches.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/idle.h"
#include <stdlib.h>
#include <string.h>

TABLE_DECL(launch_totals);

static const struct column columns[] = {LAUNCH_TOTALS_COLUMNS(COLUMN_ROW)};
#define PLACE(id) [LAUNCH_CELL_##id] = COL_LAUNCH_TOTALS_##id,
static const uint8_t places[] = {LAUNCH_CELLS(PLACE)};

/* ---- beside the groups ------------------------------------------------------------------------------------------------ */

struct totals {
	struct table *out;
	const struct derived *d;
	const struct query *q;
	const struct idle_extents *extents;
	struct idles *idles;
	int64_t *full_ns; /* per host: waits for a full command buffer */
};

/* Idle time for launches inside [a, b) of the step, cut to the window. */
static int64_t latency_ns(const struct totals *x, uint32_t step, uint32_t device, int64_t a_ns, int64_t b_ns)
{
	uint32_t n;
	const struct step_device *parts = derived_step_devices(x->d, &n),
				 *part = derived_step_device(x->d, step, device);
	const struct idle_sums *known = part ? &x->extents->steps[part - parts] : NULL;
	int64_t own_a_ns, own_b_ns;
	step_time(x->d, step, device, &own_a_ns, &own_b_ns);
	query_clip(x->q, &own_a_ns, &own_b_ns);
	if (known && known->told && own_a_ns == a_ns && own_b_ns == b_ns)
		return known->latency_ns;
	return idle_latency_between(x->idles, device, a_ns, b_ns);
}

/* Idle time for launches inside the steps of the device's host, in per cent of them. */
static void put_step_share(const struct totals *x, struct cell *c, uint32_t device)
{
	uint32_t host = trace_device(derived_trace(x->d), device)->host;
	int64_t bound_ns = 0, steps_ns = 0;
	for (uint32_t i = 0; i < derived_steps(x->d); i++) {
		const struct step *s = derived_step(x->d, i);
		int64_t a_ns = s->time_start_ns, b_ns = s->time_end_ns;
		query_clip(x->q, &a_ns, &b_ns);
		if (s->host != host || a_ns >= b_ns)
			continue;
		bound_ns += latency_ns(x, i, device, a_ns, b_ns);
		steps_ns += b_ns - a_ns;
	}
	cell_pct(c, bound_ns, steps_ns);
}

/* From the first to the last work of the device, cut to the window. */
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

/* ---- a row ------------------------------------------------------------------------------------------------------------ */

static void put_device(const struct totals *x, const struct launch_groups *all, uint32_t group)
{
	const struct launch_group *g = &all->at[group];
	const struct trace *t = derived_trace(x->d);
	uint32_t host = trace_device(t, g->device)->host;
	struct cell *row = table_row(x->out);
	cell_rank(&row[COL_LAUNCH_TOTALS_RANK], t, host);
	cell_host(&row[COL_LAUNCH_TOTALS_HOST], t, host);
	cell_device(&row[COL_LAUNCH_TOTALS_DEVICE], t, g->device);
	launch_cells(row, places, all, group);
	cell_int(&row[COL_LAUNCH_TOTALS_LATENCYSUM], g->latency_ns);
	cell_pct(&row[COL_LAUNCH_TOTALS_SHORTPCT], g->shorter, g->calls);
	cell_int(&row[COL_LAUNCH_TOTALS_GRAPH], g->graph);
	put_step_share(x, &row[COL_LAUNCH_TOTALS_BOUNDPCT], g->device);
	cell_pct(&row[COL_LAUNCH_TOTALS_BOUNDSPAN], g->launch_bound_ns, watched_ns(x, g->device));
	cell_int(&row[COL_LAUNCH_TOTALS_BLOCKED], g->blocked_ns);
	cell_int(&row[COL_LAUNCH_TOTALS_BUFFER], x->full_ns[host]);
	if (g->longest != NONE_ID)
		table_evidence(x->out, 0, 0, &g->longest, 1);
}

static void put_devices(struct table *t, const struct derived *d, const struct query *q,
			const struct idle_extents *extents, const struct launch_groups *all)
{
	struct totals x = {t, d, q, extents, idles_new(d, q, NONE_ID), full_buffers(d, q, t->mem)};
	for (uint32_t i = 0; i < all->n; i++)
		put_device(&x, all, i);
	idles_free(x.idles);
}

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

static struct table *run_launch_totals(const struct derived *d, const struct query *q, struct arena *mem,
				       struct progress *p, struct err *e)
{
	struct table *t = table_new(mem, &launch_totals_desc);
	struct query by_device = *q;
	struct launch_groups all;
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	if (derived_options(d)->semantics == SEM_HTA) {
		put_hta(t, d);
		return t;
	}
	by_device.by = "device";
	/* first, for others ask for it, too */
	const struct idle_extents *extents = shared_part(&idle_extents_part, d, q, mem, p, e);
	if (!extents || !launch_groups_make(d, &by_device, mem, p, &all, e))
		return NULL;
	put_devices(t, d, q, extents, &all);
	launch_groups_free(&all);
	return t;
}

const struct table_desc launch_totals_desc = {
	.name = "launch_totals",
	.title = "Launches per device",
	.help = "launches of each device as a whole: latency, launch-bound time, graph launches, full queues",
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
