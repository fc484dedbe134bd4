/* model/analysis/kernels/kernels_columns.h - the columns of the table kernels. */
#ifndef STEPSCOPE_KERNELS_COLUMNS_H
#define STEPSCOPE_KERNELS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define KERNELS_COLUMNS(_) \
	_(COL_KERNELS_NAME,        COLUMN_NAME,       TEXT, NONE,    "kernel name") \
	_(COL_KERNELS_REGISTERS,   "registers",       INT,  NONE,    "registers per thread") \
	_(COL_KERNELS_SMEM,        "smem_bytes",      INT,  BYTES,   "static and dynamic shared memory per block") \
	_(COL_KERNELS_STATIC,      "static_smem_bytes", INT, BYTES, "of these, the part that the kernel declares; null where the trace has the sum only") \
	_(COL_KERNELS_DYNAMIC,     "dynamic_smem_bytes", INT, BYTES, "of these, the part that the launch asks for; null where the trace has the sum only") \
	_(COL_KERNELS_BLOCK,       "block",           TEXT, NONE,    "threads per block, x,y,z") \
	_(COL_KERNELS_GRID,        "grid",            TEXT, NONE,    "blocks, x,y,z") \
	_(COL_KERNELS_OCCUPANCY,   "occupancy_pct",   REAL, PERCENT, "threads on the multiprocessors as a share of those they can hold: as recorded (theoretical or estimated; mean weighted by duration, with the xprof rules the first one seen), else computed; see occupancy_by") \
	_(COL_KERNELS_ELIGIBLE,    "tc_eligible",     BOOL, NONE,    "the op could use Tensor Cores, by the rules file; null when they cannot tell") \
	_(COL_KERNELS_USES_TC,     "uses_tc",         BOOL, NONE,    "the kernel runs on Tensor Cores (matrix cores), by its name and the rules file; null when they cannot tell") \
	_(COL_KERNELS_PRECISION,   SHARED_PRECISION) \
	_(COL_KERNELS_OP,          "op",              TEXT, NONE,    "framework op that launched it") \
	_(COL_KERNELS_COUNT,       SHARED_KERNELS) \
	_(COL_KERNELS_TOTAL,       "total_ns",        INT,  NS,      "time inside the window (cut at its edges)") \
	_(COL_KERNELS_AVG,         "avg_ns",          INT,  NS,      "mean whole duration of the counted ones, rounded down") \
	_(COL_KERNELS_MIN,         "min_ns",          INT,  NS,      "shortest of the counted ones") \
	_(COL_KERNELS_MAX,         "max_ns",          INT,  NS,      "longest of the counted ones") \
	_(COL_KERNELS_SHARE,       SHARED_KERNEL_TIME_PCT) \
	_(COL_KERNELS_COLLECTIVE,  "collective",      BOOL, NONE,    "communication between devices, by the rules file") \
	_(COL_KERNELS_FAMILY,      SHARED_FAMILY) \
	_(COL_KERNELS_COPYING,     "copying",         TEXT, NONE,    "of a kernel that only moves values: what it changes about them (layout, conversion, concatenation, or nothing: copy), by its name, else its op; null: it does other work, or its name does not tell") \
	_(COL_KERNELS_P50,         "p50_ns",          INT,  NS,      "median whole duration of the counted ones (nearest rank)") \
	_(COL_KERNELS_P95,         "p95_ns",          INT,  NS,      "95 % of the counted ones take no longer than this") \
	_(COL_KERNELS_P99,         "p99_ns",          INT,  NS,      "99 % of the counted ones take no longer than this") \
	_(COL_KERNELS_PER_STEP,    SHARED_KERNELS_PER_STEP) \
	_(COL_KERNELS_BLOCKS_SM,   "blocks_per_sm",   REAL, NONE,    "blocks of the grid per multiprocessor of the device") \
	_(COL_KERNELS_WAVES,       "waves",           REAL, NONE,    "blocks of the grid / blocks that fit on the device at once") \
	_(COL_KERNELS_TAIL,        "tail_pct",        REAL, PERCENT, "share of the places for blocks that the last wave leaves empty") \
	_(COL_KERNELS_TAIL_LOSS,   "tail_loss_pct",   REAL, PERCENT, "the same, as a share of the places of all waves: the most that the tail can cost") \
	_(COL_KERNELS_THEORETICAL, "theoretical_pct", REAL, PERCENT, "occupancy with as many blocks as fit, by the rules of the compute capability, registers, shared memory and block size") \
	_(COL_KERNELS_OCC_BY,      "occupancy_by",    TEXT, NONE,    "where occupancy_pct comes from: given (recorded) or computed (theoretical, less where the grid is too small for the device)") \
	_(COL_KERNELS_LIMITED_BY,  "limited_by",      TEXT, NONE,    "what keeps a multiprocessor from taking more blocks: block size, registers, shared memory, blocks per SM; grid: too small for one wave; null: nothing") \
	_(COL_KERNELS_STREAM,      "on_streams",      TEXT, NONE,    "streams it runs on: the first ones; device:stream where the trace has several devices") \
	_(COL_KERNELS_STREAMS,     SHARED_STREAMS) \
	_(COL_KERNELS_GRAPH,       SHARED_GRAPH_PCT) \
	_(COL_KERNELS_TC_RULE,     "tc_rule",         TEXT, NONE,    "the rule behind uses_tc: rules file, line, how it matches the name") \
	_(COL_KERNELS_TC_TRUST,    "tc_confidence",   INT,  PERCENT, "how sure that rule is, as the rules file says")
/* clang-format on */
enum kernels_column { KERNELS_COLUMNS(COLUMN_ID) };
#endif
