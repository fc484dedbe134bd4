/* Which work begins each busy time of a device: what ends the idle time before it. */
#include "idle_one.h"
#include "model/analysis/derived/rows.h"
#include "model/analysis/query/next_work.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static void find_starters(const struct derived *d, uint32_t track, const struct interval *busy, uint32_t n, row_id *row)
{
	const struct columns *c = derived_columns(d);
	const struct track_info *k = trace_track(derived_trace(d), track);
	row_id end = (row_id)(k->first + k->n), r = n ? first_row_from(c, k, busy->a_ns) : end;
	for (uint32_t i = 0; r < end && i < n; r++) {
		i = intervals_from(busy, i, n, c->start_ns[r]);
		if (i < n && busy[i].a_ns == c->start_ns[r] && row[i] == NONE_ID && row_is_work(c, r))
			row[i] = r;
	}
}

static void find_all(const struct derived *d, uint32_t device, const struct interval *busy, uint32_t n, row_id *row)
{
	uint32_t tracks;
	const uint32_t *streams = device_streams(d, device, &tracks);
	if (tracks > NEXT_WORK_FEW && n < tracks) {
		const struct next_work *x = next_work_of(d);
		for (uint32_t i = 0; i < n; i++)
			row[i] = next_work_begun_at(x, device, busy[i].a_ns);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		row[i] = NONE_ID;
	for (uint32_t i = 0; i < tracks; i++)
		find_starters(d, streams[i], busy, n, row);
}

/* Of busy times that begin inside the window, and of the one after it, which the last idle time inside waits for. */
static void starters_begin(const struct idles *x, const struct intervals *busy, struct starters *s)
{
	uint32_t end = x->q->b_ns == INT64_MAX ? busy->n : intervals_after(busy, x->q->b_ns);
	s->from = x->q->a_ns == INT64_MIN ? 0 : intervals_after(busy, x->q->a_ns);
	s->n = (end < busy->n ? end + 1 : end) - s->from;
	s->begun = true;
}

/* So many will be asked about. */
const struct starters *idle_starters_of(struct idles *x, uint32_t device, uint32_t asked)
{
	enum { ALONE = 4 }; /* times what one of all costs, and what it costs in each stream */
	struct starters *s = &x->starters[device];
	uint32_t streams;
	if (s->row)
		return s;
	const struct intervals *busy = derived_busy_device(x->d, device);
	if (!s->begun)
		starters_begin(x, busy, s);
	device_streams(x->d, device, &streams);
	s->asked = asked < s->n ? s->asked + asked : s->n;
	if ((uint64_t)s->asked * (ALONE + streams) < s->n)
		return s;
	s->row = must(malloc((s->n + (size_t)1) * sizeof *s->row));
	find_all(x->d, device, busy->at + s->from, s->n, s->row);
	return s;
}

row_id idle_starter_sought(const struct idles *x, const struct starters *s, uint32_t device, uint32_t i)
{
	row_id row;
	if (i - s->from >= s->n)
		return NONE_ID;
	find_all(x->d, device, derived_busy_device(x->d, device)->at + i, 1, &row);
	return row;
}
