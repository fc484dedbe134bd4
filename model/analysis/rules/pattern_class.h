/* model/analysis/rules/pattern_class.h - classes of characters in regular expressions, and what may stand beside a word.
 * Limits:  ASCII characters are told apart, bytes of others are not: a class that is none of a few characters holds them all. */
#ifndef STEPSCOPE_PATTERN_CLASS_H
#define STEPSCOPE_PATTERN_CLASS_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_set {
	uint64_t of[4];
};
static inline bool byte_set_has(const struct byte_set *s, unsigned char byte)
{
	return s->of[byte / 64] >> byte % 64 & 1;
}
static inline void byte_set_add(struct byte_set *s, unsigned char byte)
{
	s->of[byte / 64] |= UINT64_C(1) << byte % 64;
}
/* With all others, and without these. */
struct byte_set byte_set_others(struct byte_set s);
/* With both cases of its letters. */
struct byte_set byte_set_any_case(struct byte_set s);

/* Beside a word there is one of these bytes or, with `end`, no more text; `newline`: or the one newline that ends it. */
struct word_edge {
	struct byte_set bytes;
	bool end, newline;
};
/* Allows what either does. */
void word_edge_add(struct word_edge *e, const struct word_edge *more);
/* What both allow; NULL: anything. */
const struct word_edge *word_edge_both(struct arena *mem, const struct word_edge *a, const struct word_edge *b);
/* Of characters beyond ASCII it is not known what they are: they may stand anywhere. */
static inline bool word_edge_allows(const struct word_edge *e, char byte)
{
	return !e || (unsigned char)byte >= 0x80 || byte_set_has(&e->bytes, (unsigned char)byte);
}

/* One character, of those that a part of a pattern at *p may be: a letter, an escape, a class in brackets. Moves *p behind it. False,
 * with *p anywhere: it is something else, or nothing that is known. any_case: the pattern is caseless. */
bool pattern_class_read(const char **p, const char *end, bool any_case, struct byte_set *set);
#endif
