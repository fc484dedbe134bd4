#include "shares.h"
#include <math.h>

void shares_pct(const double *parts, uint32_t n, double *pct)
{
	double sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += parts[i];
	for (uint32_t i = 0; i < n; i++)
		pct[i] = sum > 0 ? 100 * parts[i] / sum : NAN;
}

bool share_at_least(int64_t part, int64_t whole, int pct)
{
	return (__int128)part * 100 >= (__int128)whole * pct;
}
