/* tests/unit/seeded.h - the same random numbers in every run, for tests of properties. */
#ifndef SEEDED_H
#define SEEDED_H
#include <stdint.h>

static uint64_t seeded_state = 1;

static inline void seeded(uint64_t seed)
{
	seeded_state = seed * 2 + 1;
}
static inline uint64_t seeded_bits(void)
{
	seeded_state ^= seeded_state << 13;
	seeded_state ^= seeded_state >> 7;
	seeded_state ^= seeded_state << 17;
	return seeded_state * UINT64_C(0x2545F4914F6CDD1D);
}
/* 0 .. n-1; n > 0. */
static inline int64_t below(int64_t n)
{
	return (int64_t)(seeded_bits() % (uint64_t)n);
}
/* 1 .. most, small numbers as often as large ones. */
static inline int64_t of_any_size(int64_t most)
{
	int bits = 0;
	while (bits < 62 && (INT64_C(1) << (bits + 1)) <= most)
		bits++;
	int64_t high = INT64_C(1) << below(bits + 1);
	int64_t x = high + below(high);
	return x < most ? x : most;
}
#endif
