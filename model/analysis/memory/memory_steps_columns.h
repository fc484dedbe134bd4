/* model/analysis/memory/memory_steps_columns.h - the columns of the table memory_steps: one row per step and allocator. */
#ifndef STEPSCOPE_MEMORY_STEPS_COLUMNS_H
#define STEPSCOPE_MEMORY_STEPS_COLUMNS_H
#include "memory_shared.h"

/* clang-format off */
#define MEMORY_STEPS_COLUMNS(_) \
	_(COL_MEMORY_STEPS_STEP,      SHARED_STEP) \
	_(COL_MEMORY_STEPS_RANK,      SHARED_RANK) \
	_(COL_MEMORY_STEPS_DEVICE,    SHARED_DEVICE) \
	_(COL_MEMORY_STEPS_ALLOCATOR, MEMORY_ALLOCATOR) \
	_(COL_MEMORY_STEPS_PEAK,      MEMORY_PEAK) \
	_(COL_MEMORY_STEPS_PEAK_AT,   MEMORY_PEAK_AT) \
	_(COL_MEMORY_STEPS_START,     MEMORY_START) \
	_(COL_MEMORY_STEPS_END,       MEMORY_END) \
	_(COL_MEMORY_STEPS_GROWN,     "grown_bytes",         INT,  BYTES, "end_used_bytes - start_used_bytes") \
	_(COL_MEMORY_STEPS_KEPT,      "kept_bytes",          INT,  BYTES, "blocks allocated in the step that are still in use two steps later; null: no two steps follow") \
	_(COL_MEMORY_STEPS_KEPT_OP,   "kept_op",             TEXT, NONE,  "op of the largest of them") \
	_(COL_MEMORY_STEPS_CONSTANT,  MEMORY_CONSTANT) \
	_(COL_MEMORY_STEPS_OWN,       "own_peak_bytes",      INT,  BYTES, "peak_bytes - constant_bytes: what lives inside the step") \
	_(COL_MEMORY_STEPS_COUNT,     MEMORY_COUNT) \
	_(COL_MEMORY_STEPS_FREES,     MEMORY_FREES) \
	_(COL_MEMORY_STEPS_ALLOCATED, MEMORY_ALLOCATED) \
	_(COL_MEMORY_STEPS_FREED,     "freed_bytes",         INT,  BYTES, "bytes of all blocks freed in it") \
	_(COL_MEMORY_STEPS_COUNTED,   SHARED_COUNTED) \
	_(COL_MEMORY_STEPS_HOST, SHARED_HOST)
/* clang-format on */

enum { MEMORY_STEPS_COLUMNS(COLUMN_ID) };
#endif
