#include "learned_layout.h"
#include "importers/source.h"
#include "model/store/base/strings.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"

/* Not GROW_ARRAY: a batch has place for a whole one from the start, and for the entry that runs past its end. */
void batch_grow(struct batch *b)
{
	uint32_t cap = b->cap_tokens ? b->cap_tokens * 2 : BATCH_TOKENS + 64;
	struct token *token = must(aligned_alloc(PASS_BY_ALIGN, cap * sizeof *token));
	if (b->n_tokens)
		memcpy(token, b->token, b->n_tokens * sizeof *token);
	free(b->token);
	b->token = token;
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

/* Where the text of the entries lies in the window, *n bytes of it. */
static const char *text_of_entries(const struct batch *b, size_t *n)
{
	const struct token *last = b->n_tokens ? &b->token[b->n_tokens - 1] : NULL;
	*n = last ? (size_t)(last->text + last->step->n - b->token[0].text) : 0;
	return last ? b->token[0].text : NULL;
}

/* Copies the text, unless it is large; returns by how much pointers into it move. */
static intptr_t move_text(struct batch *to, const struct batch *from)
{
	enum { MOST_TEXT = 256 << 10 };
	size_t n, room;
	const char *text = text_of_entries(from, &n);
	if (!n || n > MOST_TEXT)
		return 0;
	room = (n + SOURCE_PAD + PASS_BY_SLACK + PASS_BY_ALIGN - 1) / PASS_BY_ALIGN * PASS_BY_ALIGN;
	if (room > to->text_room) {
		free(to->text);
		to->text = must(aligned_alloc(PASS_BY_ALIGN, room));
		to->text_room = room;
	}
	pass_by(to->text, text, n + SOURCE_PAD);
	return (intptr_t)to->text - (intptr_t)text;
}

/* What a pointer becomes that has not to point anywhere. */
static const char *moved(const char *p, intptr_t by)
{
	return (const char *)((uintptr_t)p + (uintptr_t)by);
}

static void move_tokens(struct batch *to, const struct batch *from, intptr_t by)
{
	while (to->cap_tokens < from->n_tokens)
		batch_grow(to);
	for (uint32_t i = 0; i < from->n_tokens; i++) {
		const struct token *f = &from->token[i];
		struct token *t = &to->token[i];
		pass_by_two(&t->step, (uintptr_t)f->step, (uintptr_t)moved(f->text, by));
		pass_by_two(&t->v.p, (uintptr_t)moved(f->v.p, by), f->v.n);
		pass_by(&t->v.whole, &f->v.whole, sizeof f->v - offsetof(struct value, whole));
	}
	to->n_tokens = from->n_tokens;
}

static void move_names(struct batch *to, struct batch *from, intptr_t by)
{
	for (uint32_t i = 0; i < from->n_items; i++)
		if (from->name[i].p)
			from->name[i].p = moved(from->name[i].p, by);
	pass_by(to->name, from->name, from->n_items * sizeof *from->name);
}

void batch_move(void *to, void *from)
{
	struct batch *t = to, *f = from;
	void **retired = t->retired;
	uint32_t cap_retired = t->cap_retired;
	intptr_t by = move_text(t, f);
	move_tokens(t, f, by);
	pass_by(t->item, f->item, f->n_items * sizeof *f->item);
	t->n_items = f->n_items;
	if ((t->names_hashed = f->names_hashed))
		move_names(t, f, by);
	t->retired = f->retired;
	t->n_retired = f->n_retired;
	t->cap_retired = f->cap_retired;
	f->retired = retired;
	f->cap_retired = cap_retired;
	f->n_retired = 0;
	pass_by_end();
	batch_clear(f);
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
	free(b->text);
	free(b->retired);
}
