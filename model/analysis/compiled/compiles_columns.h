/* model/analysis/compiled/compiles_columns.h - the columns of the table compiles. */
#ifndef STEPSCOPE_COMPILES_COLUMNS_H
#define STEPSCOPE_COMPILES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define COMPILES_COLUMNS(_) \
	_(COL_COMPILES_COMPILER,           "compiler",       TEXT, NONE,    "xla, inductor (torch.compile), triton, tf_function (tracing), nvrtc (and module loading), jax_trace") \
	_(COL_COMPILES_NAME,           COLUMN_NAME,      TEXT, NONE,    "outermost event of the compilation on its thread") \
	_(COL_COMPILES_STEP,           SHARED_STEP) \
	_(COL_COMPILES_START_NS,       "start_ns",       INT,  NS,      "when it began") \
	_(COL_COMPILES_DUR_NS,         "dur_ns",         INT,  NS,      "how long it took, inside the window") \
	_(COL_COMPILES_AFTER_WARMUP,   "after_warmup",   BOOL, NONE,    "it began after the last warm-up step of its host (of few steps: after the second); unknown without steps") \
	_(COL_COMPILES_SHAPE,          "compiled_shape", TEXT, NONE,    "shapes it was compiled for, where recorded") \
	_(COL_COMPILES_PREVIOUS_SHAPE, "previous_shape", TEXT, NONE,    "shapes of the compilation of that name before it") \
	_(COL_COMPILES_REGION,         "compiled_region", TEXT, NONE,    "frame that Dynamo compiled / how often it was compiled before; empty: not recorded") \
	_(COL_COMPILES_TRACES,         "tracing_ns",     INT,  NS,      "torch.compile: reading bytecode and building guards; with the next three all of its time") \
	_(COL_COMPILES_LOWERS,         "lowering_ns",    INT,  NS,      "torch.compile: turning the graph into kernels") \
	_(COL_COMPILES_BUILDS,         "build_ns",       INT,  NS,      "torch.compile: compiling and loading the kernels, Triton's just in time included") \
	_(COL_COMPILES_TUNES,          "autotune_ns",    INT,  NS,      "torch.compile: trying which of several kernels is fastest") \
	_(COL_COMPILES_THREAD,         SHARED_THREAD) \
	_(COL_COMPILES_EVENT,          "event",          INT,  ID,      "id of the event")
/* clang-format on */
enum compiles_column { COMPILES_COLUMNS(COLUMN_ID) };
#endif
