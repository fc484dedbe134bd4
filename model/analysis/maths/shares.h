/* model/analysis/maths/shares.h - percentages of a sum, as every face prints them; and comparisons of shares that no length of time overflows. */
#ifndef STEPSCOPE_SHARES_H
#define STEPSCOPE_SHARES_H
#include <stdbool.h>
#include <stdint.h>

enum { SHARES_MAX = 32 };
/* pct[i] = share of parts[i] in their sum; NaN when the sum is not above 0. Parts >= 0; n <= SHARES_MAX. */
void shares_pct(const double *parts, uint32_t n, double *pct);
/* Whether `part` is pct percent of `whole` or more. */
bool share_at_least(int64_t part, int64_t whole, int pct);
#endif
