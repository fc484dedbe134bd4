/* model/analysis/rules/pattern_words.h - words of which a text holds at least one wherever a regular expression matches it, so that
 * most texts need no matching at all.
 * Limits:  what the reader does not know for sure (back references, verbs, names, comments, characters beyond ASCII) makes the whole
 *          pattern one without words. A caseless pattern also takes U+212A for k and U+017F for s: callers look for these. */
#ifndef STEPSCOPE_PATTERN_WORDS_H
#define STEPSCOPE_PATTERN_WORDS_H
#include "pattern_class.h"
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct rule_word {
	const char *text;                        /* not terminated */
	size_t n;                                /* bytes, never 0 */
	const struct word_edge *before, *behind; /* what stands beside it in the text; NULL: anything may */
};
struct rule_words {
	struct rule_word *at;
	uint32_t n;    /* 0: nothing is known, every text may match */
	bool any_case; /* their letters stand for either case */
	bool enough;   /* a text of ASCII characters that holds one of them, with what is to stand beside it, matches */
};

/* Of a pattern that PCRE2 has compiled, caseless or not. The words and what stands beside them lie in `mem`. */
struct rule_words pattern_words(struct arena *mem, const char *pattern, size_t n, bool any_case);
#endif
