/* tests/bench/gen/count.h - how many objects a generator is asked for. */
#ifndef BENCH_GEN_COUNT_H
#define BENCH_GEN_COUNT_H
#include <stdint.h>
#include <stdlib.h>

/* 3000, 3k, 3M; 0 where the text is none of these. */
static inline uint64_t count_of(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);
	return *end == 'k' ? n * 1000 : *end == 'M' ? n * 1000000 : n;
}
#endif
