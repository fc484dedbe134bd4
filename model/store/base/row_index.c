#include "row_index.h"
#include "column.h"
#include "seed.h"
#include <stdlib.h>
#include <string.h>

uint32_t row_index_hash(const void *key, size_t n)
{
	const unsigned char *p = key;
	uint64_t a = table_seed ^ n, b = 0x2545f4914f6cdd1du + table_seed;
	for (; n >= 16; p += 16, n -= 16) {
		uint64_t v[2];
		memcpy(v, p, 16);
		a = (a ^ v[0]) * 0x9fb21c651e98df25u;
		b = (b ^ v[1]) * 0xd6e8feb86659fd93u;
		a ^= a >> 29;
		b ^= b >> 31;
	}
	for (; n >= 4; p += 4, n -= 4) {
		uint32_t v;
		memcpy(&v, p, 4);
		a = (a ^ v) * 0x9fb21c651e98df25u;
		a ^= a >> 29;
	}
	for (; n > 0; p++, n--)
		a = (a ^ *p) * 0x9fb21c651e98df25u;
	a = (a ^ b) * 0x9fb21c651e98df25u;
	return (uint32_t)(a >> 32) | 1; /* never 0, so that a slot of 0 is free */
}

static uint32_t slot_row(uint64_t slot)
{
	return (uint32_t)slot;
}

void row_index_ahead(const struct row_index *x, uint32_t hash)
{
	if (x->slots)
		__builtin_prefetch(&x->slots[hash >> 1 & x->mask]);
}

void row_index_ahead_row(const struct row_index *x, const void *rows, size_t row_bytes, uint32_t hash)
{
	uint64_t slot = x->slots ? x->slots[hash >> 1 & x->mask] : 0;
	if (slot >> 32 != hash)
		return;
	const char *row = (const char *)rows + (size_t)slot_row(slot) * row_bytes;
	__builtin_prefetch(row);
	__builtin_prefetch(row + row_bytes - 1);
}

uint32_t row_index_find(const struct row_index *x, const void *rows, size_t row_bytes, const void *key,
			size_t key_bytes, uint32_t hash)
{
	if (!x->slots)
		return ROW_INDEX_ABSENT;
	for (uint32_t i = hash >> 1 & x->mask; x->slots[i]; i = (i + 1) & x->mask) {
		if (x->slots[i] >> 32 != hash)
			continue;
		const char *row = (const char *)rows + (size_t)slot_row(x->slots[i]) * row_bytes;
		if (memcmp(row, key, key_bytes) == 0)
			return slot_row(x->slots[i]);
	}
	return ROW_INDEX_ABSENT;
}

static void put(uint64_t *slots, uint32_t mask, uint64_t slot)
{
	uint32_t i = (uint32_t)(slot >> 33) & mask;
	while (slots[i])
		i = (i + 1) & mask;
	slots[i] = slot;
}

/* In large pages once it is large: every look-up goes elsewhere, and with small ones each costs a walk of the page tables. */
static bool grow(struct row_index *x)
{
	uint32_t slots = x->slots ? (x->mask + 1) * 2 : 256;
	uint64_t *t = large_alloc(slots * sizeof *t);
	if (!t)
		return false;
	memset(t, 0, slots * sizeof *t);
	for (uint32_t i = 0; x->slots && i <= x->mask; i++)
		if (x->slots[i])
			put(t, slots - 1, x->slots[i]);
	free(x->slots);
	x->slots = t;
	x->mask = slots - 1;
	return true;
}

bool row_index_add(struct row_index *x, uint32_t hash, uint32_t row)
{
	if ((!x->slots || x->used > x->mask / 4 * 3) && !grow(x))
		return false;
	put(x->slots, x->mask, (uint64_t)hash << 32 | row);
	x->used++;
	return true;
}

void row_index_free(struct row_index *x)
{
	free(x->slots);
	*x = (struct row_index){0};
}
