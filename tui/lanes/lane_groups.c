#include "lane_groups.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

const char *lane_order_word(enum lane_order by)
{
	static const char *const words[] = {
#define LANE_ORDER_WORD(id, word, help) word,
		LANE_ORDERS(LANE_ORDER_WORD)
#undef LANE_ORDER_WORD
	};
	return words[by];
}

/* ---- what stands for what ------------------------------------------------------------------------------------------- */

/* The stream whose events are picked on the device's row: that of collectives, else the busiest one. */
static int64_t weight_of(const struct derived *d, uint32_t track)
{
	const struct track_info *info = trace_track(derived_trace(d), track);
	int64_t busy = info->kind == TRACK_STREAM ? intervals_total(derived_busy_track(d, track)) : -1;
	return derived_role(d, track) & ROLE_COLLECTIVE ? busy + (INT64_C(1) << 62) : busy;
}

static void find_tracks(struct lane_groups *g, const struct derived *d)
{
	for (uint32_t i = 0; i < trace_device_tracks(g->t); i++) {
		const struct track_info *info = trace_track(g->t, i);
		if (info->device == NONE_ID || !info->n || !derived_busy_device(d, info->device)->n)
			continue;
		uint32_t *now = &g->track[info->device];
		if (*now == NONE_ID || weight_of(d, i) > weight_of(d, *now))
			*now = i;
	}
}

/* By host its only device that works; NONE_ID: none, or several. */
static uint32_t *only_devices(const struct lane_groups *g)
{
	size_t n = trace_hosts(g->t) + (size_t)1;
	uint32_t *only = must(malloc(n * sizeof *only));
	bool *met = must(calloc(n, sizeof *met));
	memset(only, 0xff, n * sizeof *only);
	for (uint32_t i = 0; i < trace_devices(g->t); i++) {
		uint32_t host = trace_device(g->t, i)->host;
		if (g->track[i] == NONE_ID)
			continue;
		only[host] = met[host] ? NONE_ID : i;
		met[host] = true;
	}
	free(met);
	return only;
}

static void find_under(struct lane_groups *g, const struct derived *d)
{
	uint32_t n = trace_processes(g->t), *fed = must(calloc(n + (size_t)1, sizeof *fed)), *only = only_devices(g);
	for (uint32_t i = 0; i < trace_devices(g->t); i++) {
		uint32_t track = derived_launch_track(d, i), process;
		if (track == NONE_ID || g->track[i] == NONE_ID ||
		    (process = trace_track(g->t, track)->process) == NONE_ID)
			continue;
		fed[process]++;
		g->under[process] = i;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (fed[i] > 1)
			g->under[i] = NONE_ID;
		else if (!fed[i])
			g->under[i] = only[trace_process(g->t, i)->host];
	}
	free(only);
	free(fed);
}

void lane_groups_init(struct lane_groups *g, const struct derived *d)
{
	*g = (struct lane_groups){.t = derived_trace(d)};
	size_t n = trace_devices(g->t), processes = trace_processes(g->t);
	g->order = must(malloc((n + 1) * sizeof *g->order));
	g->track = must(malloc((n + 1) * sizeof *g->track));
	g->under = must(malloc((processes + 1) * sizeof *g->under));
	g->open = must(calloc(n + 1, sizeof *g->open));
	g->pinned = must(calloc(n + 1, sizeof *g->pinned));
	g->rank = must(calloc(n + 1, sizeof *g->rank));
	g->waited_for_ns = must(calloc(n + 1, sizeof *g->waited_for_ns));
	memset(g->track, 0xff, (n + 1) * sizeof *g->track);
	memset(g->under, 0xff, (processes + 1) * sizeof *g->under);
	find_tracks(g, d);
	find_under(g, d);
	for (uint32_t i = 0; i < n; i++)
		if (g->track[i] != NONE_ID)
			g->order[g->n++] = i;
	g->on = g->n > MOST_APART;
	lane_groups_sort(g, LANES_BY_NUMBER);
}

void lane_groups_free(struct lane_groups *g)
{
	free(g->order);
	free(g->track);
	free(g->under);
	free(g->open);
	free(g->pinned);
	free(g->rank);
	free(g->waited_for_ns);
	*g = (struct lane_groups){0};
}

