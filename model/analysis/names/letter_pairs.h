/* model/analysis/names/letter_pairs.h - which neighbours a text's letters have: tells of most words that they are not in it, small and
 * capital letters alike, without a search for each. For lists of words that are sought in very many names. */
#ifndef STEPSCOPE_LETTER_PAIRS_H
#define STEPSCOPE_LETTER_PAIRS_H
#include <stdbool.h>
#include <stdint.h>

struct letter_pairs {
	uint64_t bits[16];
};
/* Letters count by their five low bits, in which small and capital ones are alike. */
static inline uint32_t letter_pair(const char *at)
{
	return (uint32_t)(at[0] & 31) << 5 | (uint32_t)(at[1] & 31);
}
static inline struct letter_pairs letter_pairs_of(const char *text)
{
	struct letter_pairs p = {{0}};
	uint32_t pair = (uint32_t)text[0] & 31;
	for (text += *text != '\0'; *text; text++) {
		pair = (pair << 5 | ((uint32_t)*text & 31)) & 1023;
		p.bits[pair >> 6] |= UINT64_C(1) << (pair & 63);
	}
	return p;
}
/* False: the word, of whatever letters, is no part of the text. */
static inline bool letter_pairs_may_hold(const struct letter_pairs *p, const char *word)
{
	for (; word[0] && word[1]; word++)
		if (!(p->bits[letter_pair(word) >> 6] >> (letter_pair(word) & 63) & 1))
			return false;
	return true;
}
#endif
