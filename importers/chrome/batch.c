#include "learned_layout.h"
#include "model/store/base/strings.h"
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

/* The name, if it is told once, by a text without escapes. */
static const struct value *plain_name(const struct token *t, uint32_t n)
{
	const struct value *name = NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (t[i].step->key.place != PLACE_NAME)
			continue;
		if (name || t[i].v.type != VALUE_STR || t[i].v.flags)
			return NULL;
		name = &t[i].v;
	}
	return name;
}

void batch_hash_names(struct batch *b)
{
	for (uint32_t i = 0; i < b->n_items; i++) {
		const struct item *x = &b->item[i];
		const struct value *name = x->kind == ITEM_ENTRY ? plain_name(b->token + x->first, x->n) : NULL;
		bool usual = name && name->n && name->n <= UINT32_MAX;
		b->name[i] =
			usual ? (struct hashed_name){name->p, strings_hash(name->p, name->n)} : (struct hashed_name){0};
	}
	b->names_hashed = true;
}

void batch_clear(struct batch *b)
{
	for (uint32_t i = 0; i < b->n_retired; i++)
		free(b->retired[i]);
	b->n_items = b->n_tokens = b->n_retired = 0;
	b->names_hashed = false;
}

void batch_free(void *batch)
{
	struct batch *b = batch;
	batch_clear(b);
	free(b->token);
	free(b->retired);
}
