#include "next_work.h"
#include <stdlib.h>
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/order.h"
#include "model/analysis/maths/seek.h"
#include "model/store/base/memory.h"

struct in_order {
	row_id *rows; /* by start, then as they stand; NULL: its streams are few */
	uint32_t n;
};
struct next_work {
	const struct derived *d;
	const struct columns *c;
	struct in_order of[]; /* by device */
};

/* ---- making -------------------------------------------------------------------------------------------------------------- */

static void put_in_order(struct next_work *x, struct in_order *o, const uint32_t *streams, uint32_t n)
{
	const struct trace *t = derived_trace(x->d);
	size_t total = 0;
	for (uint32_t i = 0; i < n; i++)
		total += trace_track(t, streams[i])->n;
	o->rows = must(malloc((total + 1) * sizeof *o->rows));
	for (uint32_t i = 0; i < n; i++)
		for (row_id k = 0; k < trace_track(t, streams[i])->n; k++)
			o->rows[o->n++] = (row_id)trace_track(t, streams[i])->first + k;
	sort_if_needed_r(o->rows, o->n, sizeof *o->rows, row_order, (void *)x->c);
}

static void *make(const struct derived *d, struct progress *progress, struct err *e)
{
	(void)progress;
	(void)e;
	uint32_t devices = trace_devices(derived_trace(d)), n;
	struct next_work *x = must(calloc(1, sizeof *x + devices * sizeof *x->of));
	x->d = d;
	x->c = derived_columns(d);
	for (uint32_t i = 0; i < devices; i++) {
		const uint32_t *streams = device_streams(d, i, &n);
		if (n > NEXT_WORK_FEW)
			put_in_order(x, &x->of[i], streams, n);
	}
	return x;
}

static void unmake(void *kept)
{
	struct next_work *x = kept;
	for (uint32_t i = 0; i < trace_devices(derived_trace(x->d)); i++)
		free(x->of[i].rows);
	free(x);
}

const struct next_work *next_work_of(const struct derived *d)
{
	static const struct kept_maker maker = {make, unmake};
	return derived_kept(d, &maker, NULL, NULL);
}

/* ---- few streams: each is asked ------------------------------------------------------------------------------------------ */

static row_id ask_each(const struct next_work *x, const uint32_t *streams, uint32_t n, int64_t ts_ns, bool forward)
{
	row_id best = NONE_ID;
	for (uint32_t i = 0; i < n; i++) {
		const struct track_info *k = trace_track(derived_trace(x->d), streams[i]);
		row_id at = first_row_from(x->c, k, ts_ns);
		if (!forward && at == k->first)
			continue;
		at -= !forward;
		if (at >= k->first + k->n)
			continue;
		bool nearer = best == NONE_ID || (forward ? x->c->start_ns[at] < x->c->start_ns[best]
							  : x->c->start_ns[at] > x->c->start_ns[best]);
		best = nearer ? at : best;
	}
	return best;
}

/* ---- many: their events in one order ------------------------------------------------------------------------------------- */

struct moments {
	const row_id *rows;
	const int64_t *start_ns;
};
static inline int64_t start_at(const void *list, uint32_t i)
{
	const struct moments *m = list;
	return m->start_ns[m->rows[i]];
}
static inline int64_t row_at(const void *list, uint32_t i)
{
	return ((const row_id *)list)[i];
}

static uint32_t first_at(const struct next_work *x, const struct in_order *o, int64_t ts_ns)
{
	if (ts_ns == INT64_MIN)
		return 0;
	struct moments m = {o->rows, x->c->start_ns};
	return seek_later(&m, 0, o->n, ts_ns - 1, start_at);
}

/* Of those that begin last, as one stream after another: the last one of the first stream. */
static row_id last_before(const struct next_work *x, const struct in_order *o, int64_t ts_ns)
{
	uint32_t n = first_at(x, o, ts_ns);
	if (!n)
		return NONE_ID;
	uint32_t first = first_at(x, o, x->c->start_ns[o->rows[n - 1]]);
	const struct track_info *k = trace_track(derived_trace(x->d), x->c->track[o->rows[first]]);
	return o->rows[seek_later(o->rows, first, n, (int64_t)(k->first + k->n) - 1, row_at) - 1];
}

/* ---- asking -------------------------------------------------------------------------------------------------------------- */

static row_id ask_streams(const struct next_work *x, uint32_t device, int64_t ts_ns, bool forward)
{
	uint32_t n;
	const uint32_t *streams = device_streams(x->d, device, &n);
	return ask_each(x, streams, n, ts_ns, forward);
}

row_id next_work_after(const struct next_work *x, uint32_t device, int64_t ts_ns)
{
	const struct in_order *o = &x->of[device];
	if (!o->rows)
		return ask_streams(x, device, ts_ns, true);
	uint32_t at = first_at(x, o, ts_ns);
	return at < o->n ? o->rows[at] : NONE_ID;
}

row_id next_work_before(const struct next_work *x, uint32_t device, int64_t ts_ns)
{
	const struct in_order *o = &x->of[device];
	return o->rows ? last_before(x, o, ts_ns) : ask_streams(x, device, ts_ns, false);
}

row_id next_work_begun_at(const struct next_work *x, uint32_t device, int64_t at_ns)
{
	const struct in_order *o = &x->of[device];
	for (uint32_t i = first_at(x, o, at_ns); i < o->n && x->c->start_ns[o->rows[i]] == at_ns; i++)
		if (row_is_work(x->c, o->rows[i]))
			return o->rows[i];
	return NONE_ID;
}
