/* model/analysis/kernels/kernel_spread.h - what the kernels of one group look like besides their sum: percentiles, streams, how many
 * per step, how many out of a replayed graph. Speaks of the kernels that start inside the window, at whole length. */
#ifndef STEPSCOPE_KERNEL_SPREAD_H
#define STEPSCOPE_KERNEL_SPREAD_H
#include "kernel_stats.h"

enum { SPREAD_STREAMS = 3 };
struct kernel_spread {
	int64_t p50_ns, p95_ns, p99_ns;   /* UNKNOWN_I64: none starts inside */
	uint32_t in_steps;                /* that belong to a step */
	uint32_t launched, by_graph;      /* whose launch is known; of those, by a graph's */
	uint32_t n_streams;               /* cut ones included, as in the rest */
	uint32_t streams[SPREAD_STREAMS]; /* the first tracks */
	uint32_t device;                  /* of the first one */
	bool mixed;                       /* other devices of the group differ in compute capability or size */
};

/* Lies in `mem`, which has to outlive it, as has `stats`; one thread. */
struct spreading;
struct spreading *spreading_new(const struct kernel_stats *stats, struct arena *mem);
struct kernel_spread spreading_group(struct spreading *s, uint32_t group);
/* The streams and devices alone, without a look at each kernel; the rest is 0. */
struct kernel_spread spreading_streams(const struct spreading *s, uint32_t group);
#endif
