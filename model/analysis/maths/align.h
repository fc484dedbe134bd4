/* model/analysis/maths/align.h - which elements of two sequences stand for each other: a longest common subsequence where that can be
 * had, else a long one. Equal numbers are equal elements.
 * Cost:    memory linear in n + m. Time n * m where that is small, else bounded: longer pieces are cut at elements that are unique on
 *          both sides (anchors, in their longest increasing order), and where there are none, both at the same share of their length. */
#ifndef STEPSCOPE_ALIGN_H
#define STEPSCOPE_ALIGN_H
#include <stdint.h>

enum { ALIGN_CELLS = 1 << 22 }; /* n * m that is done exactly */
/* with[i]: the place in b that a[i] stands for, UINT32_MAX = none; rising. */
void align_sequences(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t *with);
#endif
