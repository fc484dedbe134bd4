#include "launch_walk.h"
#include "model/store/base/memory.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/query/cells.h"
#include "model/analysis/steps/idle.h"
#include <stdlib.h>
#include <string.h>

/* The busy times of the device under way: each begins with one work, whatever number of streams start then. */
struct starts {
	const struct intervals *busy;
	uint8_t *taken; /* one bit per busy time */
	uint32_t at;
};
struct walker {
	READER_APART const struct derived *d;
	const struct query *q;
	struct progress *progress;
	const struct launch_taker *takers;
	uint32_t n_takers;
	bool is_second;
	launch_queue_fn *read;
	struct queue queue;
	struct starts starts;
	uint32_t device; /* under way */
	bool cancelled;
	bool whole; /* the window leaves nothing out */
};

static int64_t clipped_ns(const struct walker *w, int64_t a_ns, int64_t b_ns)
{
	if (w->whole)
		return b_ns > a_ns ? b_ns - a_ns : 0;
	return query_clipped_ns(w->q, a_ns, b_ns);
}

/* ---- idle time that ends with the work -------------------------------------------------------------------------------- */

/* True once for the busy time that starts at start_ns; *i is its place. */
static bool begins_busy(struct starts *s, int64_t start_ns, uint32_t *i)
{
	const struct intervals *busy = s->busy;
	*i = s->at = intervals_from(busy->at, s->at, busy->n, start_ns);
	if (s->at == busy->n || busy->at[s->at].a_ns != start_ns || s->taken[s->at >> 3] >> (s->at & 7) & 1)
		return false;
	s->taken[s->at >> 3] |= (uint8_t)(1u << (s->at & 7));
	return true;
}

static void put_idle(struct walker *w, struct launched *x)
{
	const struct columns *c = derived_columns(w->d);
	int64_t start_ns = c->start_ns[x->work];
	uint32_t i;
	if (!begins_busy(&w->starts, start_ns, &i))
		return;
	x->busy = i;
	if (x->launch == NONE_ID)
		return;
	int64_t begun_ns = earlier(c->start_ns[x->launch], start_ns),
		from_ns = i ? w->starts.busy->at[i - 1].b_ns : begun_ns;
	int64_t held_ns = row_end(c, x->launch) + IDLE_LATENCY_NS;
	x->not_launched_ns = clipped_ns(w, from_ns, begun_ns);
	x->launch_bound_ns = clipped_ns(w, from_ns > begun_ns ? from_ns : begun_ns, earlier(held_ns, start_ns));
}

/* ---- one work --------------------------------------------------------------------------------------------------------- */

static void put_call(struct walker *w, struct launched *x, const struct queued *entry)
{
	const struct columns *c = derived_columns(w->d);
	int64_t begun_ns = c->start_ns[x->launch], wait_ns = c->start_ns[x->work] - begun_ns;
	x->queue = entry ? entry->depth : 0;
	x->owner = c->link[x->launch] == x->work;
	x->early = wait_ns < 0;
	x->latency_ns = wait_ns < 0 ? 0 : wait_ns;
	x->call_ns = x->owner ? clipped_ns(w, begun_ns, row_end(c, x->launch)) : 0;
}

static void tell(const struct walker *w, const struct launched *x)
{
	for (uint32_t i = 0; i < w->n_takers; i++) {
		const struct launch_taker *taker = &w->takers[i];
		taker->take(w->is_second ? taker->second : taker->first, x);
	}
}

static void take_work(struct walker *w, uint32_t track, row_id r, const struct queued *entry)
{
	const struct columns *c = derived_columns(w->d);
	struct launched x = {.work = r, .launch = c->link[r], .track = track, .busy = NONE_ID, .device = w->device};
	x.starts = query_holds(w->q, c->start_ns[r]);
	x.work_ns = clipped_ns(w, c->start_ns[r], row_end(c, r));
	put_idle(w, &x);
	if (x.launch != NONE_ID)
		put_call(w, &x, entry);
	if (!x.starts && !x.work_ns && !x.call_ns && !x.not_launched_ns && !x.launch_bound_ns)
		return;
	if (!w->q->filter || event_wanted(w->d, w->q, r))
		tell(w, &x);
}

/* ---- streams ---------------------------------------------------------------------------------------------------------- */

/* Rows of the stream from the first that may reach into the window to the last. */
static void walk_stream(struct walker *w, uint32_t track)
{
	enum { AHEAD = 24, CANCEL_EVERY = 1 << 16 };
	const struct columns *c = derived_columns(w->d);
	uint32_t next = 0;
	w->read(&w->queue, w->d, w->q, track);
	row_id from = w->queue.from, end = w->queue.end;
	w->starts.at = from < end ? intervals_after(w->starts.busy, c->start_ns[from] - 1) : 0;
	for (row_id r = from; r < end && !w->cancelled; r++) {
		if (r % CANCEL_EVERY == 0)
			w->cancelled = progress_cancelled(w->progress);
		if (r + AHEAD < end && c->link[r + AHEAD] != NONE_ID)
			__builtin_prefetch(&c->link[c->link[r + AHEAD]]);
		op_facts_ahead(w->d, r);
		while (next < w->queue.n && w->queue.at[next].work < r)
			next++;
		if (row_is_work(c, r))
			take_work(w, track, r,
				  next < w->queue.n && w->queue.at[next].work == r ? &w->queue.at[next] : NULL);
	}
}

static void walk_device(struct walker *w, uint32_t device)
{
	uint32_t n;
	const uint32_t *streams = device_streams(w->d, device, &n);
	size_t bytes;
	w->device = device;
	w->starts = (struct starts){.busy = derived_busy_device(w->d, device)};
	bytes = w->starts.busy->n / 8 + (size_t)1;
	w->starts.taken = must(malloc(bytes));
	memset(w->starts.taken, 0, bytes);
	for (uint32_t i = 0; i < n && !w->cancelled; i++)
		walk_stream(w, streams[i]);
	free(w->starts.taken);
}

static bool walk_devices(void *reader, uint32_t from, uint32_t to)
{
	struct walker *w = reader;
	for (uint32_t i = from; i < to && !w->cancelled; i++)
		walk_device(w, i);
	queue_free(&w->queue);
	return !w->cancelled;
}

bool launch_walk(const struct derived *d, const struct query *q, const struct halves *h, launch_queue_fn *read,
		 struct progress *p, const struct launch_taker *takers, uint32_t n, struct err *e)
{
	struct walker of[2];
	for (int i = 0; i < 2; i++)
		of[i] = (struct walker){.d = d,
					.q = q,
					.progress = p,
					.takers = takers,
					.n_takers = n,
					.is_second = i == 1,
					.whole = q->a_ns == INT64_MIN && q->b_ns == INT64_MAX,
					.read = read};
	return halves_read(h, walk_devices, &of[0], &of[1]) || err_usage(e, "cancelled");
}
