/* Grouping by reachability, SEMANTICS.md, X4: a root owns what it reaches through nesting on a thread,
 * launch -> device work, producer -> consumer and executor -> iterator edges, except what another root owns already. */
#include "derived_data.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

/* One end of an edge between threads: equal (type, id) joins. */
struct end {
	uint64_t id;
	int64_t type; /* producer type; EXECUTOR edges use their own number and fold the iteration into it */
	row_id row;
};
struct ends {
	struct end *at;
	uint32_t n, cap;
};
struct graph {
	struct derived *d;
	struct ends from, to; /* sorted by (type, id, row) */
	row_id *queue;
	uint32_t head, n_queue, cap_queue;
	uint32_t step;
};
enum { CROWD = 64 };
static const int64_t EXECUTOR_TYPE = -(INT64_C(1) << 61), LOOP_TYPE = INT64_MIN + (INT64_C(1) << 60);

static void ends_add(struct ends *v, int64_t type, uint64_t id, row_id row)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = (struct end){id, type, row};
}

static int end_key(const struct end *a, const struct end *b)
{
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}
static int end_order(const void *x, const void *y)
{
	const struct end *a = x, *b = y;
	int key = end_key(a, b);
	return key ? key : (a->row > b->row) - (a->row < b->row);
}

/* ---- edges ----------------------------------------------------------------------------------------------------------- */

static bool is_iterator_get_next(const char *name)
{
	size_t n = strlen(name);
	return !strncmp(name, "IteratorGetNext", 15) && n > 11 && !strcmp(name + n - 11, "::DoCompute");
}

static bool is_executor(const char *name)
{
	return !strcmp(name, "ExecutorState::Process");
}

/* An executor's iterations count as types of their own, far below those that files use, so that one key joins both numbers. */
static int64_t iteration_type(int64_t type, const struct host_info *h)
{
	return type + h->iter_num % (INT64_C(1) << 60);
}

static void add_ends(struct graph *g, row_id r, const struct host_info *h)
{
	if (h->producer_type != UNKNOWN_I64)
		ends_add(&g->from, h->producer_type, h->producer_id, r);
	if (h->consumer_type != UNKNOWN_I64)
		ends_add(&g->to, h->consumer_type, h->consumer_id, r);
	if (h->step_id == UNKNOWN_I64 || h->iter_num == UNKNOWN_I64)
		return;
	const char *name = trace_str(g->d->pub.t, g->d->pub.c->name[r]);
	uint64_t id = (uint64_t)h->step_id;
	if (is_executor(name)) {
		ends_add(&g->from, iteration_type(EXECUTOR_TYPE, h), id, r);
		ends_add(&g->to, iteration_type(LOOP_TYPE, h), id, r);
	} else if (is_iterator_get_next(name)) {
		ends_add(&g->to, iteration_type(EXECUTOR_TYPE, h), id, r);
	}
}

static void collect_ends(struct graph *g, uint32_t host)
{
	for (uint32_t i = 0; i < trace_tracks(g->d->pub.t); i++) {
		const struct track_info *k = trace_track(g->d->pub.t, i);
		if (k->host != host || !derived_is_host_track(k))
			continue;
		for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
			const struct host_info *h = g->d->pub.c->detail[r] ? trace_host_detail(g->d->pub.t, r) : NULL;
			if (h)
				add_ends(g, r, h);
		}
	}
	if (g->from.n)
		qsort(g->from.at, g->from.n, sizeof *g->from.at, end_order);
	if (g->to.n)
		qsort(g->to.at, g->to.n, sizeof *g->to.at, end_order);
}

