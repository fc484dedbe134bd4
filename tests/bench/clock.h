/* tests/bench/clock.h - seconds on the monotonic clock and of processor time, and what this process holds in memory. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H
#include <stdio.h>
#include <string.h>
#include <time.h>

static inline double clock_s(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double now_s(void)
{
	return clock_s(CLOCK_MONOTONIC);
}

/* One line of /proc/self/status in KiB ("VmHWM", "RssAnon"), -1 = not there. */
static inline long status_kib(const char *key)
{
	char line[256];
	long kib = -1;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, key, strlen(key)) == 0)
			sscanf(line + strlen(key) + 1, "%ld", &kib);
	if (f)
		fclose(f);
	return kib;
}
#endif
