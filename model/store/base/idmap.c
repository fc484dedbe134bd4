#include "idmap.h"
#include "memory.h"
#include "seed.h"
#include <stdlib.h>
#include <string.h>

/* Keys are often consecutive ids or pairs of them in one word; the multiplication spreads both halves over the low bits. */
static uint64_t mix(uint64_t k)
{
	k ^= k >> 32 ^ table_seed;
	k *= 0xd6e8feb86659fd93u;
	k ^= k >> 32;
	return k;
}

/* Linear probing ends because at most half of the slots are used. */
static struct idmap_slot *slot_of(const struct idmap *m, uint64_t key)
{
	for (uint32_t i = (uint32_t)mix(key) & (m->cap - 1);; i = (i + 1) & (m->cap - 1))
		if (!m->slots[i].used || m->slots[i].key == key)
			return &m->slots[i];
}

static void grow(struct idmap *m)
{
	struct idmap old = *m;
	m->cap = old.cap ? old.cap * 2 : 32;
	m->slots = touched_zeroed(m->cap, sizeof *m->slots);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.slots[i].used)
			*slot_of(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

uint32_t *idmap_put(struct idmap *m, uint64_t key, uint32_t fresh)
{
	if (m->n >= m->cap / 2)
		grow(m);
	struct idmap_slot *s = slot_of(m, key);
	if (!s->used) {
		*s = (struct idmap_slot){key, fresh, true};
		m->n++;
	}
	return &s->value;
}

uint32_t idmap_get(const struct idmap *m, uint64_t key)
{
	if (!m->cap)
		return UINT32_MAX;
	const struct idmap_slot *s = slot_of(m, key);
	return s->used ? s->value : UINT32_MAX;
}

/* What stands after the hole may have been put there because of it: it is put again. */
uint32_t idmap_take(struct idmap *m, uint64_t key)
{
	struct idmap_slot *hole = m->cap ? slot_of(m, key) : NULL;
	if (!hole || !hole->used)
		return UINT32_MAX;
	uint32_t value = hole->value;
	hole->used = false;
	m->n--;
	for (uint32_t i = (uint32_t)(hole - m->slots + 1) & (m->cap - 1); m->slots[i].used;
	     i = (i + 1) & (m->cap - 1)) {
		struct idmap_slot moved = m->slots[i];
		m->slots[i].used = false;
		*slot_of(m, moved.key) = moved;
	}
	return value;
}

void idmap_clear(struct idmap *m)
{
	if (m->n)
		memset(m->slots, 0, m->cap * sizeof *m->slots);
	m->n = 0;
}

void idmap_free(struct idmap *m)
{
	free(m->slots);
	*m = (struct idmap){0};
}
