/* The queue of a stream: which calls wait at which moment. */
#include "launch_walk.h"
#include "model/store/base/grow.h"
#include "model/analysis/derived/rows.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* ---- which rows ------------------------------------------------------------------------------------------------------- */

static bool call_meets(const struct derived *d, const struct query *q, row_id r)
{
	row_id launch = derived_columns(d)->link[r];
	return launch != NONE_ID && derived_columns(d)->start_ns[launch] < q->b_ns &&
	       row_end(derived_columns(d), launch) > q->a_ns;
}

/* Work before the window may come from calls that reach into it. */
static row_id first_row(const struct derived *d, const struct query *q, uint32_t track)
{
	const struct track_info *k = trace_track(derived_trace(d), track);
	row_id at = first_row_from(derived_columns(d), k, q->a_ns), low = at;
	struct event_iter running = event_iter(derived_trace(d), track, q->a_ns, q->b_ns, KINDS_WORK);
	uint32_t apart = 0;
	if (event_next(&running) && running.row < low)
		low = at = running.row;
	while (at > k->first && apart < QUEUE_FULL) {
		apart++;
		if (call_meets(d, q, --at)) {
			low = at;
			apart = 0;
		}
	}
	return low;
}

/* Work after the window may have been launched inside it. */
static row_id end_row(const struct derived *d, const struct query *q, const struct track_info *k)
{
	row_id end = (row_id)(k->first + k->n), at = first_row_from(derived_columns(d), k, q->b_ns);
	for (uint32_t apart = 0; at < end && apart < QUEUE_FULL; at++)
		apart = call_meets(d, q, at) ? 0 : apart + 1;
	return at;
}

/* ---- depth ------------------------------------------------------------------------------------------------------------ */

struct calls {
	const struct columns *c;
	const struct queued *at;
};

static int by_begin(const void *x, const void *y, void *arg)
{
	const struct calls *v = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int64_t a_ns = queued_begun_ns(v->c, &v->at[a]), b_ns = queued_begun_ns(v->c, &v->at[b]);
	if (a_ns != b_ns)
		return a_ns < b_ns ? -1 : 1;
	return (a > b) - (a < b);
}

/* Several threads may feed one stream: their calls need not begin in the order in which their work starts. */
static void order(struct queue *v, const struct columns *c)
{
	struct calls calls = {c, v->at};
	if (v->ordered)
		return;
	v->by_begin = must(realloc(v->by_begin, v->n * sizeof *v->by_begin));
	for (uint32_t i = 0; i < v->n; i++)
		v->by_begin[i] = i;
	qsort_r(v->by_begin, v->n, sizeof *v->by_begin, by_begin, &calls);
}

static void count_depths(struct queue *v, const struct columns *c)
{
	uint32_t started = 0;
	for (uint32_t i = 0; i < v->n; i++) {
		struct queued *x = &v->at[v->ordered ? i : v->by_begin[i]];
		int64_t begun_ns = queued_begun_ns(c, x);
		while (started < v->n && c->start_ns[v->at[started].work] <= begun_ns)
			started++;
		uint32_t gone = started - (c->start_ns[x->work] <= begun_ns);
		x->depth = i + 1 > gone ? i + 1 - gone : 1;
	}
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

static void add(struct queue *v, row_id r)
{
	GROW_ARRAY(v->at, v->n, v->cap);
	v->at[v->n++] = (struct queued){r, 0};
}

void queue_rows(struct queue *v, const struct derived *d, const struct query *q, uint32_t track)
{
	v->n = 0;
	v->from = first_row(d, q, track);
	v->end = end_row(d, q, trace_track(derived_trace(d), track));
}

void queue_read(struct queue *v, const struct derived *d, const struct query *q, uint32_t track)
{
	enum { AHEAD = 24 };
	const struct columns *c = derived_columns(d);
	row_id before = NONE_ID;
	int64_t last_ns = INT64_MIN;
	queue_rows(v, d, q, track);
	v->ordered = true;
	for (row_id r = v->from; r < v->end; r++) {
		if (r + AHEAD < v->end && c->link[r + AHEAD] != NONE_ID)
			__builtin_prefetch(&c->start_ns[c->link[r + AHEAD]]);
		if (!row_is_work(c, r))
			continue;
		row_id launch = c->link[r];
		if (launch != NONE_ID && launch != before) {
			v->ordered = v->ordered && last_ns <= c->start_ns[launch];
			last_ns = c->start_ns[launch];
			add(v, r);
		}
		before = launch;
	}
	order(v, c);
	count_depths(v, c);
}

void queue_free(struct queue *v)
{
	free(v->at);
	free(v->by_begin);
	*v = (struct queue){0};
}
