/* importers/chrome/take.c - the consumer's side: the entries of a batch into the trace, with what they need fetched ahead. */
#include "chrome.h"

enum { NAMES_AHEAD = 16 };

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

/* With two threads all that a batch holds and points to lies with the other processor: it is fetched some entries ahead. A
 * seventh less time for ten million entries. (Always inline: compilers take a function that only fetches for one without
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

/* The name of an entry of a known layout; NULL: it is not known, or not plain. */
static const struct value *plain_name(const struct batch *b, uint32_t i)
{
	const struct item *x = &b->item[i];
	if (x->kind != ITEM_ENTRY)
		return NULL;
	const struct token *t = &b->token[x->first];
	const struct fast_path *m = &t[x->n - 1].step->fast_path;
	uint8_t at = m->kind == FAST_PATH_SLICE ? m->slice.name.token : m->kind > FAST_PATH_NONE ? m->name : NO_TOKEN;
	return at != NO_TOKEN && t[at].v.type == VALUE_STR && !t[at].v.flags ? &t[at].v : NULL;
}

/* Where nearly every name is another one, finding it in a large table is waiting for memory three times, unless that is asked
 * for some entries before. hash: of the names on their way. */
static void names_ahead(const struct chrome *c, const struct batch *b, uint32_t i, uint32_t hash[NAMES_AHEAD])
{
	enum { STEP = NAMES_AHEAD / 4 };
	const struct value *name = i + 3 * STEP < b->n_items ? plain_name(b, i + 3 * STEP) : NULL;
	uint32_t *first = &hash[(i + 3 * STEP) % NAMES_AHEAD];
	*first = name ? strings_hash(name->p, name->n) : 0;
	strings_ahead_slot(c->strings, *first);
	strings_ahead_row(c->strings, hash[(i + 2 * STEP) % NAMES_AHEAD]);
	strings_ahead_text(c->strings, hash[(i + STEP) % NAMES_AHEAD]);
}

void batch_take(void *ctx, const struct batch *b)
{
	struct chrome *c = ctx;
	uint32_t hash[NAMES_AHEAD] = {0}, missed = c->reader.texts.missed;
	bool many_names = c->missed > b->n_items / 8;
	for (uint32_t i = 0; i < b->n_items; i++) {
		const struct item *x = &b->item[i];
		fetch_ahead(b, i);
		if (many_names)
			names_ahead(c, b, i, hash);
		c->notes->entries += x->kind != ITEM_NOTE;
		if (x->kind == ITEM_ENTRY)
			take_entry(c, b, x);
		else
			notes_add(c->notes, x->note, x->at, 1);
	}
	c->missed = c->reader.texts.missed - missed;
}
