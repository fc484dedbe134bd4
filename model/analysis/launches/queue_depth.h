/* model/analysis/launches/queue_depth.h - how many launch calls of a stream wait, over time: in all and in buckets of equal length.
 * A call waits from its start until its first work on the stream starts. Buckets are 1, 2 or 5 times a power of ten ns long,
 * begin at multiples of that, and there are at most QUEUE_BUCKETS of them in the window; times are clipped to the window. */
#ifndef STEPSCOPE_QUEUE_DEPTH_H
#define STEPSCOPE_QUEUE_DEPTH_H
#include "launch_walk.h"

enum { QUEUE_BUCKETS = 50 };
struct queue_span {
	int64_t a_ns, b_ns;
	int64_t calls;      /* that begin in it */
	int64_t waits_ns;   /* depth times time */
	int64_t waiting_ns; /* at least one call waits */
	int64_t full_ns;    /* QUEUE_FULL or more do */
	int64_t blocked_ns; /* of calls that began with QUEUE_NEARLY_FULL or more */
	uint32_t min, max;  /* max: at the start of a call, itself included, or for a while */
	row_id deepest;     /* the work of the call that found most, NONE_ID = none began */
};
struct queue_depth {
	struct queue_span all, *at;
	uint32_t n;
};
/* In `mem`. False when no call of the stream meets the window. */
bool queue_depth_of(const struct derived *d, const struct query *q, uint32_t track, struct arena *mem,
		    struct queue_depth *out);
#endif
