/* model/store/base/first_from.h - where in an ascending list of moments one lies. What is evenly spread over its time, as the events of most
 * traces are, is found at once; else by halves. */
#ifndef STEPSCOPE_FIRST_FROM_H
#define STEPSCOPE_FIRST_FROM_H
#include <stddef.h>
#include <stdint.h>

/* The first i of [lo, end) with at[i * stride] >= ts, `end` if there is none. */
static inline uint64_t first_from(const int64_t *at, size_t stride, uint64_t lo, uint64_t end, int64_t ts)
{
	enum { FEW = 16, NEAR = 8 };
	uint64_t hi = end;
	if (lo >= end || at[lo * stride] >= ts)
		return lo;
	if (at[(end - 1) * stride] < ts)
		return end;
	if (end - lo > FEW) {
		double from = (double)at[lo * stride],
		       part = ((double)ts - from) / ((double)at[(end - 1) * stride] - from);
		uint64_t guess = lo + (uint64_t)(part * (double)(end - 1 - lo)), step = 1;
		guess = guess < end ? guess : end - 1;
		if (at[guess * stride] < ts) {
			for (lo = guess; step <= NEAR && lo + step < end && at[(lo + step) * stride] < ts; step *= 2)
				lo += step;
			hi = step <= NEAR && lo + step < end ? lo + step : end;
		} else {
			for (hi = guess; step <= NEAR && lo + step < hi && at[(hi - step) * stride] >= ts; step *= 2)
				hi -= step;
			lo = step <= NEAR && lo + step < hi ? hi - step : lo;
		}
	}
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;
		if (at[mid * stride] < ts)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
#endif
