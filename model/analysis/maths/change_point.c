#include "change_point.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>

struct ranked {
	int64_t value;
	uint32_t at;
	double rank; /* from 1; of equal values the mean of theirs */
};

static int by_value(const void *a, const void *b)
{
	int64_t x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
	return (x > y) - (x < y);
}

static int by_place(const void *a, const void *b)
{
	uint32_t x = ((const struct ranked *)a)->at, y = ((const struct ranked *)b)->at;
	return (x > y) - (x < y);
}

static struct ranked *ranks_of(const int64_t *v, uint32_t n)
{
	struct ranked *r = must(calloc(n, sizeof *r));
	for (uint32_t i = 0; i < n; i++)
		r[i] = (struct ranked){.value = v[i], .at = i};
	qsort(r, n, sizeof *r, by_value);
	for (uint32_t a = 0, b; a < n; a = b) {
		for (b = a + 1; b < n && r[b].value == r[a].value; b++)
			;
		for (uint32_t i = a; i < b; i++)
			r[i].rank = (a + 1.0 + b) / 2;
	}
	qsort(r, n, sizeof *r, by_place);
	return r;
}

struct change_point change_point_of(const int64_t *v, uint32_t n)
{
	if (n < 2)
		return (struct change_point){0, 1};
	struct ranked *r = ranks_of(v, n);
	double sum = 0, most = -1, size = n;
	uint32_t at = 0;
	for (uint32_t i = 1; i < n; i++) {
		sum += r[i - 1].rank;
		double k = fabs(2 * sum - i * (size + 1));
		if (k > most) {
			most = k;
			at = i;
		}
	}
	free(r);
	return (struct change_point){at, fmin(1, 2 * exp(-6 * most * most / (size * size * size + size * size)))};
}
