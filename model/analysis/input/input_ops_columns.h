/* model/analysis/input/input_ops_columns.h - the columns of the table input_ops. */
#ifndef STEPSCOPE_INPUT_OPS_COLUMNS_H
#define STEPSCOPE_INPUT_OPS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define INPUT_OPS_COLUMNS(_) \
	_(COL_INPUT_OPS_OP,        "op",        TEXT, NONE,    "name of the op or stage") \
	_(COL_INPUT_OPS_COUNT,     SHARED_OCCURRENCES) \
	_(COL_INPUT_OPS_TOTAL_NS,  "total_ns",  INT,  NS,      "sum of its time over all host threads") \
	_(COL_INPUT_OPS_TOTAL_PCT, "total_pct", REAL, PERCENT, "total_ns / sum of the self times of all input ops; nested ops bring the sum above 100") \
	_(COL_INPUT_OPS_SELF_NS,   SHARED_SELF_NS) \
	_(COL_INPUT_OPS_SELF_PCT,  "self_pct",  REAL, PERCENT, "self_ns / sum of the self times of all input ops, waits aside") \
	_(COL_INPUT_OPS_CATEGORY,  "category",  TEXT, NONE,    "Enqueue, Demanded file read, Advanced file read, Preprocessing, Unclassified, Not recorded; Wait: it suffers from the others")
/* clang-format on */
enum input_ops_column { INPUT_OPS_COLUMNS(COLUMN_ID) };
#endif
