/* importers/chrome/take.c - the consumer's side: the entries of a batch into the trace, with what they need fetched ahead. */
#include "chrome.h"

static void take_entry(struct chrome *c, const struct batch *b, const struct item *x)
{
	/* the last step of an entry stands for the whole way through it: see fast_path.h */
	struct layout_step *last = b->token[x->first + x->n - 1].step;
	if (last->fast_path.kind > FAST_PATH_NONE && fast_path_take(c, b, x, &last->fast_path))
		return;
	record_take(&c->reader, b, x, &c->record);
	event_record(c, &c->record);
	if (last->fast_path.kind == FAST_PATH_NEW)
		fast_path_learn(c, b, x, &c->record, &last->fast_path);
}

/* Where another thread fills the batches all that they hold and point to lies with the other processor: it is fetched some entries
 * ahead. A seventh less time for ten million entries. (Always inline: compilers take a function that only fetches for one without
 * effect, and leave its calls out.) */
static inline __attribute__((always_inline)) void fetch_ahead(const struct batch *b, uint32_t i)
{
	enum { TOKENS_AHEAD = 24, TEXTS_AHEAD = 4, LINE = 64 };
	if (i + TOKENS_AHEAD >= b->n_items || b->n_tokens == 0) /* nothing but notes has no tokens to look at */
		return;
	const struct item *x = &b->item[i + TOKENS_AHEAD];
	const char *p = (const char *)&b->token[x->first], *end = (const char *)&b->token[x->first + x->n];
	for (; p < end; p += LINE)
		__builtin_prefetch(p);
	__builtin_prefetch(b->token[b->item[i + TEXTS_AHEAD].first].v.p); /* the name, mostly */
}

/* Where nearly every name is another one, finding it in a large table is waiting for memory three times, unless that is asked
 * for some entries before. */
static void names_ahead(const struct chrome *c, const struct batch *b, uint32_t i)
{
	enum { STEP = 4 };
	uint32_t left = b->n_items - i;
	if (left > 3 * STEP)
		strings_ahead_slot(c->strings, b->name[i + 3 * STEP].hash);
	if (left > 2 * STEP)
		strings_ahead_row(c->strings, b->name[i + 2 * STEP].hash);
	if (left > STEP)
		strings_ahead_text(c->strings, b->name[i + STEP].hash);
}

static void take_items(struct chrome *c, const struct batch *b, bool by_hash)
{
	for (uint32_t i = 0; i < b->n_items; i++) {
		const struct item *x = &b->item[i];
		if (c->handed_over)
			fetch_ahead(b, i);
		if (by_hash)
			names_ahead(c, b, i);
		c->name = by_hash ? b->name[i] : (struct hashed_name){0};
		c->notes->entries += x->kind != ITEM_NOTE;
		if (x->kind == ITEM_ENTRY)
			take_entry(c, b, x);
		else
			notes_add(c->notes, x->note, x->at, 1);
	}
}

/* Texts that are in no slot of the small cache tell that there are many names. Then names are sought without it, but in one batch
 * of TELLING: a part of the file may have few. */
void batch_take(void *ctx, void *batch)
{
	enum { TELLING = 16 };
	struct chrome *c = ctx;
	struct batch *b = batch;
	uint32_t missed = c->reader.names.missed;
	bool by_hash = b->names_hashed && c->batches++ % TELLING != 0;
	take_items(c, b, by_hash);
	if (!by_hash)
		atomic_store_explicit(&c->many_names, c->reader.names.missed - missed > b->n_items / 8,
				      memory_order_relaxed);
	batch_clear(b);
}
