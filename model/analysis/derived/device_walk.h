/* model/analysis/derived/device_walk.h - what all streams of a device do, as one sequence in order of start (ties: by row).
 * Cost: O(log streams) per event. Life: device_walk_open -> device_walk_next... -> device_walk_close. */
#ifndef STEPSCOPE_DEVICE_WALK_H
#define STEPSCOPE_DEVICE_WALK_H
#include "derived.h"

struct device_walk {
	const struct columns *c;
	struct event_iter *heap; /* the stream whose event begins first is on top */
	uint32_t n;
	bool begun;
	row_id row; /* the current event */
};
/* Events of [a, b) of the kinds in the mask, as event_iter takes them. */
void device_walk_open(struct device_walk *w, const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns,
		      uint32_t kinds);
bool device_walk_next(struct device_walk *w);
void device_walk_close(struct device_walk *w);
#endif
