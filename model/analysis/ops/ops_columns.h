/* model/analysis/ops/ops_columns.h - the columns of the table ops. */
#ifndef STEPSCOPE_OPS_COLUMNS_H
#define STEPSCOPE_OPS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define OPS_COLUMNS(_) \
	_(COL_OPS_RANK,            "op_rank",                                   INT,  COUNT,   "rank: device ops by self time, then host ops by self time") \
	_(COL_OPS_SIDE,            SHARED_HOST_OR_DEVICE) \
	_(COL_OPS_TYPE,            SHARED_TYPE) \
	_(COL_OPS_OPERATION,       "operation",                                 TEXT, NONE,    "name of the op; (no op): device work that belongs to no op, its type says why") \
	_(COL_OPS_OCCURRENCES,     SHARED_OCCURRENCES) \
	_(COL_OPS_TOTAL,           SHARED_TOTAL_TIME) \
	_(COL_OPS_AVG,             SHARED_AVG_TIME) \
	_(COL_OPS_SELF,            SHARED_TOTAL_SELF_TIME) \
	_(COL_OPS_AVG_SELF,        "avg_self_time",                             REAL, NS,      "total_self_time / occurrences") \
	_(COL_OPS_DEVICE_PCT,      "device_total_self_time_percent",            REAL, PERCENT, "share of the self time of all device ops (--semantics xprof: of these and IDLE)") \
	_(COL_OPS_DEVICE_SUM,      "device_cumulative_total_self_time_percent", REAL, PERCENT, "that share summed over the rows") \
	_(COL_OPS_HOST_PCT,        "host_total_self_time_percent",              REAL, PERCENT, "share of the self time of all host ops (--semantics xprof: of these and IDLE)") \
	_(COL_OPS_HOST_SUM,        "Host_cumulative_total_self_time_percent",   REAL, PERCENT, "that share summed over the rows") \
	_(COL_OPS_FLOP_RATE,       "measured_flop_rate",                        REAL, FLOPS,   "operations per second of kernel time, from the shapes of the inputs or the compiled program; on devices, as far as these are recorded") \
	_(COL_OPS_MODEL_FLOP_RATE, "model_flop_rate",                           REAL, FLOPS,   "the same, counting only the operations that the op asks for, whatever else its kernels do") \
	_(COL_OPS_MEMORY_BW,       "measured_memory_bw",                        REAL, BYTES_PER_S,"memory traffic per second: inputs read once, results written once") \
	_(COL_OPS_INTENSITY,       "operational_intensity",                     REAL, NONE,    "operations per byte of that traffic") \
	_(COL_OPS_TENSORCORE,      "gpu_tensorcore_utilization",                REAL, PERCENT, "Tensor Core kernels / kernels of the op, by time, as far as names show") \
	_(COL_OPS_BOUND_BY,        SHARED_BOUND_BY) \
	_(COL_OPS_EAGER,           "eager",                                     TEXT, NONE,    "Eager: run op by op; Function: part of a graph or compiled function; unknown when the trace does not say") \
	_(COL_OPS_SELF_PCT,         SHARED_SELF_SHARE_PCT) \
	_(COL_OPS_PIECES,          SHARED_PIECES) \
	_(COL_OPS_RUNS_HERE,       "runs_here",                                 INT,  COUNT,   "occurrences that count for op placement: on the host those that call no other op and start no device work") \
	_(COL_OPS_SHAPE,           "shape",                                     TEXT, NONE,    "shapes of the tensors, of the first or the longest one") \
	_(COL_OPS_OPS,             SHARED_OPS) \
	_(COL_OPS_PLACEMENT,       SHARED_PLACEMENT) \
	_(COL_OPS_FLOPS,           SHARED_FLOPS) \
	_(COL_OPS_BYTES,           SHARED_BYTES) \
	_(COL_OPS_ROOFLINE,        "roofline_pct",                              REAL, PERCENT, "share of what the device can do at this intensity, see the table 'roofline'") \
	_(COL_OPS_ROOF_NOTE,       SHARED_ROOF_NOTE)
/* clang-format on */
enum ops_column { OPS_COLUMNS(COLUMN_ID) };
#endif
