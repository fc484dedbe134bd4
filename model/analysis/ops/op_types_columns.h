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
	_(COL_OP_TYPES_PIECES,      SHARED_PIECES)
/* clang-format on */
enum op_types_column { OP_TYPES_COLUMNS(COLUMN_ID) };
#endif
