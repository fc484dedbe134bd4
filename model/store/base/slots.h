/* model/store/base/slots.h - where in an open hash table of 1 << bits slots an id of a family (a category, a host, ...) is looked
 * for. Producers mostly give out ids in a row, and such ids get slots in a row, which the memory likes; each family, and
 * each stretch of ids as long as the table, begins elsewhere, in each run of the program. Stretches may come to lie over each
 * other, so what finds its slot taken goes on in leaps of its own. */
#ifndef STEPSCOPE_SLOTS_H
#define STEPSCOPE_SLOTS_H
#include "seed.h"
#include <stddef.h>
#include <stdint.h>

static inline uint64_t slots_mix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/* Bits of a table that has at least n slots. */
static inline int slots_bits(size_t n)
{
	int bits = 4;
	while (UINT64_C(1) << bits < n)
		bits++;
	return bits;
}

static inline uint64_t slots_first(uint64_t id, uint64_t family, int bits)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1;
	return (id + slots_mix(id >> bits ^ slots_mix(family ^ table_seed))) & mask;
}

/* The next slot to look at after `at`; odd leaps get everywhere. */
static inline uint64_t slots_next(uint64_t at, uint64_t id, uint64_t family, int bits)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1;
	return (at + (slots_mix(id ^ slots_mix(family ^ table_seed)) | 1)) & mask;
}
#endif
