/* model/analysis/maths/twice.h - how much of each of several lists of intervals others of them cover, too, whatever they are made of: of
 * some hundred intervals of each at a time, fewer of very many lists; no list is kept.
 * Memory:  12 KB per list, of many 2.4 MB together, or 1.8 KB of each; out of memory ends the program (memory.h).
 * Threads: any. */
#ifndef STEPSCOPE_TWICE_H
#define STEPSCOPE_TWICE_H
#include "intervals.h"

/* next: the next intervals of list i, at most `room`, sorted and disjoint; returns how many, 0: it has no more. shared_ns[i] of each of n
 * lists: the time of its intervals in which at least one other list has one. */
void intervals_shared(uint32_t n, uint32_t (*next)(void *ctx, uint32_t i, struct interval *to, uint32_t room),
		      void *ctx, int64_t *shared_ns);
#endif
