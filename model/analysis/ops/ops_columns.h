/* model/analysis/ops/ops_columns.h - the columns of the table ops. */
#ifndef STEPSCOPE_OPS_COLUMNS_H
#define STEPSCOPE_OPS_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define OPS_COLUMNS(_) \
	_(COL_OPS_RANK,            COLUMN_RANK, INT,  COUNT,   "place: device ops by self time, then host ops by self time") \
	_(COL_OPS_SIDE,            "host_or_device",                            TEXT, NONE,    "Device: work that ran on devices, by the op it belongs to; Host: events of host threads") \
	_(COL_OPS_TYPE,            "type",                                      TEXT, NONE,    "kind of op (MatMul)") \
	_(COL_OPS_OPERATION,       "operation",                                 TEXT, NONE,    "name of the op; (no op): device work that belongs to no op") \
	_(COL_OPS_OCCURRENCES,     "occurrences",                               INT,  COUNT,   "how often it starts inside the window; on devices: launching ops, else runs of its most frequent kernel") \
	_(COL_OPS_TOTAL,           "total_time",                                INT,  NS,      "sum of its time, nested ops included, clipped to the window") \
	_(COL_OPS_AVG,             "avg_time",                                  REAL, NS,      "total_time / occurrences") \
	_(COL_OPS_SELF,            "total_self_time",                           INT,  NS,      "its time without the ops nested in it; on devices the self times of a stream add up to its busy time") \
	_(COL_OPS_AVG_SELF,        "avg_self_time",                             REAL, NS,      "total_self_time / occurrences") \
	_(COL_OPS_DEVICE_PCT,      "device_total_self_time_percent",            REAL, PERCENT, "share of the self time of all device ops (--semantics xprof: of these and IDLE)") \
	_(COL_OPS_DEVICE_SUM,      "device_cumulative_total_self_time_percent", REAL, PERCENT, "that share added up over the rows") \
	_(COL_OPS_HOST_PCT,        "host_total_self_time_percent",              REAL, PERCENT, "share of the self time of all host ops (--semantics xprof: of these and IDLE)") \
	_(COL_OPS_HOST_SUM,        "Host_cumulative_total_self_time_percent",   REAL, PERCENT, "that share added up over the rows") \
	_(COL_OPS_FLOP_RATE,       "measured_flop_rate",                        REAL, FLOPS,   "operations per second of kernel time, by the shapes of the inputs or the compiled program; on devices, as far as these are recorded") \
	_(COL_OPS_MODEL_FLOP_RATE, "model_flop_rate",                           REAL, FLOPS,   "the same: operations that the op asks for, whatever its kernels do beside") \
	_(COL_OPS_MEMORY_BW,       "measured_memory_bw",                        REAL, BYTES_PER_S,"memory traffic per second: inputs read once, results written once") \
	_(COL_OPS_INTENSITY,       "operational_intensity",                     REAL, NONE,    "operations per byte of that traffic") \
	_(COL_OPS_TENSORCORE,      "gpu_tensorcore_utilization",                REAL, PERCENT, "Tensor Core kernels / kernels of the op, by time, as far as names tell") \
	_(COL_OPS_BOUND_BY,        "bound_by",                                  TEXT, NONE,    "what limits it at its operations per byte: Compute or HBM (memory); Unknown without operations, traffic or the device's peaks") \
	_(COL_OPS_EAGER,           "eager",                                     TEXT, NONE,    "Eager: run op by op; Function: part of a graph or compiled function; unknown when the trace does not tell") \
	_(COL_OPS_NO_IDLE,         "share_pct",                                 REAL, PERCENT, "share of the self time of all ops of its side, IDLE left out (with --idle: of these and IDLE)") \
	_(COL_OPS_PIECES,          "pieces",                                    INT,  COUNT,   "kernels, copies and sets on devices; events on the host") \
	_(COL_OPS_RUNS_HERE,       "runs_here",                                 INT,  COUNT,   "occurrences that count for op placement: on the host those that call no other op and start no device work") \
	_(COL_OPS_SHAPE,           "shape",                                     TEXT, NONE,    "shapes of the tensors, of the first or the longest one") \
	_(COL_OPS_OPS,             "ops",                                       INT,  COUNT,   "different ops in the group (--by type, scope, module, shape, stack); 1 by op") \
	_(COL_OPS_PLACEMENT,       "placement",                                 TEXT, NONE,    "of ops that run on the host: compute-intensive (should run on a device), host only (no device has a kernel for it); null for others") \
	_(COL_OPS_FLOPS,           "flops",                                     REAL, COUNT,   "operations in all, as far as known; a multiply-add is two") \
	_(COL_OPS_BYTES,           "bytes",                                     REAL, BYTES,   "memory traffic in all, as far as known") \
	_(COL_OPS_ROOFLINE,        "roofline_pct",                              REAL, PERCENT, "share of what the device can do at this intensity, see the table 'roofline'")
/* clang-format on */
enum ops_column { OPS_COLUMNS(COLUMN_ID) };
#endif
