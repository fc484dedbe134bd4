/* model/analysis/maths/largest.h - the few that come first of many, in one pass and in the room of those few.
 * Life: largest_new -> largest_offer any number of times -> largest_sorted. One thread. */
#ifndef STEPSCOPE_LARGEST_H
#define STEPSCOPE_LARGEST_H
#include "model/store/base/arena.h"
#include <stddef.h>
#include <stdint.h>

struct largest {
	unsigned char *at; /* `n` items of `size` bytes, at most `max` */
	uint32_t n, max;
	size_t size;
	int (*order)(const void *x, const void *y); /* below 0: x comes before y; never 0 for two that are offered */
};
/* Room for `max` items in `mem`. */
struct largest largest_new(struct arena *mem, uint32_t max, size_t size, int (*order)(const void *x, const void *y));
/* Copies the item if it is among the first `max` so far. O(1) for those that are not, else O(log max). */
void largest_offer(struct largest *l, const void *item);
/* Those kept, the first one first. Nothing is offered afterwards. */
void *largest_sorted(struct largest *l);
#endif
