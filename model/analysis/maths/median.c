#include "median.h"
#include "quantile.h"

int64_t upper_median(int64_t *v, uint32_t n)
{
	return select_rank(v, n, n / 2);
}

int64_t median_of(int64_t *v, uint32_t n)
{
	int64_t upper = upper_median(v, n), lower = v[0];
	if (n % 2)
		return upper;
	for (uint32_t i = 1; i < n / 2; i++)
		lower = v[i] > lower ? v[i] : lower;
	return lower + (upper - lower) / 2;
}
