/* model/analysis/shares.h - percentages that add up to exactly 100.0: in tenths, the largest remainders rounded up. */
#ifndef STEPSCOPE_SHARES_H
#define STEPSCOPE_SHARES_H
#include <stdint.h>

enum { SHARES_MAX = 16 };
/* pct[i] = share of parts[i] in their sum; NaN when the sum is not above 0. Parts >= 0; n <= SHARES_MAX. */
void shares_pct(const double *parts, uint32_t n, double *pct);
#endif
