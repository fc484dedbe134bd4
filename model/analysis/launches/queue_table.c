/* queue: how many launch calls wait, per stream: one row for all of the window, then one per bucket of time. */
#include "queue_depth.h"
#include "model/analysis/compat/hta_launches.h"
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"
#include "model/analysis/query/cells.h"

TABLE_DECL(queue);

/* clang-format off */
#define QUEUE_COLUMNS(_) \
	_(RANK,     "rank",       INT,  NONE,    "rank of the host") \
	_(DEVICE,   "device",     INT,  NONE,    "device") \
	_(STREAM,   "stream",     INT,  NONE,    "stream") \
	_(BUCKET,   "bucket",     INT,  NONE,    "stretch of time, from 0; null: all of the window") \
	_(START,    "start_ns",   INT,  NS,      "begin of the stretch") \
	_(DUR,      "dur_ns",     INT,  NS,      "its length") \
	_(CALLS,    "calls",      INT,  COUNT,   "launch calls of the stream that begin in it; with --semantics hta: changes of the length of the queue") \
	_(MEAN,     "depth_mean", REAL, NONE,    "calls that have begun and whose work has not started, mean over time; with --semantics hta: over the changes, calls before work of the same us") \
	_(LOW,      "depth_mean_low", REAL, NONE, "--semantics hta: the mean over the changes with work before calls of the same us") \
	_(MIN,      "depth_min",  INT,  COUNT,   "fewest at any time") \
	_(MEDIAN,   "depth_median", REAL, NONE,  "--semantics hta: median over the changes") \
	_(MAX,      "depth_max",  INT,  COUNT,   "most, the call that begins included") \
	_(WAITING,  "waiting_ns", INT,  NS,      "time in which at least one waits") \
	_(FULL,     "full_ns",    INT,  NS,      "time in which 1024 or more wait: the queue of a CUDA stream is full then") \
	_(BLOCKED,  "blocked_ns", INT,  NS,      "time of the calls that began with 992 or more waiting")
/* clang-format on */
enum {
#define COLUMN_ENUM(id, name, type, unit, help) COL_##id,
	QUEUE_COLUMNS(COLUMN_ENUM)
#undef COLUMN_ENUM
		COL_COUNT_
};
static const struct column columns[] = {
#define COLUMN_ROW(id, name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},
	QUEUE_COLUMNS(COLUMN_ROW)
#undef COLUMN_ROW
};

/* ---- our own way ------------------------------------------------------------------------------------------------------ */

static void put_span(struct table *t, const struct derived *d, const struct track_info *k, const struct queue_span *s,
		     int64_t bucket)
{
	const struct trace *trace = derived_trace(d);
	struct cell *row = table_row(t);
	cell_rank(&row[COL_RANK], trace, k->host);
	cell_device(&row[COL_DEVICE], trace, k->device);
	cell_int(&row[COL_STREAM], k->key);
	cell_int(&row[COL_BUCKET], bucket);
	cell_int(&row[COL_START], s->a_ns);
	cell_int(&row[COL_DUR], s->b_ns - s->a_ns);
	cell_int(&row[COL_CALLS], s->calls);
	cell_real(&row[COL_MEAN], (double)s->waits_ns / (double)(s->b_ns - s->a_ns));
	cell_int(&row[COL_MIN], s->min);
	cell_int(&row[COL_MAX], s->max);
	cell_int(&row[COL_WAITING], s->waiting_ns);
	cell_int(&row[COL_FULL], s->full_ns);
	cell_int(&row[COL_BLOCKED], s->blocked_ns);
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
		cell_rank(&row[COL_RANK], derived_trace(d), v->host);
		cell_int(&row[COL_STREAM], v->stream);
		cell_int(&row[COL_CALLS], v->changes);
		cell_real(&row[COL_MEAN], v->mean);
		cell_real(&row[COL_LOW], v->mean_low);
		cell_int(&row[COL_MIN], v->min);
		cell_real(&row[COL_MEDIAN], v->median);
		cell_int(&row[COL_MAX], v->max);
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
	.first = COLUMN_LIST(COL_DEVICE, COL_STREAM, COL_BUCKET, COL_MEAN, COL_MAX, COL_WAITING, COL_FULL, COL_BLOCKED,
			     COL_START, COL_CALLS),
	.report = {.intro = "how many launch calls wait, per stream, over the whole window",
		   .brief = COLUMN_LIST(COL_DEVICE, COL_STREAM, COL_CALLS, COL_MEAN, COL_MAX, COL_WAITING, COL_FULL,
					COL_BLOCKED)},
};
