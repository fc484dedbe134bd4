/* model/analysis/maths/twice.h - what at least two of several lists of intervals cover: united two by two, since what many cover soon
 * has few gaps left.
 * Memory:  a few lists at a time; out of memory ends the program (memory.h).
 * Threads: any. */
#ifndef STEPSCOPE_TWICE_H
#define STEPSCOPE_TWICE_H
#include "intervals.h"

/* fill: puts list i of n, sorted and disjoint, into `to`, which is empty; empty intervals count as nothing. */
void intervals_twice(struct interval_list *out, uint32_t n,
		     void (*fill)(void *ctx, uint32_t i, struct interval_list *to), void *ctx);
/* How much of x y covers, in ns. */
int64_t intervals_common_ns(const struct interval_list *x, const struct interval_list *y);
#endif
