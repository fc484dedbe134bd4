/* model/analysis/ops/op_tree_columns.h - the columns of the table op_tree. */
#ifndef STEPSCOPE_OP_TREE_COLUMNS_H
#define STEPSCOPE_OP_TREE_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define OP_TREE_COLUMNS(_) \
	_(COL_OP_TREE_NODE,         "node",            INT,  ID,      "number of the row's place in the tree") \
	_(COL_OP_TREE_PARENT,       "parent_node",     INT,  ID,      "place of the op that calls it; null at the top") \
	_(COL_OP_TREE_DEPTH,        SHARED_DEPTH) \
	_(COL_OP_TREE_TREE,         "tree",            TEXT, NONE,    "op, indented by its depth: a dot for each op around it") \
	_(COL_OP_TREE_CALLS,        "op_calls",        INT,  COUNT,   "calls that start in the window") \
	_(COL_OP_TREE_DEVICE_TOTAL, "device_total_ns", INT,  NS,      "device work that it and the ops in it launch in the window, at whole lengths wherever it runs") \
	_(COL_OP_TREE_DEVICE_SELF,  "device_self_ns",  INT,  NS,      "device work that no op inside it launches") \
	_(COL_OP_TREE_DEVICE_PCT,   "device_pct",      REAL, PERCENT, "device_total_ns / device work that ops launch in the window") \
	_(COL_OP_TREE_HOST_TOTAL,   "host_total_ns",   INT,  NS,      "time of its calls, clipped to the window") \
	_(COL_OP_TREE_HOST_SELF,    "host_self_ns",    INT,  NS,      "the same without the ops inside it") \
	_(COL_OP_TREE_LAUNCHES,     SHARED_LAUNCHES) \
	_(COL_OP_TREE_OP,           "op",              TEXT, NONE,    "op")
/* clang-format on */
enum op_tree_column { OP_TREE_COLUMNS(COLUMN_ID) };
#endif
