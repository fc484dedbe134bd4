/* model/analysis/maths/rank.h - numbers ranked by a size, largest first, ties in the order given: three passes over the list
 * instead of twenty comparisons per entry. */
#ifndef STEPSCOPE_RANK_H
#define STEPSCOPE_RANK_H
#include "model/store/base/arena.h"
#include <stdint.h>

struct rank {
	uint32_t size; /* rank_size() */
	uint32_t id;
};
/* Sizes keep their order up to 4.29 s; RANK_LARGE stands for everything beyond. */
#define RANK_LARGE UINT32_MAX
static inline uint32_t rank_size(int64_t ns)
{
	return ns <= 0 ? 0 : ns >= RANK_LARGE ? RANK_LARGE : (uint32_t)ns;
}
void rank_sort(struct rank *at, uint32_t n);
/* Puts the largest in front of the others, at least so many if there are, all of a size on one side; returns how many. Both parts keep the
 * order given: sorted one after the other they are what rank_sort makes of all, and who asks for the largest need not sort the rest. */
uint32_t rank_largest(struct rank *at, uint32_t n, uint32_t least);
/* After rank_sort: puts entries of equal size in the order that `compare` says, as far as they are at least `least`. */
void rank_ties(struct rank *at, uint32_t n, uint32_t least, int (*compare)(const void *x, const void *y, void *arg),
	       void *arg);
/* The ids alone, in their order; `at`, from malloc, is freed. Sizes are not kept where many lists are. */
uint32_t *rank_ids(struct rank *at, uint32_t n, struct arena *mem);
#endif
