/* model/analysis/launches/tiny_ops_columns.h - the columns of the table tiny_ops. */
#ifndef STEPSCOPE_TINY_OPS_COLUMNS_H
#define STEPSCOPE_TINY_OPS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define TINY_OPS_COLUMNS(_) \
	_(COL_TINY_OPS_TYPE,       SHARED_TYPE) \
	_(COL_TINY_OPS_OP,         "op",             TEXT, NONE,    "the op; null where the row adds up several (--by op separates them)") \
	_(COL_TINY_OPS_KERNEL,     SHARED_KERNEL) \
	_(COL_TINY_OPS_OPS,        SHARED_OPS) \
	_(COL_TINY_OPS_RUNS,       "runs",           INT,  COUNT,   "how often they ran: host events that launched the kernels; kernels where the device's own details name the op") \
	_(COL_TINY_OPS_KERNELS,    SHARED_KERNELS) \
	_(COL_TINY_OPS_TOTAL,      "total_ns",       INT,  NS,      "time of the kernels, clipped to the window") \
	_(COL_TINY_OPS_AVG,        "avg_ns",         REAL, NS,      "whole time of the kernels / runs; only ops below 40 us are listed") \
	_(COL_TINY_OPS_LAUNCH_RANGE,    "launch_range",   TEXT, NONE,    "below: the average is shorter than 20 us, and a launch takes longer; within: it is within the 20-40 us of a launch") \
	_(COL_TINY_OPS_SHORT,      "short_kernels",  INT,  COUNT,   "kernels shorter than 20 us") \
	_(COL_TINY_OPS_IDLE,       "idle_before_ns", INT,  NS,      "time in which the device was idle and that ends with one of these kernels") \
	_(COL_TINY_OPS_LAUNCH_IDLE, "launch_idle_ns", INT, NS,     "of that, or of what held these kernels back: the cause is launch latency, see table idle") \
	_(COL_TINY_OPS_BOUND,      SHARED_LAUNCH_BOUND_NS) \
	_(COL_TINY_OPS_UNLAUNCHED, SHARED_NOT_LAUNCHED_NS) \
	_(COL_TINY_OPS_CALL,       SHARED_CALL_NS) \
	_(COL_TINY_OPS_SHARE,      SHARED_KERNEL_TIME_PCT) \
	_(COL_TINY_OPS_COUNTPCT,   SHARED_KERNELS_PCT)
/* clang-format on */
enum tiny_ops_column { TINY_OPS_COLUMNS(COLUMN_ID) };
#endif
