/* tui/tables/kernel_names.h - kernels by name, for screens that show few. The table `kernels` tells kernels of one name apart by
 * launch shape and op; where only the top ones fit, the same work would look small in many lines. */
#ifndef STEPSCOPE_KERNEL_NAMES_H
#define STEPSCOPE_KERNEL_NAMES_H
#include "model/table.h"

/* Of what kernels_by_name gives. */
TABLE_DECL(kernel_names);
/* One row per name, by time: share_pct total_ns count avg_ns min_ns max_ns uses_tc precision op name forms family. `op` is null where ops differ.
 * Evidence is that of the largest part. `kernels` must outlive the result. */
struct table *kernels_by_name(const struct table *kernels, struct arena *mem);
#endif
