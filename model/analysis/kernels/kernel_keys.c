#include "kernel_keys.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

static uint32_t hash_of(const struct kernel_key *x)
{
	return row_index_hash(x, sizeof *x);
}

void kernel_keys_ahead(const struct kernel_keys *k, struct kernel_key x)
{
	row_index_ahead(&k->index, hash_of(&x));
}

void kernel_keys_near(const struct kernel_keys *k, struct kernel_key x)
{
	row_index_ahead_row(&k->index, k->at, sizeof x, hash_of(&x));
}

uint32_t kernel_keys_put(struct kernel_keys *k, struct kernel_key x)
{
	uint32_t hash = hash_of(&x);
	uint32_t found = row_index_find(&k->index, k->at, sizeof x, &x, sizeof x, hash);
	if (found != ROW_INDEX_ABSENT)
		return found;
	if (!row_index_add(&k->index, hash, k->n))
		memory_exhausted();
	GROW_ARRAY(k->at, k->n, k->cap);
	k->at[k->n] = x;
	return k->n++;
}

void kernel_keys_settle(struct kernel_keys *k)
{
	row_index_free(&k->index);
}

void kernel_keys_free(struct kernel_keys *k)
{
	free(k->at);
	row_index_free(&k->index);
	*k = (struct kernel_keys){0};
}
