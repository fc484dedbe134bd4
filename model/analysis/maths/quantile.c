#include "quantile.h"

static void swap(int64_t *a, int64_t *b)
{
	int64_t kept = *a;
	*a = *b;
	*b = kept;
}

/* Pivots by a fixed series of pseudo-random numbers: no order of the values makes this slow on purpose. */
static uint32_t next_place(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 32) * n >> 32);
}

/* Splits into less, equal and more; equal ones lie in [*from, *to). Launch calls are often alike to the ns. */
static void split(int64_t *v, uint32_t n, int64_t pivot, uint32_t *from, uint32_t *to)
{
	uint32_t less = 0, at = 0, more = n;
	while (at < more) {
		if (v[at] < pivot)
			swap(&v[at++], &v[less++]);
		else if (v[at] > pivot)
			swap(&v[at], &v[--more]);
		else
			at++;
	}
	*from = less;
	*to = more;
}

/* Puts the value of rank k at its place, smaller ones before it. */
static int64_t select_rank(int64_t *v, uint32_t n, uint32_t k)
{
	uint64_t seed = n;
	while (n > 1) {
		uint32_t from, to;
		split(v, n, v[next_place(&seed, n)], &from, &to);
		if (k >= from && k < to)
			break;
		if (k < from) {
			n = from;
			continue;
		}
		v += to;
		n -= to;
		k -= to;
	}
	return v[k];
}

void quantiles_of(int64_t *v, uint32_t n, const unsigned *per_mille, int64_t *out, unsigned n_out)
{
	for (unsigned i = n_out; i-- > 0;) {
		uint32_t rank = (uint32_t)(((uint64_t)n * per_mille[i] + 999) / 1000);
		uint32_t k = rank ? rank - 1 : 0, within = n;
		if (i + 1 < n_out) /* what the larger quantile left before itself */
			within = (uint32_t)(((uint64_t)n * per_mille[i + 1] + 999) / 1000);
		out[i] = select_rank(v, within, k);
	}
}
