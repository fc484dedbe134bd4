#include "dict.h"
#include <stdlib.h>
#include <string.h>

uint64_t dict_hash(const void *key, size_t n)
{
	const unsigned char *p = key;
	uint64_t h = 0x9e3779b97f4a7c15u ^ n, word;
	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&word, p, 8);
		h = (h ^ word) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	for (word = 0; n > 0; n--)
		word = word << 8 | p[n - 1];
	h = (h ^ word) * 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 29;
}

struct dict_entry *dict_at(const struct dict *d, uint32_t id)
{
	return &d->entries[id];
}

const void *dict_key(const struct dict *d, uint32_t id)
{
	return d->bytes + d->entries[id].at;
}

uint32_t dict_find(const struct dict *d, const void *key, size_t n, uint64_t hash)
{
	for (uint32_t i = (uint32_t)hash; d->n_slots; i++) {
		uint32_t id = d->slots[i & (d->n_slots - 1)];
		if (!id)
			return 0;
		const struct dict_entry *e = &d->entries[id];
		if (e->hash == hash && e->n == n && !memcmp(d->bytes + e->at, key, n))
			return id;
	}
	return 0;
}

static void put_slot(struct dict *d, uint32_t id)
{
	uint32_t i = (uint32_t)d->entries[id].hash;
	while (d->slots[i & (d->n_slots - 1)])
		i++;
	d->slots[i & (d->n_slots - 1)] = id;
}

static bool grow_slots(struct dict *d)
{
	uint32_t n = d->n_slots ? d->n_slots * 2 : 256;
	uint32_t *slots = calloc(n, sizeof *slots);
	if (!slots)
		return false;
	free(d->slots);
	d->slots = slots;
	d->n_slots = n;
	for (uint32_t id = 1; id < d->n_entries; id++)
		put_slot(d, id);
	return true;
}

/* The same bytes with room for `want` units; NULL: no memory, and the old ones stand. */
static void *grown(void *memory, size_t *cap, size_t want, size_t unit)
{
	size_t n = *cap ? *cap : 1024;
	while (n < want)
		n *= 2;
	void *p = n == *cap ? memory : realloc(memory, n * unit);
	if (p)
		*cap = n;
	return p;
}

static bool grow(struct dict *d, size_t n)
{
	void *p;
	if (!d->n_entries)
		d->n_entries = 1; /* id 0 is "none" */
	if (!(p = grown(d->entries, &d->cap_entries, d->n_entries + 1, sizeof *d->entries)))
		return false;
	d->entries = p;
	if (!(p = grown(d->bytes, &d->cap_bytes, d->n_bytes + n, 1)))
		return false;
	d->bytes = p;
	return d->n_entries * 2 < d->n_slots || grow_slots(d);
}

uint32_t dict_intern(struct dict *d, const void *key, size_t n)
{
	uint64_t hash = dict_hash(key, n);
	uint32_t id = dict_find(d, key, n, hash);
	if (id || !grow(d, n))
		return id;
	id = d->n_entries++;
	d->entries[id] = (struct dict_entry){.hash = hash, .at = d->n_bytes, .n = (uint32_t)n};
	memcpy(d->bytes + d->n_bytes, key, n);
	d->n_bytes += n;
	put_slot(d, id);
	return id;
}

void dict_clear(struct dict *d)
{
	free(d->entries);
	free(d->bytes);
	free(d->slots);
	memset(d, 0, sizeof *d);
}
