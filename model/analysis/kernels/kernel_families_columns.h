/* model/analysis/kernels/kernel_families_columns.h - the columns of the table kernel_families. */
#ifndef STEPSCOPE_KERNEL_FAMILIES_COLUMNS_H
#define STEPSCOPE_KERNEL_FAMILIES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define KERNEL_FAMILIES_COLUMNS(_) \
	_(COL_KERNEL_FAMILIES_FAMILY,     SHARED_FAMILY) \
	_(COL_KERNEL_FAMILIES_SHARE,      SHARED_KERNEL_TIME_PCT) \
	_(COL_KERNEL_FAMILIES_TOTAL,      "total_ns",       INT,  NS,      "time inside the window (cut at its edges)") \
	_(COL_KERNEL_FAMILIES_COUNT,      SHARED_KERNELS) \
	_(COL_KERNEL_FAMILIES_KERNELS,    "kernel_names",   INT,  COUNT,   "different kernel names") \
	_(COL_KERNEL_FAMILIES_AVG,        "avg_ns",         INT,  NS,      "mean whole duration of the counted ones, rounded down") \
	_(COL_KERNEL_FAMILIES_PER_STEP,   SHARED_KERNELS_PER_STEP) \
	_(COL_KERNEL_FAMILIES_TC,         "tc_pct",         REAL, PERCENT, "share of the family's time in kernels that run on Tensor Cores, as far as rules tell") \
	_(COL_KERNEL_FAMILIES_TC_UNKNOWN, "tc_unknown_pct", REAL, PERCENT, "share of the family's time in kernels of which rules do not tell it") \
	_(COL_KERNEL_FAMILIES_TOP,        "top_kernel",     TEXT, NONE,    "kernel with the most time") \
	_(COL_KERNEL_FAMILIES_WHAT,       SHARED_WHAT)
/* clang-format on */
enum kernel_families_column { KERNEL_FAMILIES_COLUMNS(COLUMN_ID) };
#endif
