/* model/analysis/compiled/program_ops_columns.h - the columns of the table program_ops. */
#ifndef STEPSCOPE_PROGRAM_OPS_COLUMNS_H
#define STEPSCOPE_PROGRAM_OPS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define PROGRAM_OPS_COLUMNS(_) \
	_(COL_PROGRAM_OPS_PROGRAM,  "program",            TEXT, NONE,    "XLA module that the work belongs to, as recorded; on TPUs the module running on the device at that time; empty: work outside programs") \
	_(COL_PROGRAM_OPS_OP,       "op",                 TEXT, NONE,    "op of the framework, else instruction; empty: the trace names neither") \
	_(COL_PROGRAM_OPS_COUNT,    "program_op_work",    INT,  COUNT,   "kernels, copies and memsets of it that start inside the window") \
	_(COL_PROGRAM_OPS_TIME,     "program_op_ns",      INT,  NS,      "their time, without that of work inside them, clipped to the window") \
	_(COL_PROGRAM_OPS_SHARE,    "program_op_pct",     REAL, PERCENT, "share of the program's time") \
	_(COL_PROGRAM_OPS_ALL,      "program_device_pct", REAL, PERCENT, "share of the time of all work on devices")
/* clang-format on */
enum program_ops_column { PROGRAM_OPS_COLUMNS(COLUMN_ID) };
#endif
