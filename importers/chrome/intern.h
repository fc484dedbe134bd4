/* importers/chrome/intern.h - a small cache in front of the string table: keys and short values repeat all the time.
 * Tags: a key's first look-up asks `tag_of` once; what it answers comes back with every later hit. */
#ifndef STEPSCOPE_CHROME_INTERN_H
#define STEPSCOPE_CHROME_INTERN_H
#include "model/store/base/strings.h"
#include <stdbool.h>
#include <string.h>

enum { INTERN_SLOTS = 4096, INTERN_FREE = (1 << 24) - 1 };
/* Both ends of a text: they tell texts of traces apart, and up to 16 bytes they are all of it. */
struct text_ends {
	uint64_t first, last;
};
struct interned {
	const char *p; /* the table's own copy */
	struct text_ends ends;
	str_id id;
	uint32_t n : 24; /* INTERN_FREE: a free slot, or a text too long for one */
	uint32_t tag : 8;
};
struct intern {
	struct strings *strings;
	uint8_t (*tag_of)(const char *p, size_t n); /* may be NULL */
	uint32_t missed;                            /* texts that were in no slot */
	struct interned slot[INTERN_SLOTS];
	uint32_t once[INTERN_SLOTS]; /* hashes of texts met once, see intern_repeated */
};
void intern_init(struct intern *c, struct strings *s, uint8_t (*tag_of)(const char *p, size_t n));
/* For values: only texts that come again are worth a place in the string table. True from the second time on. */
bool intern_repeated(struct intern *c, const char *p, size_t n, str_id *id);
/* Finds or adds the text that `x`, its slot, does not hold. */
const struct interned *intern_fill(struct intern *c, struct interned *x, const char *p, size_t n);

static inline struct text_ends text_ends(const char *p, size_t n)
{
	struct text_ends e = {0, 0};
	if (n >= 8) {
		memcpy(&e.first, p, 8);
		memcpy(&e.last, p + n - 8, 8);
	} else if (n >= 4) {
		uint32_t x, y;
		memcpy(&x, p, 4);
		memcpy(&y, p + n - 4, 4);
		e = (struct text_ends){x, y};
	} else if (n > 0) {
		e.first = (unsigned char)p[0] | (uint64_t)(unsigned char)p[n / 2] << 8 |
			  (uint64_t)(unsigned char)p[n - 1] << 16;
	}
	return e;
}

/* Long texts often start and end alike ("Compiling a/b/c.cc"): what stands in the middle counts, too. */
static inline uint32_t text_hash(struct text_ends e, const char *p, size_t n)
{
	uint64_t middle = 0, h = (e.first ^ (uint64_t)n << 56) * 0x9fb21c651e98df25u;
	if (n > 24)
		memcpy(&middle, p + n / 2 - 4, 8);
	h = (h ^ (h >> 29) ^ e.last ^ middle * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
	return (uint32_t)(h >> 32);
}

static inline bool interned_is(const struct interned *x, struct text_ends e, const char *p, size_t n)
{
	return x->n == n && x->ends.first == e.first && x->ends.last == e.last &&
	       (n <= 16 || (n < INTERN_FREE && memcmp(x->p + 8, p + 8, n - 16) == 0));
}

/* Finds or adds; valid until the next call. */
static inline const struct interned *intern_get(struct intern *c, const char *p, size_t n)
{
	struct text_ends e = text_ends(p, n);
	struct interned *x = &c->slot[text_hash(e, p, n) % INTERN_SLOTS];
	return interned_is(x, e, p, n) ? x : intern_fill(c, x, p, n);
}
#endif
