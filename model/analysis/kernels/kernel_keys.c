#include "kernel_keys.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static uint32_t hash_of(const struct kernel_item *x)
{
	uint64_t h = ((uint64_t)x->name << 32 | x->shape) * 0x9E3779B97F4A7C15u;
	h = (h ^ h >> 29 ^ x->op) * 0xBF58476D1CE4E5B9u;
	return (uint32_t)(h >> 32);
}

static void grow(struct kernel_keys *k)
{
	uint64_t *old = k->slots;
	uint32_t n_old = k->n_slots;
	k->cap = k->cap ? k->cap * 2 : 1024;
	k->n_slots = k->cap * 2;
	k->slots = must(calloc(k->n_slots, sizeof *k->slots));
	for (uint32_t i = 0; i < n_old; i++) {
		uint32_t at = (uint32_t)(old[i] >> 32) & (k->n_slots - 1);
		while (old[i] && k->slots[at])
			at = (at + 1) & (k->n_slots - 1);
		if (old[i])
			k->slots[at] = old[i];
	}
	free(old);
}

void kernel_keys_ahead(const struct kernel_keys *k, const struct kernel_item *x)
{
	if (k->n_slots)
		__builtin_prefetch(&k->slots[hash_of(x) & (k->n_slots - 1)]);
}

void kernel_keys_near(const struct kernel_keys *k, const struct kernel_item *x)
{
	uint64_t slot = k->n_slots ? k->slots[hash_of(x) & (k->n_slots - 1)] : 0;
	if (slot)
		__builtin_prefetch(&k->items.at[(uint32_t)slot - 1]);
}

uint32_t kernel_keys_put(struct kernel_keys *k, const struct kernel_item *x)
{
	uint32_t h = hash_of(x), fresh = (uint32_t)k->items.n;
	if (fresh >= k->cap)
		grow(k);
	uint32_t at = h & (k->n_slots - 1);
	for (; k->slots[at]; at = (at + 1) & (k->n_slots - 1)) {
		uint32_t number = (uint32_t)k->slots[at] - 1;
		if (k->slots[at] >> 32 == h && kernel_items_alike(&k->items.at[number], x))
			return number;
	}
	k->slots[at] = (uint64_t)h << 32 | (fresh + 1);
	kernel_items_add(&k->items, (struct kernel_item){x->name, x->shape, x->op, fresh});
	return fresh;
}

void kernel_keys_free(struct kernel_keys *k)
{
	free(k->items.at);
	free(k->slots);
	*k = (struct kernel_keys){0};
}
