/* model/store/index.c - finds rows of a column by the bytes at their start. */
#include "ingest_private.h"
#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const void *key, size_t n)
{
	const unsigned char *p = key;
	uint64_t h = 0x9e3779b97f4a7c15u ^ n;
	for (size_t i = 0; i < n; i += 4) {
		uint32_t v = 0;
		memcpy(&v, p + i, n - i < 4 ? n - i : 4);
		h = (h ^ v) * 0x9fb21c651e98df25u;
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

uint32_t index_find(const struct index *x, const struct column *rows, const void *key, size_t key_bytes, bool *found)
{
	*found = false;
	if (!x->slots)
		return 0;
	uint32_t i = hash_of(key, key_bytes) & x->mask;
	for (; x->slots[i]; i = (i + 1) & x->mask) {
		const char *row = (const char *)rows->p + (size_t)(x->slots[i] - 1) * rows->size;
		if (memcmp(row, key, key_bytes) == 0) {
			*found = true;
			return x->slots[i] - 1;
		}
	}
	return i;
}

static bool index_rehash(struct index *x, const struct column *rows, size_t key_bytes)
{
	uint32_t slots = x->slots ? (x->mask + 1) * 2 : 256;
	uint32_t *t = calloc(slots, sizeof *t);
	if (!t)
		return false;
	for (uint32_t j = 0; x->slots && j <= x->mask; j++) {
		if (!x->slots[j])
			continue;
		const char *row = (const char *)rows->p + (size_t)(x->slots[j] - 1) * rows->size;
		uint32_t i = hash_of(row, key_bytes) & (slots - 1);
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
	if ((!x->slots || x->used * 2 > x->mask) && !index_rehash(x, rows, key_bytes))
		return false;
	bool found;
	const char *key = (const char *)rows->p + (size_t)row * rows->size;
	uint32_t slot = index_find(x, rows, key, key_bytes, &found);
	if (!found) {
		x->slots[slot] = row + 1;
		x->used++;
	}
	return true;
}
