/* model/store/index.c - finds rows of a column by the bytes at their start. A slot holds the key's hash beside the row, so
 * that a look-up touches one row and growing touches none: with a hundred thousand distinct kernels that is half the time. */
#include "ingest_private.h"
#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const void *key, size_t n)
{
	const unsigned char *p = key;
	uint64_t a = 0x9e3779b97f4a7c15u ^ n, b = 0x2545f4914f6cdd1du;
	for (; n >= 16; p += 16, n -= 16) {
		uint64_t v[2];
		memcpy(v, p, 16);
		a = (a ^ v[0]) * 0x9fb21c651e98df25u;
		b = (b ^ v[1]) * 0xd6e8feb86659fd93u;
		a ^= a >> 29;
		b ^= b >> 31;
	}
	for (; n > 0; p += n < 4 ? n : 4, n -= n < 4 ? n : 4) {
		uint32_t v = 0;
		memcpy(&v, p, n < 4 ? n : 4);
		a = (a ^ v) * 0x9fb21c651e98df25u;
		a ^= a >> 29;
	}
	a = (a ^ b) * 0x9fb21c651e98df25u;
	return (uint32_t)(a >> 32) | 1; /* never 0, so that a slot of 0 is free */
}

static uint32_t slot_row(uint64_t slot)
{
	return (uint32_t)slot;
}

uint32_t index_find(const struct index *x, const struct column *rows, const void *key, size_t key_bytes, bool *found)
{
	*found = false;
	if (!x->slots)
		return 0;
	uint32_t hash = hash_of(key, key_bytes), i = hash >> 1 & x->mask;
	for (; x->slots[i]; i = (i + 1) & x->mask) {
		if (x->slots[i] >> 32 != hash)
			continue;
		const char *row = (const char *)rows->p + (size_t)slot_row(x->slots[i]) * rows->size;
		if (memcmp(row, key, key_bytes) == 0) {
			*found = true;
			return slot_row(x->slots[i]);
		}
	}
	return i;
}

static bool index_grow(struct index *x)
{
	uint32_t slots = x->slots ? (x->mask + 1) * 2 : 256;
	uint64_t *t = calloc(slots, sizeof *t);
	if (!t)
		return false;
	for (uint32_t j = 0; x->slots && j <= x->mask; j++) {
		if (!x->slots[j])
			continue;
		uint32_t i = (uint32_t)(x->slots[j] >> 33) & (slots - 1);
		while (t[i])
			i = (i + 1) & (slots - 1);
		t[i] = x->slots[j];
	}
	free(x->slots);
	x->slots = t;
	x->mask = slots - 1;
	return true;
}

bool index_add(struct index *x, const struct column *rows, uint32_t row, size_t key_bytes)
{
	if ((!x->slots || x->used * 2 > x->mask) && !index_grow(x))
		return false;
	uint32_t hash = hash_of((const char *)rows->p + (size_t)row * rows->size, key_bytes), i = hash >> 1 & x->mask;
	while (x->slots[i])
		i = (i + 1) & x->mask;
	x->slots[i] = (uint64_t)hash << 32 | row;
	x->used++;
	return true;
}
