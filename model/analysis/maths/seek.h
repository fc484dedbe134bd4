/* model/analysis/maths/seek.h - the next of many moments that lies behind a given one, where it is mostly near but may be far away. */
#ifndef STEPSCOPE_SEEK_H
#define STEPSCOPE_SEEK_H
#include <stdint.h>

typedef int64_t seek_moment(const void *list, uint32_t i); /* ns at place i of the list */

/* The first place in from..n whose moment_ns(list, place) is later than at_ns; n when none is. Moments ascend. Looks at one place when
 * that is `from` itself, and at 2 log2(k) when it is k places further: steps that double, then halves. moment_ns is known to the
 * compiler. */
static inline __attribute__((always_inline)) uint32_t seek_later(const void *list, uint32_t from, uint32_t n,
								 int64_t at_ns, seek_moment *moment_ns)
{
	uint32_t low = from, high = from;
	for (uint64_t step = 1; high < n && moment_ns(list, high) <= at_ns; step *= 2) {
		low = high + 1;
		high = step < n - high ? high + (uint32_t)step : n;
	}
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (moment_ns(list, mid) <= at_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}
#endif
