/* model/analysis/maths/spread.h - mean and spread of some values, and the smallest change of a mean that two such sets can tell.
 * Rule:   Welch's t for means of unequal variance; degrees of freedom by Welch and Satterthwaite, rounded down. A change of less
 *         than t(99.75 %, one side) standard errors may be chance: of 400 pairs without a change one goes that far up. */
#ifndef STEPSCOPE_SPREAD_H
#define STEPSCOPE_SPREAD_H
#include <stdint.h>

struct spread {
	uint32_t n;
	double mean, sd; /* NaN without values; sd (of a sample, n - 1) NaN for fewer than two */
};
struct spread spread_of(const double *v, uint32_t n);
/* As a share of a's mean in per cent; NaN when one of the two has fewer than two values, or the mean is not positive. */
double spread_detects_pct(const struct spread *a, const struct spread *b);
#endif
