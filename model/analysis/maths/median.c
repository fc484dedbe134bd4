#include "median.h"
#include "order.h"
#include <stdlib.h>

int64_t upper_median(int64_t *v, uint32_t n)
{
	qsort(v, n, sizeof *v, i64_order);
	return v[n / 2];
}

int64_t median_of(int64_t *v, uint32_t n)
{
	int64_t upper = upper_median(v, n);
	return n % 2 ? upper : v[n / 2 - 1] + (upper - v[n / 2 - 1]) / 2;
}
