/* model/analysis/ops/roofline_columns.h - the columns of the table roofline. */
#ifndef STEPSCOPE_ROOFLINE_COLUMNS_H
#define STEPSCOPE_ROOFLINE_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define ROOFLINE_COLUMNS(_) \
	_(COL_ROOFLINE_OP,         "op",            TEXT, NONE,    "name of the op (--by type, scope, module, shape, stack: of the group); (cost unknown): all work whose shapes or programs are not recorded") \
	_(COL_ROOFLINE_TYPE,       SHARED_TYPE) \
	_(COL_ROOFLINE_BOUND_BY,   SHARED_BOUND_BY) \
	_(COL_ROOFLINE_SHARE,      "roof_pct",      REAL, PERCENT, "share of the roof: operations per second / roof; without arithmetic: bytes per second / peak") \
	_(COL_ROOFLINE_TIME,       "time_ns",       INT,  NS,      "kernel time of the op, whole lengths of what starts in the window") \
	_(COL_ROOFLINE_ABOVE_ROOF,       "above_roof_ns", INT,  NS,      "time_ns - time at the roof: what a perfect kernel would save at most") \
	_(COL_ROOFLINE_RATE,       "flop_rate",     REAL, FLOPS,   "operations per second of kernel time; a multiply-add is two") \
	_(COL_ROOFLINE_ROOF,       "roof_flops",    REAL, FLOPS,   "operations per second that are possible: the smaller of peak_flops and intensity x memory_bytes_per_s") \
	_(COL_ROOFLINE_PEAK,       "peak_flops",    REAL, FLOPS,   "peak of the units its kernels ran on, by precision, dense; mean by time over kernels") \
	_(COL_ROOFLINE_BYTE_RATE,  "byte_rate",     REAL, BYTES_PER_S,"inputs read once and results written once, per second; above the peak where caches serve") \
	_(COL_ROOFLINE_PEAK_BYTES, "memory_bytes_per_s", REAL, BYTES_PER_S,"memory bandwidth of the device") \
	_(COL_ROOFLINE_INTENSITY,  "intensity",     REAL, NONE,    "operations per byte") \
	_(COL_ROOFLINE_RIDGE,      "ridge",         REAL, NONE,    "operations per byte from which arithmetic limits") \
	_(COL_ROOFLINE_FLOPS,      SHARED_FLOPS) \
	_(COL_ROOFLINE_BYTES,      SHARED_BYTES) \
	_(COL_ROOFLINE_RUNS,       SHARED_OCCURRENCES) \
	_(COL_ROOFLINE_NOTE,       SHARED_ROOF_NOTE)
/* clang-format on */
enum roofline_column { ROOFLINE_COLUMNS(COLUMN_ID) };
#endif
