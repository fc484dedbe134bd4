/* model/analysis/maths/moments.h - moments in order, each with the number of what is there: some passes over the list instead of twenty
 * comparisons per entry, and one where it stands in order already. */
#ifndef STEPSCOPE_MOMENTS_H
#define STEPSCOPE_MOMENTS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moment {
	int64_t ts_ns;
	uint32_t id;
};
/* Ascending; equal ones stay in the order given. False: nothing had to be moved. */
bool moments_sort(struct moment *at, size_t n);
#endif
