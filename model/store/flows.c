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

static int cmp_bound(const void *a, const void *b)
{
	const struct bound *x = a, *y = b;
	if (x->p.source != y->p.source)
		return x->p.source < y->p.source ? -1 : 1;
	if (x->p.category != y->p.category)
		return x->p.category < y->p.category ? -1 : 1;
	if (x->p.id != y->p.id)
		return x->p.id < y->p.id ? -1 : 1;
	if (x->p.ts_ns != y->p.ts_ns)
		return x->p.ts_ns < y->p.ts_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool same_flow(const struct bound *x, const struct bound *y)
{
	return x->p.source == y->p.source && x->p.category == y->p.category && x->p.id == y->p.id;
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

static void bind(const struct trace *t, const struct ingest *in, const uint32_t *map, struct bound *b, size_t n)
{
	const struct flow_point *p = in->flows.p;
	for (size_t i = 0; i < n; i++) {
		b[i] = (struct bound){.p = p[i], .row = NONE_ID, .order = (uint32_t)i};
		uint32_t track = map[p[i].track];
		int64_t ts = p[i].ts_ns - t->base_ns;
		if (track != NONE_ID)
			b[i].row =
				p[i].phase == 'f' && !p[i].enclosing ? following(t, track, ts) : around(t, track, ts);
	}
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

bool seal_flows(struct trace *t, struct ingest *in, const uint32_t *map)
{
	size_t n = in->flows.n;
	if (n == 0)
		return true;
	struct bound *b = malloc(n * sizeof *b);
	t->flows = malloc(n * sizeof *t->flows);
	if (!b || !t->flows) {
		free(b);
		return false;
	}
	bind(t, in, map, b, n);
	column_free(&in->flows);
	qsort(b, n, sizeof *b, cmp_bound);
	for (size_t first = 0, last; first < n; first = last) {
		for (last = first + 1; last < n && same_flow(&b[first], &b[last]);)
			last++;
		chain(t, b + first, last - first);
	}
	account(t, b, n);
	free(b);
	qsort(t->flows, t->n_flows, sizeof *t->flows, cmp_flow);
	return true;
}

uint64_t trace_flows(const struct trace *t, const struct flow **out)
{
	*out = t->flows;
	return t->n_flows;
}
