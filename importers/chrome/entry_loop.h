/* importers/chrome/entry_loop.h - the scanner's inner loop, compiled once for every processor (entry.c) and once for wide
 * vectors (entry_wide.c): nothing else goes over every byte of a file. */
#ifndef STEPSCOPE_CHROME_ENTRY_LOOP_H
#define STEPSCOPE_CHROME_ENTRY_LOOP_H
#include "entry.h"

/* What stands before the next value at p, the long way, and remembered. NULL with *why. */
struct layout_step *entry_learn(struct scanner *s, const struct token *before, struct layout_step *from, const char *p,
				const char *end, enum fault *why);

/* The blanks before a value may be more than those learned. */
static inline const char *value_at(const char *p)
{
	return (unsigned char)*p > ' ' ? p : scan_blanks(p);
}

/* Room for one more token after those up to t. */
static inline struct token *more_tokens(struct batch *b, struct token *t, const struct token **limit)
{
	b->n_tokens = (uint32_t)(t - b->token);
	batch_grow(b);
	*limit = b->token + b->cap_tokens;
	return b->token + b->n_tokens;
}

static inline const char *scan_entry(struct scanner *s, struct batch *b, const char *p, const char *end,
				     enum fault *why)
{
	if (!b->cap_tokens)
		batch_grow(b);
	struct layout_step *step = &s->layout.root, *from;
	struct token *t = b->token + b->n_tokens;
	const struct token *limit = b->token + b->cap_tokens;
	const char *behind;
	for (const struct token *first = t;; t++) {
		from = step;
		if (t == limit) {
			size_t done = (size_t)(t - first);
			t = more_tokens(b, t, &limit);
			first = t - done;
		}
		if (!(step = layout_follow(from, p)) &&
		    !(step = entry_learn(s, t == first ? NULL : t - 1, from, p, end, why)))
			return NULL;
		t->step = step;
		t->text = p;
		p += step->n;
		if (step->key.place == PLACE_END)
			break;
		p = value_at(p);
		if (step->key.place == PLACE_ARGS && *p == '{') {
			t->v.type = VALUE_NONE;
			t->v.p = p;
			continue;
		}
		behind = step->key.place == PLACE_TS ? scan_plain_time(p, &t->v) : NULL;
		p = behind ? behind : scan_usual(p, end, &t->v, why);
		if (!p)
			return NULL;
		if (step->key.place == PLACE_ARGS) /* what was learned after it begins with a bracket */
			step = &s->layout.odd;
	}
	t->v.type = VALUE_NONE;
	b->n_tokens = (uint32_t)(t + 1 - b->token);
	return p;
}

/* One more entry of the batch; see entry_scan. */
static inline const char *scan_item(struct scanner *s, struct batch *b, const char *p, const char *end, int64_t at,
				    enum fault *why)
{
	uint32_t first = b->n_tokens;
	s->not_json = 0;
	p = scan_entry(s, b, p, end, why);
	if (!p) {
		b->n_tokens = first;
		return NULL;
	}
	b->item[b->n_items++] = (struct item){
		.at = at, .first = first, .n = b->n_tokens - first, .not_json = s->not_json, .kind = ITEM_ENTRY};
	return p;
}

static inline const char *scan_items(struct scanner *s, struct batch *b, const char *p, const char *end, int64_t at,
				     enum fault *why)
{
	const char *from = p, *behind = NULL, *next;
	s->batch = b;
	while ((next = scan_item(s, b, p, end, at + (p - from), why))) {
		behind = next;
		if (batch_full(b) || *behind != ',')
			break;
		p = scan_blanks(behind + 1);
		if (*p != '{' || (s->until && p >= s->until))
			break;
	}
	return behind;
}
#endif
