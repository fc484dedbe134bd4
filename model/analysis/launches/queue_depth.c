#include "queue_depth.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include <stdlib.h>
#include <string.h>

/* ---- buckets ---------------------------------------------------------------------------------------------------------- */

static int64_t bucket_length(int64_t span_ns)
{
	static const int64_t steps[] = {1, 2, 5};
	for (int64_t unit = 1; unit < INT64_MAX / 100; unit *= 10)
		for (int i = 0; i < 3; i++)
			if (span_ns / (unit * steps[i]) < QUEUE_BUCKETS - 1)
				return unit * steps[i];
	return span_ns + 1;
}

static void make_buckets(struct queue_depth *out, int64_t a_ns, int64_t b_ns, struct arena *mem)
{
	int64_t length_ns = bucket_length(b_ns - a_ns), from_ns = a_ns / length_ns * length_ns;
	out->all = (struct queue_span){.a_ns = a_ns, .b_ns = b_ns, .min = UINT32_MAX, .deepest = NONE_ID};
	out->at = arena_alloc(mem, QUEUE_BUCKETS * sizeof *out->at);
	out->n = 0;
	for (; from_ns < b_ns && out->n < QUEUE_BUCKETS; from_ns += length_ns) {
		struct queue_span *s = &out->at[out->n++];
		*s = out->all;
		s->a_ns = from_ns > a_ns ? from_ns : a_ns;
		s->b_ns = from_ns + length_ns < b_ns ? from_ns + length_ns : b_ns;
	}
}

/* ---- one stretch of time with one depth ------------------------------------------------------------------------------- */

static void stretch(struct queue_span *s, int64_t a_ns, int64_t b_ns, uint32_t depth)
{
	a_ns = a_ns > s->a_ns ? a_ns : s->a_ns;
	b_ns = b_ns < s->b_ns ? b_ns : s->b_ns;
	if (a_ns >= b_ns)
		return;
	s->waits_ns += (b_ns - a_ns) * depth;
	s->waiting_ns += depth ? b_ns - a_ns : 0;
	s->full_ns += depth >= QUEUE_FULL ? b_ns - a_ns : 0;
	s->min = depth < s->min ? depth : s->min;
	s->max = depth > s->max ? depth : s->max;
}

struct sweep {
	struct queue_depth *out;
	uint32_t bucket, depth;
	int64_t at_ns;
};

static void go_to(struct sweep *w, int64_t ts_ns)
{
	struct queue_depth *out = w->out;
	if (ts_ns <= w->at_ns)
		return;
	stretch(&out->all, w->at_ns, ts_ns, w->depth);
	while (w->bucket < out->n && out->at[w->bucket].b_ns <= w->at_ns)
		w->bucket++;
	for (uint32_t i = w->bucket; i < out->n && out->at[i].a_ns < ts_ns; i++)
		stretch(&out->at[i], w->at_ns, ts_ns, w->depth);
	w->at_ns = ts_ns;
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static void count_call(struct queue_span *s, const struct queued *x, int64_t begun_ns)
{
	if (begun_ns < s->a_ns || begun_ns >= s->b_ns)
		return;
	s->calls++;
	if (s->deepest == NONE_ID || x->depth > s->max)
		s->deepest = x->work;
	s->max = x->depth > s->max ? x->depth : s->max;
}

static void block(struct queue_span *s, int64_t a_ns, int64_t b_ns)
{
	a_ns = a_ns > s->a_ns ? a_ns : s->a_ns;
	b_ns = b_ns < s->b_ns ? b_ns : s->b_ns;
	s->blocked_ns += b_ns > a_ns ? b_ns - a_ns : 0;
}

static void take_call(struct sweep *w, const struct columns *c, const struct queued *x)
{
	struct queue_depth *out = w->out;
	row_id launch = c->link[x->work];
	int64_t begun_ns = c->start_ns[launch];
	bool blocked = x->depth >= QUEUE_NEARLY_FULL;
	count_call(&out->all, x, begun_ns);
	if (blocked)
		block(&out->all, begun_ns, row_end(c, launch));
	for (uint32_t i = w->bucket; i < out->n && out->at[i].a_ns < row_end(c, launch); i++) {
		count_call(&out->at[i], x, begun_ns);
		if (blocked)
			block(&out->at[i], begun_ns, row_end(c, launch));
		if (!blocked && out->at[i].b_ns > begun_ns)
			break;
	}
}

/* ---- the stream ------------------------------------------------------------------------------------------------------- */

/* A clock may say that work starts before its call. */
static int64_t leaves_ns(const struct columns *c, const struct queued *x)
{
	return later(c->start_ns[x->work], queued_begun_ns(c, x));
}

/* When calls leave the queue, one after another. */
struct leaving {
	const struct queue *v;
	const struct columns *c;
	int64_t *sorted; /* NULL: in the order in which their work starts, as most do */
	uint32_t n_left;
};

static void sort_leaves(struct leaving *l)
{
	const struct queue *v = l->v;
	bool sorted = true;
	for (uint32_t i = 1; i < v->n && sorted; i++)
		sorted = leaves_ns(l->c, &v->at[i - 1]) <= leaves_ns(l->c, &v->at[i]);
	if (sorted)
		return;
	l->sorted = must(malloc(v->n * sizeof *l->sorted));
	for (uint32_t i = 0; i < v->n; i++)
		l->sorted[i] = leaves_ns(l->c, &v->at[i]);
	qsort(l->sorted, v->n, sizeof *l->sorted, i64_order);
}

/* INT64_MAX: no other one leaves. */
static int64_t next_leaves_ns(const struct leaving *l)
{
	if (l->n_left == l->v->n)
		return INT64_MAX;
	return l->sorted ? l->sorted[l->n_left] : leaves_ns(l->c, &l->v->at[l->n_left]);
}

static void leave(struct sweep *w, struct leaving *l)
{
	go_to(w, next_leaves_ns(l));
	w->depth--;
	l->n_left++;
}

static void sweep_calls(const struct queue *v, const struct columns *c, struct queue_depth *out)
{
	struct leaving l = {.v = v, .c = c};
	struct sweep w = {.out = out, .at_ns = INT64_MIN};
	sort_leaves(&l);
	for (uint32_t i = 0; i < v->n; i++) {
		const struct queued *x = queue_by_begin(v, i);
		int64_t begun_ns = queued_begun_ns(c, x);
		while (w.depth && next_leaves_ns(&l) <= begun_ns)
			leave(&w, &l);
		go_to(&w, begun_ns);
		w.depth++;
		take_call(&w, c, x);
	}
	while (l.n_left < v->n)
		leave(&w, &l);
	go_to(&w, INT64_MAX);
	free(l.sorted);
}

bool queue_depth_of(const struct derived *d, const struct query *q, uint32_t track, struct arena *mem,
		    struct queue_depth *out)
{
	struct queue v = {0};
	int64_t a_ns, b_ns;
	query_bounds(q, derived_trace(d), &a_ns, &b_ns);
	queue_read(&v, d, q, track);
	bool any = v.n > 0 && a_ns < b_ns;
	if (any) {
		make_buckets(out, a_ns, b_ns, mem);
		sweep_calls(&v, derived_columns(d), out);
		any = out->all.waiting_ns || out->all.calls;
	}
	queue_free(&v);
	return any;
}
