/* queue: how many launch calls wait, per stream: one row for all of the window, then one per bucket of time. */
#include "queue_columns.h"
#include "queue_depth.h"
#include "model/analysis/compat/hta_launches.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(queue);

static const struct column columns[] = {QUEUE_COLUMNS(COLUMN_ROW)};

/* ---- our own way ------------------------------------------------------------------------------------------------------ */

/* A stream's rows: all of the window, then its buckets, of which few hold anything where there are very many streams. */
struct stream {
	uint32_t track, first, n; /* rows of the table */
	struct queue_span all, *some;
	uint32_t *of, n_some; /* the buckets that `some` are */
};
struct listing {
	const struct derived *d;
	struct interval *buckets; /* their times, which all streams have in common */
	struct stream *at;
	uint32_t n;
};

static const struct stream *stream_of_row(const struct listing *l, uint32_t row)
{
	uint32_t lo = 0, hi = l->n;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (l->at[mid].first <= row)
			lo = mid;
		else
			hi = mid;
	}
	return &l->at[lo];
}

static struct queue_span bucket_of(const struct listing *l, const struct stream *s, uint32_t bucket)
{
	for (uint32_t i = 0; i < s->n_some; i++)
		if (s->of[i] == bucket)
			return s->some[i];
	struct interval v = l->buckets[bucket];
	return (struct queue_span){.a_ns = v.a_ns, .b_ns = v.b_ns, .deepest = NONE_ID};
}

/* What tells rows of streams from those of buckets. */
static void make_bucket(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct stream *from = stream_of_row(ctx, i);
	if (i != from->first)
		cell_int(&out->cells[COL_QUEUE_BUCKET], i - from->first - 1);
}

static void make_span(const void *ctx, uint32_t i, struct made_row *out)
{
	const struct listing *l = ctx;
	const struct stream *from = stream_of_row(l, i);
	const struct trace *trace = derived_trace(l->d);
	const struct track_info *k = trace_track(trace, from->track);
	struct queue_span s = i == from->first ? from->all : bucket_of(l, from, i - from->first - 1);
	struct cell *row = out->cells;
	cell_rank(&row[COL_QUEUE_RANK], trace, k->host);
	cell_host(&row[COL_QUEUE_HOST], trace, k->host);
	cell_device(&row[COL_QUEUE_DEVICE], trace, k->device);
	cell_int(&row[COL_QUEUE_STREAM], k->key);
	cell_int(&row[COL_QUEUE_START], s.a_ns);
	cell_int(&row[COL_QUEUE_DUR], s.b_ns - s.a_ns);
	cell_int(&row[COL_QUEUE_CALLS], s.calls);
	cell_real(&row[COL_QUEUE_MEAN], (double)s.waits_ns / (double)(s.b_ns - s.a_ns));
	cell_int(&row[COL_QUEUE_MIN], s.min);
	cell_int(&row[COL_QUEUE_MAX], s.max);
	cell_int(&row[COL_QUEUE_WAITING], s.waiting_ns);
	cell_int(&row[COL_QUEUE_FULL], s.full_ns);
	cell_int(&row[COL_QUEUE_BLOCKED], s.blocked_ns);
	out->events[0] = s.deepest;
	out->evidence = (struct evidence){s.a_ns, s.b_ns, out->events, s.deepest != NONE_ID, NULL};
}

static const struct row_part row_parts[] = {
	{make_bucket, PART_BIT(COL_QUEUE_BUCKET), false},
	{make_span, 0, false},
};

static bool holds_any(const struct queue_span *s)
{
	return s->calls || s->waits_ns || s->waiting_ns || s->blocked_ns || s->min || s->max || s->deepest != NONE_ID;
}

static void keep_stream(struct listing *l, uint32_t track, const struct queue_depth *depth, struct arena *mem)
{
	const struct stream *before = l->n ? &l->at[l->n - 1] : NULL;
	uint32_t first = before ? before->first + before->n : 0;
	l->at = arena_next_row(mem, l->at, l->n, sizeof *l->at);
	struct stream *s = &l->at[l->n++];
	*s = (struct stream){.track = track, .first = first, .n = depth->n + 1, .all = depth->all};
	for (uint32_t b = 0; b < depth->n; b++)
		s->n_some += holds_any(&depth->at[b]);
	s->some = arena_alloc(mem, (s->n_some + (size_t)1) * sizeof *s->some);
	s->of = arena_alloc(mem, (s->n_some + (size_t)1) * sizeof *s->of);
	for (uint32_t b = 0, n = 0; b < depth->n; b++) {
		if (!holds_any(&depth->at[b]))
			continue;
		s->some[n] = depth->at[b];
		s->of[n++] = b;
	}
	if (before)
		return;
	l->buckets = arena_alloc(mem, (depth->n + (size_t)1) * sizeof *l->buckets);
	for (uint32_t b = 0; b < depth->n; b++)
		l->buckets[b] = (struct interval){depth->at[b].a_ns, depth->at[b].b_ns};
}

