/* model/store/flows.c - arrows between events. A point binds to the event around it; a finish without bp=e to the next
 * one that starts. Points of one (source, category, id) form a chain in order of time. */
#include "trace_private.h"
#include <stdlib.h>

struct bound {
	struct flow_point p;
	row_id row;
	uint32_t order;
	bool used;
};

/* First row of the track that starts after ts. */
static uint64_t rows_until(const struct trace *t, uint32_t track, int64_t ts_ns)
{
	uint64_t lo = t->tracks[track].info.first, hi = lo + t->tracks[track].info.n;
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		if (t->start_ns[mid] <= ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool holds(const struct trace *t, row_id r, int64_t ts_ns)
{
	return row_end(t, r) > ts_ns || t->start_ns[r] == ts_ns;
}

/* The event that started last is the innermost one or lies beside it under a common parent: one search, a short climb. */
static row_id around(const struct trace *t, uint32_t track, int64_t ts_ns)
{
	const struct trace_track *x = &t->tracks[track];
	uint64_t end = rows_until(t, track, ts_ns);
	row_id r = end > x->info.first ? (row_id)(end - 1) : NONE_ID;
	if (r != NONE_ID && t->disp[r] >= x->lane0_rows)
		r = trace_innermost(t, track, ts_ns);
	while (r != NONE_ID && !holds(t, r, ts_ns))
		r = trace_parent(t, r);
	for (uint32_t disp = x->lane0_rows; r == NONE_ID && disp < x->info.n_rows; disp++)
		r = trace_at_on_row(t, track, disp, ts_ns);
	return r;
}

static row_id following(const struct trace *t, uint32_t track, int64_t ts_ns)
{
	uint64_t lo = t->tracks[track].info.first, end = lo + t->tracks[track].info.n, hi = end;
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		if (t->start_ns[mid] < ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < end ? (row_id)lo : NONE_ID;
}

/* Earlier first; points of one time in file order. */
static int cmp_bound(const void *a, const void *b)
{
	const struct bound *x = a, *y = b;
	if (x->p.ts_ns != y->p.ts_ns)
		return x->p.ts_ns < y->p.ts_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool same_flow(const struct flow_point *x, const struct flow_point *y)
{
	return x->id == y->id && x->source == y->source && x->category == y->category;
}

static void arrow(struct trace *t, struct bound *from, struct bound *to)
{
	from->used = to->used = true;
	t->flows[t->n_flows++] = (struct flow){from->row, to->row, from->p.category, from->p.id};
}

/* A start begins a chain, and so does a step whose start is not in the file; a graph launch has one start and hundreds of finishes, so a finish does not end it. Exactly one
 * start and one finish belong together even when a skewed clock puts the finish first. */
static void chain(struct trace *t, struct bound *b, size_t n)
{
	if (n == 2 && b[0].p.phase == 'f' && b[1].p.phase == 's' && b[0].row != NONE_ID && b[1].row != NONE_ID) {
		arrow(t, &b[1], &b[0]);
		return;
	}
	struct bound *last = NULL;
	for (size_t i = 0; i < n; i++) {
		if (b[i].row == NONE_ID)
			continue;
		if (b[i].p.phase != 's' && last)
			arrow(t, last, &b[i]);
		if (b[i].p.phase != 'f')
			last = &b[i];
	}
}

static int cmp_flow(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static struct bound bind(const struct trace *t, const struct flow_point *p, uint32_t order, const uint32_t *map)
{
	struct bound b = {.p = *p, .row = NONE_ID, .order = order};
	uint32_t track = map[p->track];
	int64_t ts = p->ts_ns - t->base_ns;
	if (track != NONE_ID)
		b.row = p->phase == 'f' && !p->enclosing ? following(t, track, ts) : around(t, track, ts);
	return b;
}

/* Points by flow: a table of the last point of each flow, and for each point the one before it of the same flow. Most
 * flows have two points, so this beats sorting millions of them. */
struct by_flow {
	uint32_t *last, *before; /* point + 1, 0 = none */
	uint64_t mask;
};

static bool group_points(const struct flow_point *p, size_t n, struct by_flow *g)
{
	uint64_t slots = 16;
	while (slots < n * 2)
		slots *= 2;
	g->mask = slots - 1;
	g->last = calloc(slots, sizeof *g->last);
	g->before = malloc(n * sizeof *g->before);
	if (!g->last || !g->before)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t h =
			(p[i].id ^ (uint64_t)p[i].category << 40 ^ (uint64_t)p[i].source << 52) * 0x9fb21c651e98df25u;
		uint64_t at = (h ^ h >> 32) & g->mask;
		while (g->last[at] && !same_flow(&p[g->last[at] - 1], &p[i]))
			at = (at + 1) & g->mask;
		g->before[i] = g->last[at];
		g->last[at] = (uint32_t)i + 1;
	}
	return true;
}

static void account(struct trace *t, const struct bound *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (b[i].used) {
			t->notes.merged++;
			continue;
		}
		struct note *x = &t->notes.at[NOTE_FLOW_UNBOUND];
		if (x->count == 0 || b[i].p.at < x->first_at) {
			x->first_at = b[i].p.at;
			x->first_source = b[i].p.source;
		}
		x->count++;
	}
}

/* The points of one flow, from its last to its first, into `room` (grown as needed) and in order of time. */
static size_t take_flow(const struct trace *t, const struct flow_point *p, const struct by_flow *g, uint32_t last,
			const uint32_t *map, struct column *room)
{
	room->n = 0;
	for (uint32_t i = last; i; i = g->before[i - 1]) {
		struct bound *b = column_push(room);
		if (!b)
			return 0;
		*b = bind(t, &p[i - 1], i, map);
	}
	qsort(room->p, room->n, sizeof(struct bound), cmp_bound);
	return room->n;
}

bool seal_flows(struct trace *t, struct ingest *in, const uint32_t *map)
{
	size_t n = in->flows.n;
	struct by_flow g = {0};
	struct column room = {.size = sizeof(struct bound)};
	if (n == 0)
		return true;
	t->flows = malloc(n * sizeof *t->flows);
	bool ok = t->flows && group_points(in->flows.p, n, &g);
	for (uint64_t slot = 0; ok && slot <= g.mask; slot++) {
		if (!g.last[slot])
			continue;
		size_t points = take_flow(t, in->flows.p, &g, g.last[slot], map, &room);
		ok = points > 0;
		chain(t, room.p, points);
		account(t, room.p, points);
	}
	free(g.last);
	free(g.before);
	column_free(&room);
	column_free(&in->flows);
	if (ok)
		qsort(t->flows, t->n_flows, sizeof *t->flows, cmp_flow);
	return ok;
}

uint64_t trace_flows(const struct trace *t, const struct flow **out)
{
	*out = t->flows;
	return t->n_flows;
}
