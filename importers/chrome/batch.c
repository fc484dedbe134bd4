#include "batch.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"

/* Not GROW_ARRAY: a batch has place for a whole one from the start, and for the entry that runs past its end. */
void batch_grow(struct batch *b)
{
	uint32_t cap = b->cap_tokens ? b->cap_tokens * 2 : BATCH_TOKENS + 64;
	b->token = must(realloc(b->token, cap * sizeof *b->token));
	b->cap_tokens = cap;
}

void batch_retire(struct batch *b, void *block)
{
	GROW_ARRAY(b->retired, b->n_retired, b->cap_retired);
	b->retired[b->n_retired++] = block;
}

void batch_clear(struct batch *b)
{
	for (uint32_t i = 0; i < b->n_retired; i++)
		free(b->retired[i]);
	b->n_items = b->n_tokens = b->n_retired = 0;
}

void batch_free(struct batch *b)
{
	batch_clear(b);
	free(b->token);
	free(b->retired);
}
