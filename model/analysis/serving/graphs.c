#include "graphs.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/median.h"
#include "model/analysis/names/launch_names.h"
#include "model/analysis/query/cells.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

enum { CALLS_LEAST = 3, CALLS_MOST = 100000 };

static int by_time(const void *a, const void *b)
{
	const struct graph_launch *x = a, *y = b;
	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static int by_graph(const void *a, const void *b)
{
	const struct graph_launch *x = a, *y = b;
	return x->graph != y->graph ? (x->graph < y->graph ? -1 : 1) : by_time(a, b);
}

static void add(struct graphs *g, const struct derived *d, const struct query *q, row_id launch, struct arena *mem)
{
	const struct columns *c = derived_columns(d);
	struct graph_launch x = {.launch = launch};
	x.n = trace_launched(derived_trace(d), launch, &x.work);
	if (!x.n || trace_track(derived_trace(d), c->track[x.work[0]])->device == NONE_ID)
		return;
	if (!query_holds(q, c->start_ns[x.work[0]]) || !event_wanted(d, q, launch))
		return;
	x.first_ns = c->start_ns[x.work[0]];
	x.device = trace_track(derived_trace(d), c->track[x.work[0]])->device;
	for (uint32_t i = 0; i < x.n; i++)
		x.last_ns = row_end(c, x.work[i]) > x.last_ns ? row_end(c, x.work[i]) : x.last_ns;
	g->at = arena_next_row(mem, g->at, g->n, sizeof *g->at);
	g->at[g->n++] = x;
}

/* They stand in order of time. */
static void set_next(struct graphs *g, const struct derived *d)
{
	uint32_t devices = trace_devices(derived_trace(d));
	int64_t *next_ns = must(malloc((devices + (size_t)1) * sizeof *next_ns));
	for (uint32_t i = 0; i < devices; i++)
		next_ns[i] = UNKNOWN_I64;
	for (uint32_t i = g->n; i-- > 0;) {
		struct graph_launch *x = &g->at[i];
		x->next_ns = next_ns[x->device];
		next_ns[x->device] = x->first_ns;
	}
	free(next_ns);
}

static void number(struct graphs *g, struct progress_loop *loop)
{
	for (uint32_t i = 0; i < g->n && !progress_loop_cancelled(loop); i++)
		g->at[i].graph = graph_place_of(g->places, g->at[i].work[0]).graph;
}

static void sort(struct graphs *g, int (*by)(const void *a, const void *b))
{
	if (g->n)
		qsort(g->at, g->n, sizeof *g->at, by);
}

bool graphs_find(const struct derived *d, const struct query *q, struct graphs *out, struct arena *mem,
		 struct progress *p, struct err *e)
{
	const struct columns *c = derived_columns(d);
	struct progress_loop loop = {.progress = p};
	uint8_t *names = graph_call_names(d);
	*out = (struct graphs){.places = graph_places_new(d, mem)};
	for (uint64_t r = 0; names && r < c->n && !progress_loop_cancelled(&loop); r++)
		if (c->kind[r] == KIND_RUNTIME && c->link[r] != NONE_ID && names[c->name[r]])
			add(out, d, q, (row_id)r, mem);
	free(names);
	sort(out, by_time);
	set_next(out, d);
	number(out, &loop);
	sort(out, by_graph);
	if (!loop.cancelled)
		return true;
	graphs_free(out);
	return err_usage(e, "cancelled");
}

void graphs_free(struct graphs *g)
{
	graph_places_free(g->places);
}

/* ---- calls that launch one kernel each --------------------------------------------------------------------------------- */

static bool launches_one_kernel(const struct derived *d, row_id r)
{
	const struct columns *c = derived_columns(d);
	const row_id *work;
	return c->kind[r] == KIND_RUNTIME && c->link[r] != NONE_ID &&
	       launch_starts(trace_str(derived_trace(d), c->name[r])) == LAUNCHES_KERNEL &&
	       trace_launched(derived_trace(d), r, &work) == 1;
}

int64_t kernel_call_ns(const struct derived *d, uint32_t process)
{
	const struct columns *c = derived_columns(d);
	uint32_t n_tracks, n = 0;
	const uint32_t *tracks = process_tracks(d, process, &n_tracks);
	int64_t *calls = must(malloc(CALLS_MOST * sizeof *calls));
	for (uint32_t i = 0; i < n_tracks; i++) {
		const struct track_info *k = trace_track(derived_trace(d), tracks[i]);
		for (uint64_t r = k->first; r < k->first + k->n && n < CALLS_MOST; r++)
			if (launches_one_kernel(d, (row_id)r))
				calls[n++] = c->dur_ns[r];
	}
	int64_t median_ns = n >= CALLS_LEAST ? median_of(calls, n) : UNKNOWN_I64;
	free(calls);
	return median_ns;
}

int64_t graph_calls_saved(int64_t each_ns, uint64_t work, int64_t calls_ns)
{
	if (each_ns == UNKNOWN_I64)
		return UNKNOWN_I64;
	int64_t single_ns = each_ns * (int64_t)work;
	return single_ns > calls_ns ? single_ns - calls_ns : 0;
}

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

/* How many launches from that place on are of one graph. */
static uint32_t graph_launches(const struct graphs *g, uint32_t i)
{
	uint32_t end = i;
	while (end < g->n && g->at[end].graph == g->at[i].graph)
		end++;
	return end - i;
}

struct table *graphs_table(const struct table_desc *desc, add_graph *each, const struct derived *d,
			   const struct query *q, struct arena *mem, struct progress *p, struct err *e)
{
	struct graphs g;
	struct table *out = table_new(mem, desc);
	query_bounds(q, derived_trace(d), &out->window_a_ns, &out->window_b_ns);
	if (!graphs_find(d, q, &g, mem, p, e))
		return NULL;
	for (uint32_t i = 0, n; i < g.n; i += n) {
		n = graph_launches(&g, i);
		each(out, d, &g, &g.at[i], n);
	}
	graphs_free(&g);
	return out;
}
