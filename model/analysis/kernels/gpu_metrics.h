/* model/analysis/kernels/gpu_metrics.h - how much of a device its kernels use: time, multiprocessors, warps.
 * Range:       from the first to the last work of the device inside the window; as the TensorBoard plugin for PyTorch counts
 *              (kineto): from the start of its first step to the end of its last one.
 * Utilization: union of kernels / range.
 * SM share:    a kernel uses min(blocks per SM, 1) of the multiprocessors; overlapping kernels add up to at most 1; mean over
 *              the range, idle counts 0. Blocks per SM are the producer's, else grid / multiprocessors (not kineto).
 * Occupancy:   mean of the kernels' occupancy weighted by their time inside the range. Producers write whole
 *              percents, and 0 also when they could not tell: such a kernel counts as unknown, unless its grid is that
 *              small, and as 0 for kineto. */
#ifndef STEPSCOPE_GPU_METRICS_H
#define STEPSCOPE_GPU_METRICS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

struct gpu_metrics {
	int64_t from_ns, to_ns;                          /* the range; from == to: none */
	int64_t kernel_ns;                               /* union */
	int64_t work_ns;                                 /* sum */
	int64_t blocks_known_ns, occupancy_known_ns;     /* sums over the kernels that tell */
	double sm_ns, occupancy_ns;                      /* share x time, percent x time */
	uint64_t kernels, blocks_known, occupancy_known; /* kernels that touch the range */
};
/* One for each device of the trace, in `mem`. False with `e` on cancel. */
bool gpu_metrics_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct gpu_metrics **out, struct err *e);
#endif
