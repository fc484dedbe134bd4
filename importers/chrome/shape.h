/* importers/chrome/shape.h - what stands between two values, learned while reading.
 * Why:    a producer writes all entries of one kind alike, blanks included: behind the value of "pid" comes `, "tid": `, and so
 *         on. So the text between two values is remembered with what was found in it, as a tree of the ways through an entry.
 *         Where the same text stands again - one comparison of up to 64 bytes - nothing needs to be scanned, hashed or looked
 *         up. On Kineto traces 99.9 % of all keys are found so, in a quarter of the instructions of scanning them.
 * Exact:  a text is learned only from the place in the grammar where it is tried again, only when it was read without any
 *         fault, and only as a whole: equal bytes mean what they meant before. Anything else is scanned as ever.
 * Memory: STEPS nodes; when they are used up, all is forgotten and learned anew. */
#ifndef STEPSCOPE_CHROME_SHAPE_H
#define STEPSCOPE_CHROME_SHAPE_H
#include "../../model/store/strings.h"
#include "scan.h"
#include <string.h>

enum { STEP_TEXT = 64, STEP_WAYS = 4, STEPS = 1024, BRANCHES = 64 };

/* The text before one value (or the closing bracket), and what the key in it means. */
struct step {
	char text[STEP_TEXT];
	uint64_t want; /* a bit per byte of text */
	uint32_t n;
	str_id key;
	uint8_t place, tag; /* enum place; enum known_arg */
	uint8_t ways;
	struct step *way[STEP_WAYS]; /* what followed it, likelier ones first */
};
struct shape {
	struct step root; /* before an entry's opening bracket */
	struct step lost; /* where nothing is learned: what was read has no place in the tree */
	struct step step[STEPS];
	size_t n;
	struct {
		const struct step *from;
		uint32_t value;
		struct step *to;
	} branch[BRANCHES];
};
void shape_init(struct shape *s);

/* Remembers that `text` followed `from`. found: what it means (place, tag, key). Returns the new step. */
struct step *shape_learn(struct shape *s, struct step *from, const char *text, size_t n, const struct step *found);

/* Where the value at `from` tells what will follow (an entry's category), each value has ways of its own. */
struct step *shape_branch(struct shape *s, struct step *from, uint32_t value);

static inline bool step_is(const struct step *s, const char *p)
{
#ifdef __SSE2__
	uint64_t same = 0;
	for (unsigned i = 0; i < STEP_TEXT; i += 32) {
		const __m128i *text = (const __m128i *)(s->text + i), *at = (const __m128i *)(p + i);
		__m128i low = _mm_cmpeq_epi8(_mm_loadu_si128(text), _mm_loadu_si128(at));
		__m128i high = _mm_cmpeq_epi8(_mm_loadu_si128(text + 1), _mm_loadu_si128(at + 1));
		same |= (uint64_t)((uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16) << i;
		if (s->n <= 32)
			break;
	}
	return (same & s->want) == s->want;
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