uint32_t lane_groups_device(const struct lane_groups *g, uint32_t track)
{
	if (!g->on || track >= trace_tracks(g->t))
		return NONE_ID;
	const struct track_info *info = trace_track(g->t, track);
	if (info->device != NONE_ID)
		return g->track[info->device] == NONE_ID ? NONE_ID : info->device;
	return info->process == NONE_ID ? NONE_ID : g->under[info->process];
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

static int by_number(const struct trace *t, uint32_t a, uint32_t b)
{
	const struct device *x = trace_device(t, a), *y = trace_device(t, b);
	int32_t r = trace_host(t, x->host)->rank, s = trace_host(t, y->host)->rank;
	if (r != s)
		return r < s ? -1 : 1;
	if (x->host == y->host && x->ordinal != y->ordinal)
		return x->ordinal < y->ordinal ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int by_host(const struct trace *t, uint32_t a, uint32_t b)
{
	return strcmp(trace_str(t, trace_host(t, trace_device(t, a)->host)->name),
		      trace_str(t, trace_host(t, trace_device(t, b)->host)->name));
}

static int by_place(const void *a, const void *b, void *ctx)
{
	const struct lane_groups *g = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (g->pinned[x] != g->pinned[y]) /* 0, not pinned, becomes the largest */
		return g->pinned[x] - 1 < g->pinned[y] - 1 ? -1 : 1;
	if (g->moved && g->rank[x] != g->rank[y])
		return g->rank[x] < g->rank[y] ? -1 : 1;
	if (g->by == LANES_BY_LATENESS && g->waited_for_ns[x] != g->waited_for_ns[y])
		return g->waited_for_ns[x] > g->waited_for_ns[y] ? -1 : 1;
	int host = g->by == LANES_BY_HOST ? by_host(g->t, x, y) : 0;
	return host ? host : by_number(g->t, x, y);
}

void lane_groups_arranged(struct lane_groups *g)
{
	qsort_r(g->order, g->n, sizeof *g->order, by_place, g);
}

void lane_groups_sort(struct lane_groups *g, enum lane_order by)
{
	g->by = by;
	g->moved = false;
	lane_groups_arranged(g);
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t was = *a;
	*a = *b;
	*b = was;
}

void lane_groups_swap(struct lane_groups *g, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < g->n && !g->moved; i++)
		g->rank[g->order[i]] = i;
	g->moved = true;
	swap(&g->rank[a], &g->rank[b]);
	swap(&g->pinned[a], &g->pinned[b]);
	lane_groups_arranged(g);
}

void lane_groups_like(struct lane_groups *g, const struct lane_groups *other)
{
	uint32_t n = trace_devices(g->t);
	if (trace_devices(other->t) != n)
		return;
	memcpy(g->open, other->open, n * sizeof *g->open);
	memcpy(g->pinned, other->pinned, n * sizeof *g->pinned);
	memcpy(g->rank, other->rank, n * sizeof *g->rank);
	g->pins = other->pins;
	g->moved = other->moved;
	g->by = other->by;
	lane_groups_arranged(g);
}

void lane_groups_forget(struct lane_groups *g)
{
	uint32_t n = trace_devices(g->t);
	memset(g->open, 0, n * sizeof *g->open);
	memset(g->pinned, 0, n * sizeof *g->pinned);
	g->pins = 0;
	lane_groups_sort(g, LANES_BY_NUMBER);
}

void lane_groups_lateness(struct lane_groups *g, const int64_t *waited_for_ns)
{
	memcpy(g->waited_for_ns, waited_for_ns, trace_devices(g->t) * sizeof *waited_for_ns);
	lane_groups_arranged(g);
}

bool lane_groups_pin(struct lane_groups *g, uint32_t device)
{
	g->pinned[device] = g->pinned[device] ? 0 : ++g->pins;
	lane_groups_arranged(g);
	return g->pinned[device] > 0;
}

bool lane_groups_toggle_all(struct lane_groups *g)
{
	bool any = false;
	for (uint32_t i = 0; i < g->n; i++)
		any |= g->open[g->order[i]];
	for (uint32_t i = 0; i < g->n; i++)
		g->open[g->order[i]] = !any;
	return !any;
}
