/* model/store/base/slots.h - where in an open hash table of 1 << bits slots an id of a family (a category, a host, ...) is looked
 * for. Producers mostly count ids up, and consecutive ids get consecutive slots, which is kind to the cache. Each family, and
 * each run of ids as long as the table, starts at an offset of its own, which differs between runs of the program. Such runs
 * may overlap, so collisions are resolved by double hashing. */
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

/* The next slot to probe after `at`; an odd stride visits every slot. */
static inline uint64_t slots_next(uint64_t at, uint64_t id, uint64_t family, int bits)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1;
	return (at + (slots_mix(id ^ slots_mix(family ^ table_seed)) | 1)) & mask;
}
#endif
