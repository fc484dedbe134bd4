/* model/analysis/ops/op_types_columns.h - the columns of the table op_types. */
#ifndef STEPSCOPE_OP_TYPES_COLUMNS_H
#define STEPSCOPE_OP_TYPES_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define OP_TYPES_COLUMNS(_) \
	_(COL_OP_TYPES_SIDE,        "host_or_device",    TEXT, NONE,    "where the ops ran") \
	_(COL_OP_TYPES_TYPE,        "type",              TEXT, NONE,    "kind of op; unknown: device work that belongs to no op") \
	_(COL_OP_TYPES_OPS,         "ops",               INT,  COUNT,   "ops of that type") \
	_(COL_OP_TYPES_OCCURRENCES, "occurrences",       INT,  COUNT,   "sum over its ops") \
	_(COL_OP_TYPES_TOTAL,       "total_time",        INT,  NS,      "sum over its ops") \
	_(COL_OP_TYPES_AVG,         "avg_time",          REAL, NS,      "total_time / occurrences") \
	_(COL_OP_TYPES_SELF,        "total_self_time",   INT,  NS,      "sum over its ops") \
	_(COL_OP_TYPES_SELF_PCT,    "self_time_percent", REAL, PERCENT, "share of the self time of all ops of that side") \
	_(COL_OP_TYPES_PIECES,      "pieces",            INT,  COUNT,   "kernels, copies and sets on devices; events on the host")
/* clang-format on */
enum op_types_column { OP_TYPES_COLUMNS(COLUMN_ID) };
#endif