static uint32_t lower(const struct ends *v, const struct end *key)
{
	uint32_t lo = 0, hi = v->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (end_key(&v->at[mid], key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint32_t crowd(const struct ends *v, uint32_t first, const struct end *key)
{
	uint32_t n = 0;
	while (n < CROWD && first + n < v->n && !end_key(&v->at[first + n], key))
		n++;
	return n;
}

/* ---- walking ---------------------------------------------------------------------------------------------------------- */

static void claim(struct graph *g, row_id r)
{
	if (g->d->pub.step_of[r] != NONE_ID)
		return;
	g->d->pub.step_of[r] = g->step;
	GROW_ARRAY(g->queue, g->n_queue, g->cap_queue);
	g->queue[g->n_queue++] = r;
}

static void follow_key(struct graph *g, int64_t type, uint64_t id)
{
	struct end key = {id, type, 0};
	uint32_t at = lower(&g->to, &key);
	if (crowd(&g->to, at, &key) >= CROWD && crowd(&g->from, lower(&g->from, &key), &key) >= CROWD)
		return; /* a key shared by that many on both sides joins nothing in particular */
	for (; at < g->to.n && !end_key(&g->to.at[at], &key); at++)
		claim(g, g->to.at[at].row);
}

static bool runs_iteration(const struct graph *g, row_id r, const struct host_info *h)
{
	return h->step_id != UNKNOWN_I64 && h->iter_num != UNKNOWN_I64 &&
	       is_executor(trace_str(g->d->pub.t, g->d->pub.c->name[r]));
}

static void follow_edges(struct graph *g, row_id r)
{
	const row_id *work;
	uint32_t n = g->d->pub.c->link[r] != NONE_ID ? trace_launched(g->d->pub.t, r, &work) : 0;
	for (uint32_t i = 0; i < n; i++)
		if (g->d->pub.step_of[work[i]] == NONE_ID)
			g->d->pub.step_of[work[i]] = g->step;
	const struct host_info *h = g->d->pub.c->detail[r] ? trace_host_detail(g->d->pub.t, r) : NULL;
	if (!h)
		return;
	if (h->producer_type != UNKNOWN_I64)
		follow_key(g, h->producer_type, h->producer_id);
	if (runs_iteration(g, r, h))
		follow_key(g, iteration_type(EXECUTOR_TYPE, h), (uint64_t)h->step_id);
}

static bool is_async(const struct derived *d, row_id r)
{
	const struct host_info *h = d->pub.c->detail[r] ? trace_host_detail(d->pub.t, r) : NULL;
	return h && h->is_async;
}

/* First row after r that r does not enclose; the rows between are nested in r. */
static row_id skip_nested(const struct derived *d, row_id r, row_id end)
{
	row_id at = r + 1;
	while (at < end && (row_end(d->pub.c, at) <= row_end(d->pub.c, r) || is_async(d, at)))
		at++;
	return at;
}

/* The start of a thread pool's region: what the thread does until the end belongs to the event that scheduled it. The reference
 * tool makes one event of the pair; both are instants in the file. An end belongs to the latest begin. */
static bool region_end(const struct derived *d, row_id r, int64_t *end_ns)
{
	const struct track_info *k = trace_track(d->pub.t, d->pub.c->track[r]);
	if (d->pub.c->dur_ns[r] || strcmp(trace_str(d->pub.t, d->pub.c->name[r]), "ThreadpoolListener::StartRegion"))
		return false;
	for (row_id at = r + 1; at < k->first + k->n; at++) {
		const char *name = d->pub.c->dur_ns[at] ? "" : trace_str(d->pub.t, d->pub.c->name[at]);
		if (!strcmp(name, "ThreadpoolListener::StartRegion"))
			return false;
		if (!strcmp(name, "ThreadpoolListener::StopRegion")) {
			*end_ns = d->pub.c->start_ns[at];
			return true;
		}
	}
	return false;
}

/* Claims what is nested in r on its thread; what another root owns keeps what is nested in it. */
static void follow_nesting(struct graph *g, row_id r)
{
	const struct derived *d = g->d;
	const struct track_info *k = trace_track(d->pub.t, d->pub.c->track[r]);
	row_id end = (row_id)(k->first + k->n);
	int64_t end_ns = row_end(d->pub.c, r);
	if (is_async(d, r))
		return;
	region_end(d, r, &end_ns);
	for (row_id at = r + 1; at < end && d->pub.c->start_ns[at] <= end_ns;) {
		if (is_async(d, at)) {
			at++;
			continue;
		}
		if (row_end(d->pub.c, at) > end_ns)
			return;
		if (d->pub.step_of[at] != NONE_ID && d->pub.step_of[at] != g->step) {
			at = skip_nested(d, at, end);
			continue;
		}
		if (d->pub.step_of[at] == NONE_ID) {
			d->pub.step_of[at] = g->step;
			follow_edges(g, at);
		}
		at++;
	}
}

/* The first event of an iteration of a loop stands for all its events: several threads run one iteration. */
static void follow_iteration(struct graph *g, row_id root)
{
	const struct host_info *h = g->d->pub.c->detail[root] ? trace_host_detail(g->d->pub.t, root) : NULL;
	if (h && runs_iteration(g, root, h))
		follow_key(g, iteration_type(LOOP_TYPE, h), (uint64_t)h->step_id);
}

static void claim_all(struct graph *g, row_id root)
{
	g->head = g->n_queue = 0;
	claim(g, root);
	follow_iteration(g, root);
	while (g->head < g->n_queue) {
		row_id r = g->queue[g->head++];
		follow_edges(g, r);
		follow_nesting(g, r);
	}
}

void graph_group(struct derived *d, uint32_t host, const row_id *roots, uint32_t n)
{
	struct graph g = {.d = d};
	collect_ends(&g, host);
	for (uint32_t i = 0; i < n; i++) {
		row_id r = roots[i];
		if (d->pub.step_of[r] != NONE_ID)
			continue; /* an outer root of its level, or an earlier one, owns it */
		struct step s = step_of_marker(d, host, r);
		g.step = steps_add(d, &s);
		claim_all(&g, r);
	}
	free(g.from.at);
	free(g.to.at);
	free(g.queue);
}
