/* queue: how many launch calls wait, per stream: one row for all of the window, then one per bucket of time. */
#include "queue_columns.h"
#include "queue_depth.h"
#include "model/analysis/compat/hta_launches.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(queue);

static const struct column columns[] = {QUEUE_COLUMNS(COLUMN_ROW)};

/* ---- our own way ------------------------------------------------------------------------------------------------------ */

static void put_span(struct table *t, const struct derived *d, const struct track_info *k, const struct queue_span *s,
		     int64_t bucket)
{
	const struct trace *trace = derived_trace(d);
	struct cell *row = table_row(t);
	cell_rank(&row[COL_QUEUE_RANK], trace, k->host);
	cell_host(&row[COL_QUEUE_HOST], trace, k->host);
	cell_device(&row[COL_QUEUE_DEVICE], trace, k->device);
	cell_int(&row[COL_QUEUE_STREAM], k->key);
	cell_int(&row[COL_QUEUE_BUCKET], bucket);
	cell_int(&row[COL_QUEUE_START], s->a_ns);
	cell_int(&row[COL_QUEUE_DUR], s->b_ns - s->a_ns);
	cell_int(&row[COL_QUEUE_CALLS], s->calls);
	cell_real(&row[COL_QUEUE_MEAN], (double)s->waits_ns / (double)(s->b_ns - s->a_ns));
	cell_int(&row[COL_QUEUE_MIN], s->min);
	cell_int(&row[COL_QUEUE_MAX], s->max);
	cell_int(&row[COL_QUEUE_WAITING], s->waiting_ns);
	cell_int(&row[COL_QUEUE_FULL], s->full_ns);
	cell_int(&row[COL_QUEUE_BLOCKED], s->blocked_ns);
	table_evidence(t, s->a_ns, s->b_ns, &s->deepest, s->deepest != NONE_ID);
}

static bool put_streams(struct table *t, const struct derived *d, const struct query *q, struct progress *p,
			struct err *e)
{
	const struct trace *trace = derived_trace(d);
	for (uint32_t i = 0; i < trace_tracks(trace); i++) {
		const struct track_info *k = trace_track(trace, i);
		struct queue_depth depth;
		if (progress_cancelled(p))
			return err_usage(e, "cancelled");
		if (k->kind != TRACK_STREAM || k->derived_by_producer || !queue_depth_of(d, q, i, t->mem, &depth))
			continue;
		put_span(t, d, k, &depth.all, UNKNOWN_I64);
		for (uint32_t b = 0; b < depth.n; b++)
			put_span(t, d, k, &depth.at[b], b);
	}
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
