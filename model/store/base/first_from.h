/* model/store/base/first_from.h - where in an ascending list of moments one lies. What is evenly spread over its time, as the events of most
 * traces are, is found at once, what is not after a few guesses, else by halves. */
#ifndef STEPSCOPE_FIRST_FROM_H
#define STEPSCOPE_FIRST_FROM_H
#include <stddef.h>
#include <stdint.h>

/* How far beside a guess among n moments is looked, too: where they are few, what is asked for lies the nearer. */
static inline uint64_t first_from_near(uint64_t n)
{
	enum { LEAST = 4, MOST = 32, PART = 8 };
	return n < LEAST * PART ? LEAST : n > MOST * PART ? MOST : n / PART;
}

/* The first i of [lo, end) with at[i * stride] >= ts, `end` if there is none. */
static inline uint64_t first_from(const int64_t *at, size_t stride, uint64_t lo, uint64_t end, int64_t ts)
{
	enum { FEW = 16, GUESSES = 4 };
	if (lo >= end || at[lo * stride] >= ts)
		return lo;
	if (at[(end - 1) * stride] < ts)
		return end;
	uint64_t hi = end - 1; /* at[lo] < ts <= at[hi] */
	for (int guesses = 0; guesses < GUESSES && hi - lo > FEW; guesses++) {
		uint64_t from = (uint64_t)at[lo * stride], to = (uint64_t)at[hi * stride];
		double part = (double)((uint64_t)ts - from) / (double)(to - from);
		uint64_t guess = lo + (uint64_t)(part * (double)(hi - lo)), near = first_from_near(hi - lo);
		guess = guess < hi ? guess : hi - 1;
		if (at[guess * stride] < ts) {
			lo = guess;
			if (guess + near < hi)
				*(at[(guess + near) * stride] < ts ? &lo : &hi) = guess + near;
		} else {
			hi = guess;
			if (guess > lo + near)
				*(at[(guess - near) * stride] < ts ? &lo : &hi) = guess - near;
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
