/* model/analysis/maths/quantile.h - percentiles by nearest rank: always one of the values, the smallest one that at least so many
 * per mille of them do not exceed. Exact, in linear time; v is reordered. */
#ifndef STEPSCOPE_QUANTILE_H
#define STEPSCOPE_QUANTILE_H
#include <stdint.h>

/* The value that k others come before, at its place, smaller ones (and equal ones) before it. k < n. Linear time. */
int64_t select_rank(int64_t *v, uint32_t n, uint32_t k);
/* per_mille: n_out numbers of 1..1000, ascending; out[i] is the quantile of per_mille[i]. n must not be 0. */
void quantiles_of(int64_t *v, uint32_t n, const unsigned *per_mille, int64_t *out, unsigned n_out);
#endif
