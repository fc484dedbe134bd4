/* model/analysis/ops/op_types_columns.h - the columns of the table op_types. */
#ifndef STEPSCOPE_OP_TYPES_COLUMNS_H
#define STEPSCOPE_OP_TYPES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define OP_TYPES_COLUMNS(_) \
	_(COL_OP_TYPES_SIDE,        SHARED_HOST_OR_DEVICE) \
	_(COL_OP_TYPES_TYPE,        SHARED_TYPE) \
	_(COL_OP_TYPES_OPS,         SHARED_OPS) \
	_(COL_OP_TYPES_OCCURRENCES, SHARED_OCCURRENCES) \
	_(COL_OP_TYPES_TOTAL,       SHARED_TOTAL_TIME) \
	_(COL_OP_TYPES_AVG,         SHARED_AVG_TIME) \
	_(COL_OP_TYPES_SELF,        SHARED_TOTAL_SELF_TIME) \
	_(COL_OP_TYPES_SELF_PCT,    SHARED_SELF_SHARE_PCT) \
	_(COL_OP_TYPES_PIECES,      SHARED_PIECES) \
	_(COL_OP_TYPES_PLACEMENT,   SHARED_PLACEMENT) \
	_(COL_OP_TYPES_HERE_OPS,    "placed_ops",     INT,  COUNT,   "host ops of the type that count for op placement: in steady steps, where there are any, they call no other op, start no device work, and lie in no tf.data pipeline") \
	_(COL_OP_TYPES_HERE_RUNS,   "placed_runs",    INT,  COUNT,   "their runs") \
	_(COL_OP_TYPES_HERE_SELF,   "placed_self_ns", INT,  NS,      "their self time") \
	_(COL_OP_TYPES_HERE_PCT,    "placed_pct",     REAL, PERCENT, "share of that in the self time of all ops in these steps, on devices and on the host")
/* clang-format on */
enum op_types_column { OP_TYPES_COLUMNS(COLUMN_ID) };
#endif
