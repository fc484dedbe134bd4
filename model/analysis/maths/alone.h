/* model/analysis/maths/alone.h - how much of each of several lists of intervals no other of them covers. Lists stay where they lie, and of those
 * that lie where two others are hardly anything is looked at: devices of one job mostly work at the same time.
 * Memory:  of lists that lie alike 64 bytes per interval of one of them, else 40 bytes per interval at hand: 4 MB, of very many lists 640
 *          bytes of each; out of memory ends the program (memory.h).
 * Threads: any. */
#ifndef STEPSCOPE_ALONE_H
#define STEPSCOPE_ALONE_H
#include "intervals.h"
#include <stdbool.h>

/* Sorted and disjoint; what of it lies outside [a_ns, b_ns) is left out. */
struct placed_intervals {
	const struct interval *at;
	uint32_t n;
	int64_t a_ns, b_ns;
};
struct placed_lists {
	const struct placed_intervals *at;
	uint32_t n;
	/* A moment of list i as all lists tell it, never earlier for a later one; NULL: they tell it alike. */
	int64_t (*axis)(const void *ctx, uint32_t i, int64_t ts_ns);
	bool (*stop)(const void *ctx); /* asked now and then: what is known by then is enough; NULL: never */
	const void *ctx;
};
/* alone_ns[i] of each list: the time, on the common axis, in which it has an interval and no other list has one. */
void intervals_alone(const struct placed_lists *lists, int64_t *alone_ns);
#endif
