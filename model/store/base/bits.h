/* model/store/base/bits.h - one bit per row: which rows of a large trace are meant, walked by those that are. */
#ifndef STEPSCOPE_BITS_H
#define STEPSCOPE_BITS_H
#include <stdint.h>

/* The first set bit at or after `at`, `n` where none of those before `n` is set. `bits`: n / 64 + 1 words. */
static inline uint64_t bits_next(const uint64_t *bits, uint64_t at, uint64_t n)
{
	for (uint64_t word = at / 64; word * 64 < n; word++) {
		uint64_t left = bits[word] & (word == at / 64 ? ~UINT64_C(0) << at % 64 : ~UINT64_C(0));
		if (left)
			return word * 64 + (unsigned)__builtin_ctzll(left);
	}
	return n;
}
#endif
