#include "change_point.h"
#include "rank.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>

static int by_value(const void *x, const void *y, void *arg)
{
	const int64_t *v = arg;
	int64_t a = v[((const struct rank *)x)->id], b = v[((const struct rank *)y)->id];
	return (a > b) - (a < b);
}

/* The smallest first. */
static struct rank *in_order(const int64_t *v, uint32_t n)
{
	struct rank *at = touched_zeroed(n, sizeof *at);
	int64_t most = v[0];
	for (uint32_t i = 1; i < n; i++)
		most = v[i] > most ? v[i] : most;
	for (uint32_t i = 0; i < n; i++)
		at[i] = (struct rank){rank_size(most - v[i]), i};
	rank_sort(at, n);
	rank_ties(at, n, RANK_LARGE, by_value, (void *)v);
	return at;
}

/* Twice the ranks from 1; of equal values the mean of theirs. */
static uint32_t *doubled_ranks_of(const int64_t *v, uint32_t n)
{
	struct rank *at = in_order(v, n);
	uint32_t *ranks = touched_zeroed(n, sizeof *ranks);
	for (uint32_t a = 0, b; a < n; a = b) {
		for (b = a + 1; b < n && v[at[b].id] == v[at[a].id]; b++)
			;
		for (uint32_t i = a; i < b; i++)
			ranks[at[i].id] = a + 1 + b;
	}
	free(at);
	return ranks;
}

struct change_point change_point_of(const int64_t *v, uint32_t n)
{
	if (n < 2)
		return (struct change_point){0, 1};
	uint32_t *ranks = doubled_ranks_of(v, n);
	double twice_sum = 0, most = -1, size = n;
	uint32_t at = 0;
	for (uint32_t i = 1; i < n; i++) {
		twice_sum += ranks[i - 1];
		double k = fabs(twice_sum - i * (size + 1));
		if (k > most) {
			most = k;
			at = i;
		}
	}
	free(ranks);
	return (struct change_point){at, fmin(1, 2 * exp(-6 * most * most / (size * size * size + size * size)))};
}
