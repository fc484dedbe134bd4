#include "kernel_keys.h"
#include "model/store/base/memory.h"
#include <stddef.h>
#include <stdlib.h>

enum { KEY_BYTES = offsetof(struct kernel_item, row) };

static uint32_t hash_of(const struct kernel_item *x)
{
	return row_index_hash(x, KEY_BYTES);
}

void kernel_keys_ahead(const struct kernel_keys *k, const struct kernel_item *x)
{
	row_index_ahead(&k->index, hash_of(x));
}

void kernel_keys_near(const struct kernel_keys *k, const struct kernel_item *x)
{
	row_index_ahead_row(&k->index, k->items.at, sizeof *x, hash_of(x));
}

uint32_t kernel_keys_put(struct kernel_keys *k, const struct kernel_item *x)
{
	uint32_t hash = hash_of(x), fresh = (uint32_t)k->items.n;
	uint32_t found = row_index_find(&k->index, k->items.at, sizeof *x, x, KEY_BYTES, hash);
	if (found != ROW_INDEX_ABSENT)
		return found;
	if (!row_index_add(&k->index, hash, fresh))
		memory_exhausted();
	kernel_items_add(&k->items, (struct kernel_item){x->name, x->shape, x->op, fresh});
	return fresh;
}

void kernel_keys_free(struct kernel_keys *k)
{
	free(k->items.at);
	row_index_free(&k->index);
	*k = (struct kernel_keys){0};
}
