/* model/store/base/clock.h - a monotonic clock for durations. */
#ifndef STEPSCOPE_CLOCK_H
#define STEPSCOPE_CLOCK_H
#include <stdint.h>
#include <time.h>

/* ms of CLOCK_MONOTONIC: for differences only. */
static inline int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
#endif
