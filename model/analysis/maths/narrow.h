/* model/analysis/maths/narrow.h - a list of up to 32 times of which most are 0, in the room of the others: bits say which these are, and
 * they stand one after the other in the order of the list. Nothing is allocated; any thread. */
#ifndef STEPSCOPE_NARROW_H
#define STEPSCOPE_NARROW_H
#include <stdint.h>

/* Which of those that `may` have time have some. */
static inline uint32_t narrow_bits(const int64_t *list, uint32_t may)
{
	uint32_t bits = 0;
	for (uint32_t left = may; left; left &= left - 1)
		bits |= list[__builtin_ctz(left)] ? left & -left : 0;
	return bits;
}

/* How many times stand in `kept`. */
static inline uint32_t narrow_count(uint32_t bits)
{
	return (uint32_t)__builtin_popcount(bits);
}

static inline void narrow_put(int64_t *kept, uint32_t bits, const int64_t *list)
{
	for (uint32_t n = 0; bits; bits &= bits - 1)
		kept[n++] = list[__builtin_ctz(bits)];
}

/* The i-th one of the list. */
static inline int64_t narrow_get(const int64_t *kept, uint32_t bits, unsigned i)
{
	uint32_t n = 0;
	for (uint32_t before = bits & ((1u << i) - 1); before; before &= before - 1)
		n++;
	return bits >> i & 1 ? kept[n] : 0;
}

static inline int64_t narrow_sum(const int64_t *kept, uint32_t bits)
{
	int64_t sum = 0;
	for (uint32_t n = 0; bits; bits &= bits - 1)
		sum += kept[n++];
	return sum;
}

/* Into the list as it was; the places of the others stay as they are. */
static inline void narrow_spread(const int64_t *kept, uint32_t bits, int64_t *list)
{
	for (uint32_t n = 0; bits; bits &= bits - 1)
		list[__builtin_ctz(bits)] = kept[n++];
}
#endif
