/* model/store/trace/flows.c - arrows between events. A point binds to the event around it; a finish without bp=e to the next
 * one that starts; a point of an event to that one. What starts at the very time of a finish goes before what only holds it, on the
 * lanes beside a stream, too: waits lie there while kernels run. Points of one (source, category, id) form a chain in order of time. */
#include "arrows.h"
#include "lazy_sections.h"
#include "model/store/base/both.h"
#include "model/store/base/idmap.h"
#include "model/store/base/slots.h"
#include <stdlib.h>
#include <string.h>

enum { CLIMB = 8 };                /* steps that are cheaper than a search */
enum { WORTH_A_THREAD = 1 << 16 }; /* points */

/* First row of the track that starts after ts. Points come in long sorted runs, so the search gallops from where the last
 * one of the track ended. */
static uint64_t rows_until(const struct trace *t, uint32_t track, int64_t ts_ns, uint64_t *cursor)
{
	uint64_t first = t->tracks[track].info.first, end = first + t->tracks[track].info.n;
	uint64_t lo = *cursor, hi = *cursor;
	for (uint64_t step = 1; lo > first && t->start_ns[lo - 1] > ts_ns; step *= 2) {
		hi = lo;
		lo = lo - first > step ? lo - step : first;
	}
	for (uint64_t step = 1; hi < end && t->start_ns[hi] <= ts_ns; step *= 2) {
		lo = hi + 1;
		hi = end - hi > step ? hi + step : end;
	}
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		if (t->start_ns[mid] <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	*cursor = lo;
	return lo;
}

static bool holds(const struct trace *t, row_id r, int64_t ts_ns)
{
	return row_end(t, r) > ts_ns || t->start_ns[r] == ts_ns;
}

/* The event that started last is the innermost one or lies beside it under a common parent: one search, mostly a short
 * climb; where tens of thousands of events lie in each other, a search among their rows. */
static row_id around(const struct trace *t, uint32_t track, int64_t ts_ns, uint64_t *cursor)
{
	const struct trace_track *x = &t->tracks[track];
	uint64_t end = rows_until(t, track, ts_ns, cursor);
	row_id r = end > x->info.first ? (row_id)(end - 1) : NONE_ID;
	/* on an overflow row: the main lane may hold an event there, too, which is preferred */
	if (r != NONE_ID && t->disp[r] >= x->lane0_rows)
		r = trace_innermost(t, track, ts_ns);
	for (int i = 0; i < CLIMB && r != NONE_ID && !holds(t, r, ts_ns); i++)
		r = trace_parent(t, r);
	if (r != NONE_ID && !holds(t, r, ts_ns))
		r = trace_innermost(t, track, ts_ns);
	for (uint32_t disp = x->lane0_rows; r == NONE_ID && disp < x->info.n_rows; disp++)
		r = trace_at_on_row(t, track, disp, ts_ns);
	return r;
}

static row_id following(const struct trace *t, uint32_t track, int64_t ts_ns, uint64_t *cursor)
{
	/* an event that starts at that very time is the next one */
	uint64_t r = rows_until(t, track, ts_ns - 1, cursor);
	return r < t->tracks[track].info.first + t->tracks[track].info.n ? (row_id)r : NONE_ID;
}

/* Of the events of one track that start at a time the one with these attributes. */
static row_id itself(const struct trace *t, uint32_t track, const struct flow_point *p, int64_t ts_ns, uint64_t *cursor)
{
	uint64_t r = rows_until(t, track, ts_ns, cursor);
	while (r-- > t->tracks[track].info.first && t->start_ns[r] == ts_ns)
		if ((number_at(t->c.attrs, (row_id)r) & ((UINT64_C(1) << FLOW_AT_BITS) - 1)) == p->at)
			return (row_id)r;
	return NONE_ID;
}

/* Where points are looked for: where a track of the file went, the next lane of the same stream, how far each track was read. */
struct places {
	const uint32_t *map;
	const uint32_t *next_lane; /* of a stream, and of each of its lanes; NONE_ID: no more */
	uint64_t *cursors;
};

static bool starts_at(const struct trace *t, row_id r, int64_t ts_ns)
{
	return r != NONE_ID && t->start_ns[r] == ts_ns;
}

/* The finish of an arrow: r, unless that only holds its time and an event of a lane beside it starts then. */
static row_id or_of_lane(const struct trace *t, uint32_t track, int64_t ts_ns, row_id r, const struct places *x)
{
	uint32_t lane = starts_at(t, r, ts_ns) ? NONE_ID : x->next_lane[track];
	for (; lane != NONE_ID; lane = x->next_lane[lane]) {
		row_id beside = following(t, lane, ts_ns, &x->cursors[lane]);
		if (starts_at(t, beside, ts_ns))
			return beside;
	}
	return r;
}

/* Where the row of each point goes: where its track was. */
static void bind(const struct trace *t, struct flow_point *p, const struct places *x)
{
	const uint32_t *map = x->map;
	uint64_t *cursors = x->cursors;
	uint32_t track = map[p->track];
	int64_t ts = p->ts_ns - t->base_ns;
	if (track == NONE_ID)
		p->row = NONE_ID;
	else if (p->of_event)
		p->row = itself(t, track, p, ts, &cursors[track]);
	else if (p->phase == 'f' && !p->enclosing)
		p->row = following(t, track, ts, &cursors[track]);
	else
		p->row = around(t, track, ts, &cursors[track]);
	if (p->phase == 'f' && !p->of_event && track != NONE_ID)
		p->row = or_of_lane(t, track, ts, p->row, x);
}

static bool same_flow(const struct flow_point *x, const struct flow_point *y)
{
	return x->id == y->id && x->source == y->source && x->category == y->category && x->of_event == y->of_event;
}

/* Lists point i as the next one of its flow and marks it when it is the first. */
static void enter(struct flow_groups *g, const struct flow_point *p, size_t i)
{
	/* chains of one id in several categories start at slots of their own */
	uint64_t family = (uint64_t)p[i].category << 40;
	uint64_t at = slots_first(p[i].id, family, g->bits);
	while (g->last[at] && !same_flow(&p[g->last[at] - 1], &p[i]))
		at = slots_next(at, p[i].id, family, g->bits);
	if (g->last[at])
		g->next[g->last[at] - 1] = (uint32_t)i + 1;
	else
		g->begins[i / 64] |= UINT64_C(1) << i % 64;
	g->last[at] = (uint32_t)i + 1;
}

static bool make_groups(struct flow_groups *g, size_t n, struct ahead *a)
{
	g->next = large_alloc(n * sizeof *g->next);
	g->begins = calloc(n / 64 + 1, sizeof *g->begins);
	if (!g->next || !g->begins)
		return false;
	ahead_middle(a, g->next, n * sizeof *g->next);
	memset(g->next, 0, n * sizeof *g->next);
	return true;
}

/* An empty table for n points. */
static bool make_slots(struct flow_groups *g, size_t n, struct ahead *a)
{
	g->bits = slots_bits(n + n / 3);
	if (g->bits > g->most_bits) {
		free(g->last);
		g->last = large_alloc(sizeof *g->last << g->bits);
		g->most_bits = g->last ? g->bits : 0;
		ahead_middle(a, g->last, g->last ? sizeof *g->last << g->bits : 0);
	}
	if (g->last)
		memset(g->last, 0, sizeof *g->last << g->bits);
	return g->last;
}

/* Where the points of the source of point i end. */
static size_t end_of_source(const struct flow_point *p, size_t i, size_t n)
{
	unsigned source = p[i].source;
	while (i < n && p[i].source == source)
		i++;
	return i;
}

/* What the two threads that bind points share. */
struct look {
	const struct trace *t;
	struct flow_point *points;
	size_t n;
	const uint32_t *map;
	const uint32_t *next_lane;
};

static uint64_t stream_key(const struct track_info *k)
{
	return idmap_hash(&k->key, sizeof k->key, k->device);
}

static void link_lanes(const struct trace *t, uint32_t *next_lane)
{
	struct idmap streams = {0};
	for (uint32_t i = 0; i < t->n_tracks; i++) {
		next_lane[i] = NONE_ID;
		if (t->tracks[i].info.kind == TRACK_STREAM)
			idmap_put(&streams, stream_key(&t->tracks[i].info), i);
	}
	for (uint32_t i = t->n_tracks; streams.n && i-- > 0;) {
		const struct track_info *k = &t->tracks[i].info;
		uint32_t stream = k->kind == TRACK_STREAM_LANE ? idmap_get(&streams, stream_key(k)) : UINT32_MAX;
		if (stream == UINT32_MAX || t->tracks[stream].info.device != k->device ||
		    t->tracks[stream].info.key != k->key)
			continue;
		next_lane[i] = next_lane[stream];
		next_lane[stream] = i;
	}
	idmap_free(&streams);
}

/* In file order: neighbours in the file are neighbours on their tracks. */
static bool bind_some(const struct look *x, size_t first, size_t last)
{
	struct places places = {x->map, x->next_lane, malloc((x->t->n_tracks + 1) * sizeof *places.cursors)};
	for (uint32_t i = 0; places.cursors && i < x->t->n_tracks; i++)
		places.cursors[i] = x->t->tracks[i].info.first;
	for (size_t i = first; places.cursors && i < last; i++)
		bind(x->t, &x->points[i], &places);
	free(places.cursors);
	return places.cursors;
}

static bool bind_first_half(void *ctx)
{
	const struct look *x = ctx;
	return bind_some(x, 0, x->n / 2);
}

static bool bind_second_half(void *ctx)
{
	const struct look *x = ctx;
	return bind_some(x, x->n / 2, x->n);
}

static bool bind_all(struct trace *t, struct ingest *in, const uint32_t *map)
{
	uint32_t *next_lane = malloc((t->n_tracks + 1) * sizeof *next_lane);
	struct look x = {t, in->flows.p, in->flows.n, map, next_lane};
	if (next_lane)
		link_lanes(t, next_lane);
	bool ok = next_lane && both(x.n < WORTH_A_THREAD ? 1 : in->threads, bind_first_half, bind_second_half, &x);
	free(next_lane);
	return ok;
}

bool flows_group(const struct ingest *in, struct flow_groups *g)
{
	const struct flow_point *p = in->flows.p;
	size_t n = in->flows.n;
	*g = (struct flow_groups){0};
	bool ok = n == 0 || make_groups(g, n, in->ahead);
	for (size_t i = 0, end; ok && i < n; i = end) {
		end = end_of_source(p, i, n);
		ok = make_slots(g, end - i, in->ahead);
		for (size_t k = i; ok && k < end; k++)
			enter(g, p, k);
	}
	free(g->last);
	g->last = NULL;
	return ok;
}

void flows_ungroup(struct flow_groups *g)
{
	free(g->next);
	free(g->begins);
}

bool seal_flows(struct trace *t, struct ingest *in, const uint32_t *map, const struct flow_groups *g)
{
	size_t n = in->flows.n;
	if (n == 0)
		return true;
	struct arrows *arrows = arrows_new(n < WORTH_A_THREAD ? 1 : in->threads);
	bool ok = arrows && bind_all(t, in, map) &&
		  arrows_chain(arrows, t, &(struct flow_chains){in->flows.p, n, g->next, g->begins});
	struct spare points = {0}; /* they are arrows now */
	spare_column(&points, &in->flows);
	ok = ok && arrows_sort(arrows, t, &points);
	spare_free(&points);
	arrows_free(arrows);
	return ok;
}

uint64_t trace_flows(const struct trace *t, const struct flow **out)
{
	lazy_need(t, LAZY_FLOWS);
	*out = t->flows;
	return t->n_flows;
}
