/* tests/bench/gen/random.h - random numbers of the generators: the same in every run of one seed. */
#ifndef BENCH_GEN_RANDOM_H
#define BENCH_GEN_RANDOM_H
#include <math.h>
#include <stdint.h>

static uint64_t rng_s;           /* all that decides what comes next: may be kept and put back */
static uint32_t lognormal[1024]; /* quantiles of a lognormal distribution of median 1, fixed point /1024 */

static inline uint64_t rng(void)
{
	uint64_t z = (rng_s += 0x9E3779B97F4A7C15ull);
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
	return z ^ (z >> 31);
}

static inline void lognormal_init(double sigma)
{
	for (int i = 0; i < 1024; i++) { /* logistic quantile is close to the normal one and needs no erf */
		double p = (i + 0.5) / 1024, z = log(p / (1 - p)) / 1.702;
		lognormal[i] = (uint32_t)(exp(sigma * z) * 1024 + 0.5);
	}
}
/* A length with heavy tails. */
static inline int64_t around(int64_t median)
{
	return 1 + ((median * lognormal[rng() >> 54]) >> 10);
}
#endif
