/* model/analysis/rules/rule_index.h - which rules of several lists can match a text at all, found in one pass over it: an automaton
 * (Aho and Corasick) of the words that the rules want to see. A rule it does not name does not match; one that it names may, or
 * does for sure where its words are all that it asks for.
 * Life:    rule_index_new of lists that are complete and stay where they are; the automaton is made in the arena when the first text is
 *          asked, as many programs end without one.
 * Threads: one at a time, like the regular expressions of the lists. */
#ifndef STEPSCOPE_RULE_INDEX_H
#define STEPSCOPE_RULE_INDEX_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rule_list;
struct rule_index;
enum { RULE_LISTS_MOST = 10 };
enum { RULE_INDEX_RULES = 512, RULE_INDEX_CELLS = RULE_INDEX_RULES / 64 };

/* What the index is asked with. */
enum rule_index_of {
	RULE_INDEX_TEXTS, /* the texts that the rules are asked about */
	RULE_INDEX_MANGLED /* mangled names, of whose readable texts (names/demangle.h) it tells the same; none is sure */
};
/* A rule's bit: where its list begins, first[list], and its place in it. NULL for more than RULE_INDEX_RULES: every one has to be asked
 * then. */
struct rule_index *rule_index_new(const struct rule_list *const *lists, uint32_t n_lists, enum rule_index_of of,
				  uint32_t *first, struct arena *mem);
/* Sets the bits of the rules that may match: all of them where the automaton would be large. */
void rule_index_ask(struct rule_index *x, const char *text, size_t n, uint64_t may[RULE_INDEX_CELLS]);
/* Of each rule, once a text has been asked: up to how many bytes a text of ASCII characters that may match does so; 0: it has to be
 * asked. */
const uint16_t *rule_index_sure_bytes(const struct rule_index *x);
/* What stands behind its words matters: in a text that goes on it may not match. */
bool rule_index_looks_behind(const struct rule_index *x, uint32_t rule);
#endif
