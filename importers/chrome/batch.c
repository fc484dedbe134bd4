#include "batch.h"
#include <stdlib.h>

bool batch_grow(struct batch *b)
{
	uint32_t cap = b->cap_tokens ? b->cap_tokens * 2 : BATCH_TOKENS + 64;
	struct token *p = realloc(b->token, cap * sizeof *p);
	if (!p)
		return false;
	b->token = p;
	b->cap_tokens = cap;
	return true;
}

bool batch_retire(struct batch *b, void *block)
{
	if (b->n_retired == b->cap_retired) {
		uint32_t cap = b->cap_retired ? b->cap_retired * 2 : 16;
		void **p = realloc(b->retired, cap * sizeof *p);
		if (!p)
			return false;
		b->retired = p;
		b->cap_retired = cap;
	}
	b->retired[b->n_retired++] = block;
	return true;
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
