/* model/analysis/overview_parts.h - rows of the overview that are computed from another answer. */
#ifndef STEPSCOPE_OVERVIEW_PARTS_H
#define STEPSCOPE_OVERVIEW_PARTS_H
#include "../table.h"
#include "kernel_stats.h"

/* Mean, deviation and breakdown from the table of steps. */
void overview_steps(struct table *t, const struct table *steps);
/* Counts and shares of kernel time by precision and Tensor Core use. */
void overview_kernels(struct table *t, const struct kernel_stats *k);
#endif