static bool keep_streams(struct listing *l, const struct query *q, struct arena *mem, struct progress *p, struct err *e)
{
	const struct trace *trace = derived_trace(l->d);
	for (uint32_t i = 0; i < trace_tracks(trace); i++) {
		const struct track_info *k = trace_track(trace, i);
		struct arena work = {0};
		struct queue_depth depth;
		if (progress_cancelled(p))
			return err_usage(e, "cancelled");
		if (k->kind == TRACK_STREAM && !k->derived_by_producer && queue_depth_of(l->d, q, i, &work, &depth))
			keep_stream(l, i, &depth, mem);
		arena_free(&work);
	}
	return true;
}

static bool put_streams(struct table *t, const struct derived *d, const struct query *q, struct progress *p,
			struct err *e)
{
	struct listing *l = arena_alloc(t->mem, sizeof *l);
	*l = (struct listing){.d = d};
	if (!keep_streams(l, q, t->mem, p, e))
		return false;
	const struct stream *last = l->n ? &l->at[l->n - 1] : NULL;
	table_made_parts(t, last ? last->first + last->n : 0, row_parts, sizeof row_parts / sizeof *row_parts, l);
	return true;
}

/* ---- the reference's way ---------------------------------------------------------------------------------------------- */

static void put_hta(struct table *t, const struct derived *d)
{
	struct hta_launches x = hta_launches_read(d);
	for (uint32_t i = 0; i < x.n_queues; i++) {
		const struct hta_queue *v = &x.queues[i];
		struct cell *row = table_row(t);
		cell_rank(&row[COL_QUEUE_RANK], derived_trace(d), v->host);
		cell_host(&row[COL_QUEUE_HOST], derived_trace(d), v->host);
		cell_int(&row[COL_QUEUE_STREAM], v->stream);
		cell_int(&row[COL_QUEUE_CALLS], v->changes);
		cell_real(&row[COL_QUEUE_MEAN], v->mean);
		cell_real(&row[COL_QUEUE_LOW], v->mean_low);
		cell_int(&row[COL_QUEUE_MIN], v->min);
		cell_real(&row[COL_QUEUE_MEDIAN], v->median);
		cell_int(&row[COL_QUEUE_MAX], v->max);
	}
	hta_launches_free(&x);
}

static struct table *run_queue(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			       struct err *e)
{
	struct table *t = table_new(mem, &queue_desc);
	query_bounds(q, derived_trace(d), &t->window_a_ns, &t->window_b_ns);
	if (derived_options(d)->semantics == SEM_HTA)
		put_hta(t, d);
	else if (!put_streams(t, d, q, p, e))
		return NULL;
	return t;
}

const struct table_desc queue_desc = {
	.name = "queue",
	.title = "Launch queues",
	.help = "how many launch calls of each stream wait for their work to start, over time",
	TABLE_COLUMNS(columns),
	.run = run_queue,
	.first = COLUMN_LIST(COL_QUEUE_DEVICE, COL_QUEUE_STREAM, COL_QUEUE_BUCKET, COL_QUEUE_MEAN, COL_QUEUE_MAX,
			     COL_QUEUE_WAITING, COL_QUEUE_FULL, COL_QUEUE_BLOCKED, COL_QUEUE_START, COL_QUEUE_CALLS),
	.lead = 2,
	.report = {.intro = "how many launch calls wait, per stream, over the whole window",
		   .brief = COLUMN_LIST(COL_QUEUE_DEVICE, COL_QUEUE_STREAM, COL_QUEUE_CALLS, COL_QUEUE_MEAN,
					COL_QUEUE_MAX, COL_QUEUE_WAITING, COL_QUEUE_FULL, COL_QUEUE_BLOCKED)},
	.vs = {.why_not = "points in time have none: launch_totals has what waits in all"},
};
