/* importers/chrome/shape.h - what stands between two values, learned while reading.
 * Why:    a producer writes all entries of one kind alike, blanks included: behind the value of "name" comes
 *         `, "pid": 40960, "tid": 41733,\n    "ts": `, and so on. Such texts are remembered with what was found in them, as a
 *         tree of the ways through an entry. Where one stands again - a comparison of up to 64 bytes - nothing needs to be
 *         scanned, hashed or looked up. A text may hold whole members that seldom change (phase, category, pid, tid); it ends
 *         where a value begins or behind the closing bracket.
 * Exact:  a text is learned only from the place in the grammar where it is tried again, only when it was read without any
 *         fault, and only as a whole: equal bytes mean what they meant before. Anything else is scanned as ever.
 * Memory: STEPS nodes; when they are used up, all is forgotten and learned anew. */
#ifndef STEPSCOPE_CHROME_SHAPE_H
#define STEPSCOPE_CHROME_SHAPE_H
#include <string.h>
#include "../../model/store/strings.h"
#include "scan.h"

enum { STEP_TEXT = 64, STEP_FIXED = 4, STEP_WAYS = 8, STEPS = 1024 };

/* A member whose value is part of the text. */
struct fixed {
	struct value v; /* its `p` is to be set: value_at bytes behind the text's start */
	str_id key;
	str_id id; /* of a category */
	uint8_t place;
	uint8_t value_at;
};
/* The text before a value (or the closing bracket), and what the key in it means. */
struct step {
	char text[STEP_TEXT];
	uint64_t want;               /* a bit per byte of text */
	struct step *way[STEP_WAYS]; /* what followed it, likelier ones first */
	uint32_t n;
	str_id key;
	uint8_t place, tag; /* enum place; enum known_arg */
	uint8_t ways, n_fixed;
	struct fixed fixed[STEP_FIXED];
};
struct shape {
	struct step root; /* before an entry's opening bracket */
	struct step lost; /* where nothing is learned: what was read has no place in the tree */
	struct step step[STEPS];
	size_t n;
};
void shape_init(struct shape *s);

/* Remembers that `text` followed `from`; found: what it means, its n included. Returns the new step, or `lost` with the same
 * meaning when it cannot be remembered. */
struct step *shape_learn(struct shape *s, struct step *from, const char *text, const struct step *found);

/* How many members a new step behind `from` may hold: where the ways become many, values are left out of the texts, first
 * the numbers, then all. */
bool shape_takes_numbers(const struct step *from);
bool shape_takes_texts(const struct step *from);

static inline bool step_is(const struct step *s, const char *p)
{
#ifdef __SSE2__
	for (unsigned i = 0;; i += 32) {
		const __m128i *text = (const __m128i *)(s->text + i), *at = (const __m128i *)(p + i);
		__m128i low = _mm_cmpeq_epi8(_mm_loadu_si128(text), _mm_loadu_si128(at));
		__m128i high = _mm_cmpeq_epi8(_mm_loadu_si128(text + 1), _mm_loadu_si128(at + 1));
		uint32_t same = (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
		if (~same & (uint32_t)(s->want >> i))
			return false;
		if (i == 32 || s->n <= 32)
			return true;
	}
#else
	return memcmp(s->text, p, s->n) == 0;
#endif
}

/* The step that the text at p continues `from` with, NULL = none known. */
static inline struct step *shape_follow(struct step *from, const char *p)
{
	for (unsigned i = 0; i < from->ways; i++) {
		struct step *s = from->way[i];
		if (!step_is(s, p))
			continue;
		if (i > 0) {
			from->way[i] = from->way[i - 1];
			from->way[i - 1] = s;
		}
		return s;
	}
	return NULL;
}
#endif
