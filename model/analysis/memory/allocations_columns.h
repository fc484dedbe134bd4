/* model/analysis/memory/allocations_columns.h - the columns of the table allocations: one row per block of memory. */
#ifndef STEPSCOPE_ALLOCATIONS_COLUMNS_H
#define STEPSCOPE_ALLOCATIONS_COLUMNS_H
#include "memory_shared.h"

/* clang-format off */
#define ALLOCATIONS_COLUMNS(_) \
	_(COL_ALLOCATIONS_EVENT,     "allocation",     INT,  ID,    "id of the event that allocates the block; null: before the trace") \
	_(COL_ALLOCATIONS_FREE,      "free",           INT,  ID,    "id of the event that frees it; null: none is recorded") \
	_(COL_ALLOCATIONS_RANK,      SHARED_RANK) \
	_(COL_ALLOCATIONS_DEVICE,    SHARED_DEVICE) \
	_(COL_ALLOCATIONS_ALLOCATOR, MEMORY_ALLOCATOR) \
	_(COL_ALLOCATIONS_STEP,      SHARED_STEP) \
	_(COL_ALLOCATIONS_GIVEN,     "given_at_ns",    INT,  NS,    "when it is allocated, from the first event of the trace; null: before the trace") \
	_(COL_ALLOCATIONS_TAKEN,     "taken_at_ns",    INT,  NS,    "when it is freed, or its address is allocated again; null: not in the trace") \
	_(COL_ALLOCATIONS_LIFE,      "alive_ns",       INT,  NS,    "from one to the other; null: one of them is not in the trace") \
	_(COL_ALLOCATIONS_BYTES,     "block_bytes",    INT,  BYTES, "size of the block, as the allocator counts it") \
	_(COL_ALLOCATIONS_ADDR,      "addr",           INT,  ID,    "address; null: not recorded") \
	_(COL_ALLOCATIONS_OP,        "block_op",       TEXT, NONE,  "op that it is for: as recorded, else the innermost op around it that does more than allocate") \
	_(COL_ALLOCATIONS_SHAPE,     "block_shape",    TEXT, NONE,  "shape, as recorded") \
	_(COL_ALLOCATIONS_TYPE,      "block_type",     TEXT, NONE,  "element type, as recorded") \
	_(COL_ALLOCATIONS_REGION,    "region",         TEXT, NONE,  "output, temp, persist, dynamic: as recorded") \
	_(COL_ALLOCATIONS_REQUESTED, "requested_bytes", INT, BYTES, "size that was asked for, before rounding up; null: not recorded") \
	_(COL_ALLOCATIONS_THREAD,    SHARED_THREAD) \
	_(COL_ALLOCATIONS_USED,      "used_bytes",     INT,  BYTES, "in use of the allocator's memory after it was allocated; of a block from before the trace after it was freed") \
	_(COL_ALLOCATIONS_RESERVED,  "reserved_bytes", INT,  BYTES, "what the allocator holds then, free blocks included; null: not recorded") \
	_(COL_ALLOCATIONS_HOST, SHARED_HOST)
/* clang-format on */

enum { ALLOCATIONS_COLUMNS(COLUMN_ID) };
#endif
