/* model/analysis/maths/deal.h - numbers put in the order of small keys without comparing: one pass over the numbers counts how
 * many have each key, another puts them in place. Numbers of equal key stay in the order given, so that dealing by the least
 * important key first and by the most important one last sorts by all of them. */
#ifndef STEPSCOPE_DEAL_H
#define STEPSCOPE_DEAL_H
#include <stdint.h>

/* Key of a number, below the `keys` of deal_by. */
typedef uint32_t deal_key(const void *arg, uint32_t number);
/* Fills to[0 .. n) with from[0 .. n) by key. Needs 4 bytes per key; out of memory ends the program (memory.h). */
void deal_by(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t keys, deal_key *key, const void *arg);
#endif
