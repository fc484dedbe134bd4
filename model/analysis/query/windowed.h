/* model/analysis/query/windowed.h - the events a query is about, track by track: window, kinds and filter in one loop.
 * Clipping: windowed_clipped is what the event adds to a sum of time; windowed_starts tells whether it counts. */
#ifndef STEPSCOPE_WINDOWED_H
#define STEPSCOPE_WINDOWED_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

struct windowed {
	const struct derived *d;
	const struct query *q;
	const struct columns *c;
	struct event_iter it;
	struct progress_loop loop;
	row_id row;
};
struct windowed windowed_open(const struct derived *d, const struct query *q, struct progress *p);
void windowed_track(struct windowed *w, uint32_t track, uint32_t kinds);
bool windowed_next(struct windowed *w); /* false at the track's end and on cancel */
static inline bool windowed_starts(const struct windowed *w)
{
	return query_holds(w->q, w->c->start_ns[w->row]);
}
static inline int64_t windowed_clipped(const struct windowed *w)
{
	int64_t start_ns = w->c->start_ns[w->row];
	return query_clipped_ns(w->q, start_ns, start_ns + w->c->dur_ns[w->row]);
}
/* Label of the step an event belongs to, NULL = none. */
const char *windowed_step(const struct derived *d, row_id r);
bool windowed_done(const struct windowed *w, struct err *e); /* false with `e` when it was cancelled */
#endif
