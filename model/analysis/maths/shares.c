#include "shares.h"
#include <math.h>

enum { TENTHS = 1000 };

/* The part that lost most by rounding down; the first of equals. */
static uint32_t most_cut(const double *exact, const double *tenths, const bool *raised, uint32_t n)
{
	uint32_t best = n;
	for (uint32_t i = 0; i < n; i++)
		if (!raised[i] && (best == n || exact[i] - tenths[i] > exact[best] - tenths[best]))
			best = i;
	return best;
}

void shares_pct(const double *parts, uint32_t n, double *pct)
{
	double sum = 0, given = 0, exact[SHARES_MAX], tenths[SHARES_MAX];
	bool raised[SHARES_MAX] = {false};
	for (uint32_t i = 0; i < n; i++)
		sum += parts[i];
	for (uint32_t i = 0; i < n; i++) {
		exact[i] = sum > 0 ? parts[i] / sum * TENTHS : NAN;
		given += tenths[i] = floor(exact[i]);
	}
	for (uint32_t left = sum > 0 ? (uint32_t)(TENTHS - given) : 0; left; left--) {
		uint32_t i = most_cut(exact, tenths, raised, n);
		if (i == n)
			break;
		raised[i] = true;
		tenths[i]++;
	}
	for (uint32_t i = 0; i < n; i++)
		pct[i] = tenths[i] / 10;
}

bool share_at_least(int64_t part, int64_t whole, int pct)
{
	return (__int128)part * 100 >= (__int128)whole * pct;
}
