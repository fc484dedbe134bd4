#include "quantile.h"
#include <stdbool.h>

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

int64_t select_rank(int64_t *v, uint32_t n, uint32_t k)
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

static uint32_t rank_of(uint32_t n, unsigned per_mille)
{
	uint32_t rank = (uint32_t)(((uint64_t)n * per_mille + 999) / 1000);
	return rank ? rank - 1 : 0;
}

/* ---- many values ----------------------------------------------------------------------------------------------------- */

/* Values are counted in buckets that widen with their distance from the least one: by its highest bit and the 6 below. */
enum { FINE_BITS = 6, FINE = 1 << FINE_BITS, BUCKETS = (64 - FINE_BITS + 1) * FINE, MANY = 8192 };

static uint32_t bucket_of(uint64_t v)
{
	int shift = v < FINE ? 0 : 63 - __builtin_clzll(v) - FINE_BITS;
	return (uint32_t)shift * FINE + (uint32_t)(v >> shift);
}

/* Where the bucket begins. */
static uint64_t bucket_from(uint32_t bucket)
{
	uint32_t shift = bucket < 2 * FINE ? 0 : bucket / FINE - 1;
	return (uint64_t)(bucket - shift * FINE) << shift;
}

/* Puts the values of the bucket in front; returns how many. */
static uint32_t gather(int64_t *v, uint32_t n, int64_t least, uint32_t bucket)
{
	uint64_t from = bucket_from(bucket), wide = (uint64_t)1 << (bucket < 2 * FINE ? 0 : bucket / FINE - 1);
	uint32_t found = 0;
	for (uint32_t i = 0; i < n; i++) {
		int64_t kept = v[i];
		bool in = (uint64_t)kept - (uint64_t)least - from < wide;
		v[i] = v[found];
		v[found] = kept;
		found += in;
	}
	return found;
}

static void quantiles_of_many(int64_t *v, uint32_t n, const unsigned *per_mille, int64_t *out, unsigned n_out)
{
	uint32_t counts[BUCKETS] = {0};
	int64_t least = v[0];
	for (uint32_t i = 1; i < n; i++)
		least = v[i] < least ? v[i] : least;
	for (uint32_t i = 0; i < n; i++)
		counts[bucket_of((uint64_t)v[i] - (uint64_t)least)]++;
	for (unsigned i = 0; i < n_out; i++) {
		uint32_t k = rank_of(n, per_mille[i]), bucket = 0;
		while (k >= counts[bucket])
			k -= counts[bucket++];
		out[i] = select_rank(v, gather(v, n, least, bucket), k);
	}
}

void quantiles_of(int64_t *v, uint32_t n, const unsigned *per_mille, int64_t *out, unsigned n_out)
{
	if (n >= MANY) {
		quantiles_of_many(v, n, per_mille, out, n_out);
		return;
	}
	for (unsigned i = n_out; i-- > 0;) {
		uint32_t k = rank_of(n, per_mille[i]), within = n;
		if (i + 1 < n_out) /* what the larger quantile left before itself */
			within = (uint32_t)(((uint64_t)n * per_mille[i + 1] + 999) / 1000);
		out[i] = select_rank(v, within, k);
	}
}
