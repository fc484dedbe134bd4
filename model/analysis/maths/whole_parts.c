#include "whole_parts.h"
#include <math.h>
#include <stdbool.h>

static int largest_remainder(const double *parts, uint32_t n, const int64_t *out, const bool *raised)
{
	int best = -1;
	for (uint32_t i = 0; i < n; i++)
		if (!raised[i] && (best < 0 || parts[i] - (double)out[i] > parts[best] - (double)out[best]))
			best = (int)i;
	return best;
}

void whole_parts(const double *parts, uint32_t n, int64_t whole, int64_t *out)
{
	bool raised[WHOLE_PARTS_MAX] = {false};
	int64_t left = whole;
	for (uint32_t i = 0; i < n; i++) {
		out[i] = (int64_t)floor(parts[i]);
		left -= out[i];
	}
	for (uint32_t i = 0; i < n && left > 0; i++, left--) {
		int at = largest_remainder(parts, n, out, raised);
		raised[at] = true;
		out[at]++;
	}
}
