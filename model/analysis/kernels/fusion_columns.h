/* model/analysis/kernels/fusion_columns.h - the columns of the table fusion. */
#ifndef STEPSCOPE_FUSION_COLUMNS_H
#define STEPSCOPE_FUSION_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define FUSION_COLUMNS(_) \
	_(COL_FUSION_OPS,       "op_list",               TEXT, NONE,    "ops of the run, in order") \
	_(COL_FUSION_ENCLOSED_BY,     "enclosed_by",           TEXT, NONE,    "what encloses the longest of these runs: the scope its ops share, else the innermost event around its launches") \
	_(COL_FUSION_KERNELS,   "run_kernels",           INT,  COUNT,   "element-wise kernels of one run; null: runs that are listed no further") \
	_(COL_FUSION_COUNT,     "repeats",               INT,  COUNT,   "runs of the same kernels in the same order that begin in the window") \
	_(COL_FUSION_PER_STEP,  "repeats_per_step",      REAL, COUNT,   "those that belong to a step / steps of the device in the window") \
	_(COL_FUSION_IN_NS,     "in_ns",                 INT,  NS,      "time in their kernels") \
	_(COL_FUSION_BETWEEN,   "between_ns",            INT,  NS,      "time between their kernels; a pause of more than 50 us ends a run") \
	_(COL_FUSION_SAVED,     "saved_ns",              INT,  NS,      "upper bound of what fusing saves: all but the longest kernel of each run, and the time between") \
	_(COL_FUSION_IN_STEPS,  "repeats_in_steps",      INT,  COUNT,   "of the repeats, those that belong to a step") \
	_(COL_FUSION_KERNELS_SAVED, "kernels_saved_ns",  INT,  NS,      "upper bound of what fusing saves of the kernels' self time: all but the longest kernel of each chain, in which each takes as many values as the one before it gives; without shapes all but the kernel name with the most time") \
	_(COL_FUSION_KERNELS_SAVED_IN_STEPS, "kernels_saved_in_steps_ns", INT, NS, "the same of the repeats that belong to a step") \
	_(COL_FUSION_ALL_KERNELS, "all_run_kernels",     INT,  COUNT,   "kernels of all repeats") \
	_(COL_FUSION_ALL_KERNELS_IN_STEPS, "all_run_kernels_in_steps", INT, COUNT, "kernels of the repeats that belong to a step") \
	_(COL_FUSION_SAVED_PCT, "kernel_time_saved_pct", REAL, PERCENT, "share of the time of all kernels and of the time between kernels of runs") \
	_(COL_FUSION_AVG,       "avg_ns",                INT,  NS,      "mean length of their kernels, rounded down") \
	_(COL_FUSION_FIRST_KERNEL,      "first_kernel",          TEXT, NONE,    "first kernel of the run") \
	_(COL_FUSION_RANK,      SHARED_RANK) \
	_(COL_FUSION_DEVICE,    SHARED_DEVICE) \
	_(COL_FUSION_HOST, SHARED_HOST)
/* clang-format on */
enum fusion_column { FUSION_COLUMNS(COLUMN_ID) };
#endif
