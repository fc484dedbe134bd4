/* model/store/base/first_from.h - where in an ascending list of moments one lies. What is evenly spread over its time, as the events of most
 * traces are, is found at once, what is not after a few guesses, else by halves. */
#ifndef STEPSCOPE_FIRST_FROM_H
#define STEPSCOPE_FIRST_FROM_H
#include <stddef.h>
#include <stdint.h>

/* The first i of [lo, end) with at[i * stride] >= ts, `end` if there is none. */
static inline uint64_t first_from(const int64_t *at, size_t stride, uint64_t lo, uint64_t end, int64_t ts)
{
	enum { FEW = 16, NEAR = 32, GUESSES = 4 };
	if (lo >= end || at[lo * stride] >= ts)
		return lo;
	if (at[(end - 1) * stride] < ts)
		return end;
	uint64_t hi = end - 1; /* at[lo] < ts <= at[hi] */
	for (int guesses = 0; guesses < GUESSES && hi - lo > FEW; guesses++) {
		uint64_t from = (uint64_t)at[lo * stride], to = (uint64_t)at[hi * stride];
		double part = (double)((uint64_t)ts - from) / (double)(to - from);
		uint64_t guess = lo + (uint64_t)(part * (double)(hi - lo));
		guess = guess < hi ? guess : hi - 1;
		if (at[guess * stride] < ts) {
			lo = guess;
			if (guess + NEAR < hi)
				*(at[(guess + NEAR) * stride] < ts ? &lo : &hi) = guess + NEAR;
		} else {
			hi = guess;
			if (guess > lo + NEAR)
				*(at[(guess - NEAR) * stride] < ts ? &lo : &hi) = guess - NEAR;
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
