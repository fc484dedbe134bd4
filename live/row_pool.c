#include "row_pool.h"
#include "model/store/base/grow.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash(const unsigned char *p, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return (uint32_t)(h ^ h >> 32);
}

static const unsigned char *row_of(const struct pool *p, uint32_t id)
{
	return p->rows + (size_t)(id - 1) * p->row_bytes;
}

static bool rehash(struct pool *p, uint32_t slots)
{
	uint32_t *t = calloc(slots, sizeof *t);
	if (!t)
		return false;
	for (uint32_t id = 1; id <= p->n; id++) {
		uint32_t i = hash(row_of(p, id), p->row_bytes) & (slots - 1);
		while (t[i])
			i = (i + 1) & (slots - 1);
		t[i] = id;
	}
	free(p->slots);
	p->slots = t;
	p->mask = slots - 1;
	return true;
}

static bool grow(struct pool *p)
{
	if (p->n == POOL_MAX)
		return false;
	if (!TRY_GROW_ARRAY(p->rows, (p->n + 1) * p->row_bytes - 1, p->cap_bytes))
		return false;
	return p->slots && p->n * 2 < p->mask ? true : rehash(p, p->slots ? (p->mask + 1) * 2 : 128);
}

uint32_t pool_add(struct pool *p, const void *row)
{
	if (!grow(p))
		return 0;
	uint32_t i = hash(row, p->row_bytes) & p->mask;
	for (; p->slots[i]; i = (i + 1) & p->mask)
		if (memcmp(row_of(p, p->slots[i]), row, p->row_bytes) == 0)
			return p->slots[i];
	memcpy(p->rows + (size_t)p->n * p->row_bytes, row, p->row_bytes);
	return p->slots[i] = ++p->n;
}

void pool_free(struct pool *p)
{
	free(p->rows);
	free(p->slots);
	p->rows = NULL;
	p->slots = NULL;
	p->n = p->mask = 0;
	p->cap_bytes = 0;
}
