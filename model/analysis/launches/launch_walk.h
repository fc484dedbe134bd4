/* model/analysis/launches/launch_walk.h - device work and the calls that launched it, stream by stream, with what lies between them.
 * Call:     the host event that launched the work; it may own many (a CUDA graph). Call, latency and queue are told once per
 *           call, with its first work.
 * Latency:  start of the work - start of the call; what a clock makes negative is 0 and `early`.
 * Queue:    calls of the stream that have begun and whose first work there has not started, at the start of the call, itself
 *           included.
 * Idle:     time in which the device did nothing and which ends with this work, by the rules of idle.h: before the call began,
 *           and from then until IDLE_LATENCY_NS after the call's end. What precedes the first work of a device counts from the
 *           start of its call.
 * Window:   times are clipped. Work that starts outside is told, too, when its call or its idle time reach into the window:
 *           as far as QUEUE_FULL calls of a stream on either side. */
#ifndef STEPSCOPE_LAUNCH_WALK_H
#define STEPSCOPE_LAUNCH_WALK_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/query/halves.h"
#include "model/query.h"

/* Calls that a stream of CUDA takes before the next one blocks; and from where on a queue counts as full: a few calls less, as
 * the device takes some away early. */
enum { QUEUE_FULL = 1024, QUEUE_NEARLY_FULL = QUEUE_FULL - QUEUE_FULL / 32 };

struct launched {
	row_id work, launch; /* launch: NONE_ID = not recorded */
	uint32_t track, device;
	bool starts; /* inside the window */
	bool owner;  /* the first work of its call */
	bool early;  /* starts before its call */
	int64_t work_ns, call_ns;
	int64_t latency_ns;                       /* whole */
	uint32_t queue;                           /* 0: not recorded */
	int64_t not_launched_ns, launch_bound_ns; /* idle before the call, and for the call */
	uint32_t busy;                            /* the busy time of the device that begins with it; NONE_ID = none */
};
typedef void launched_fn(void *arg, const struct launched *x);
/* One call in the queue of its stream. */
struct queued {
	row_id work;    /* the first of the call */
	uint32_t depth; /* when the call begins, itself included */
};
struct queue {
	struct queued *at; /* by the start of their work */
	uint32_t n, cap;
	uint32_t *by_begin; /* places in `at` by the start of their calls; NULL: the same order */
	bool ordered;
	row_id from, end; /* rows of the stream that were read */
};
/* The calls of a stream that meet the window, as above. Call queue_read any number of times -> queue_free. */
void queue_read(struct queue *v, const struct derived *d, const struct query *q, uint32_t track);
/* Its rows alone: from and end. */
void queue_rows(struct queue *v, const struct derived *d, const struct query *q, uint32_t track);
void queue_free(struct queue *v);

typedef void launch_queue_fn(struct queue *v, const struct derived *d, const struct query *q, uint32_t track);
/* Who is told of every work, one half of the devices apart from the other. */
struct launch_taker {
	launched_fn *take;
	void *first, *second;
};
/* Every work of the query, in order of devices and streams, to each of n takers: of the first half of the devices into `first`, of the
 * second one, on a thread of its own, into `second`. read: queue_read, or queue_rows where none asks how many calls wait: then `queue` is
 * 0. False with `e` on cancel. */
bool launch_walk(const struct derived *d, const struct query *q, const struct halves *h, launch_queue_fn *read,
		 struct progress *p, const struct launch_taker *takers, uint32_t n, struct err *e);
static inline int64_t queued_begun_ns(const struct columns *c, const struct queued *x)
{
	return c->start_ns[c->link[x->work]];
}
static inline const struct queued *queue_by_begin(const struct queue *v, uint32_t i)
{
	return &v->at[v->ordered ? i : v->by_begin[i]];
}
#endif
