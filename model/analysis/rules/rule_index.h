/* model/analysis/rules/rule_index.h - which rules of several lists can match a text at all, found in one pass over it: an automaton
 * (Aho and Corasick) of the words that the rules want to see. A rule it does not name does not match; one that it names may.
 * Life:    rule_index_new of lists that are complete; it lies in the arena and is never changed. Any number of threads ask. */
#ifndef STEPSCOPE_RULE_INDEX_H
#define STEPSCOPE_RULE_INDEX_H
#include "model/store/base/arena.h"
#include <stddef.h>
#include <stdint.h>

struct rule_list;
struct rule_index;
enum { RULE_INDEX_RULES = 512, RULE_INDEX_CELLS = RULE_INDEX_RULES / 64 };

/* A rule's bit: where its list begins, first[list], and its place in it. NULL for rules so many that it would be large: every rule has
 * to be asked then. */
const struct rule_index *rule_index_new(const struct rule_list *const *lists, uint32_t n_lists, uint32_t *first,
					struct arena *mem);
/* Sets the bits of the rules that may match. */
void rule_index_ask(const struct rule_index *x, const char *text, size_t n, uint64_t may[RULE_INDEX_CELLS]);
#endif
