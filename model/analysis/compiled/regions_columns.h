/* model/analysis/compiled/regions_columns.h - the columns of the table compiled_regions. */
#ifndef STEPSCOPE_REGIONS_COLUMNS_H
#define STEPSCOPE_REGIONS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define COMPILED_REGIONS_COLUMNS(_) \
	_(COL_COMPILED_REGIONS_REGION,   "compiled_region", TEXT, NONE,    "frame that Dynamo compiled / how often it was compiled before; empty: not recorded") \
	_(COL_COMPILED_REGIONS_CALLER,   "called_by_region", TEXT, NONE,    "the region that calls it, whose graph breaks there; empty: none") \
	_(COL_COMPILED_REGIONS_FUNCTION, "region_function", TEXT, NONE,    "outermost Python function inside it that is not part of PyTorch, where frames are recorded") \
	_(COL_COMPILED_REGIONS_RANK,     SHARED_RANK) \
	_(COL_COMPILED_REGIONS_CALLS,    "region_calls",    INT,  COUNT,   "calls that begin inside the window") \
	_(COL_COMPILED_REGIONS_TIME,     "region_ns",       INT,  NS,      "their time, the regions inside them included") \
	_(COL_COMPILED_REGIONS_BREAKS,   "graph_breaks",    INT,  COUNT,   "regions that these call: each is a place where the compiled graph ends and another one goes on") \
	_(COL_COMPILED_REGIONS_GRAPHS,   "graph_calls",     INT,  COUNT,   "calls of compiled graphs in it, outside regions inside it") \
	_(COL_COMPILED_REGIONS_GRAPH_NS, "graph_ns",        INT,  NS,      "their time on the host") \
	_(COL_COMPILED_REGIONS_OPS,      "eager_ops",       INT,  COUNT,   "ops in it that no compiled graph runs, and that lie in no other op") \
	_(COL_COMPILED_REGIONS_EAGER_NS, "eager_ns",        INT,  NS,      "their time on the host") \
	_(COL_COMPILED_REGIONS_EAGER,    "longest_eager",   TEXT, NONE,    "the longest of them") \
	_(COL_COMPILED_REGIONS_COMPILE,  "compile_ns",      INT,  NS,      "time in which Dynamo compiles inside it") \
	_(COL_COMPILED_REGIONS_WORK,     "graph_device_work", INT, COUNT,  "kernels, copies and memsets that its compiled graphs launch") \
	_(COL_COMPILED_REGIONS_DEVICE,   "graph_device_ns", INT,  NS,      "their time on the device") \
	_(COL_COMPILED_REGIONS_EAGER_DEVICE, "eager_device_ns", INT, NS,   "time on the device of what its eager ops launch")
/* clang-format on */
enum compiled_regions_column { COMPILED_REGIONS_COLUMNS(COLUMN_ID) };
#endif
