/* model/analysis/memory/memory_curve_columns.h - the columns of the table memory_curve: memory in use over time. */
#ifndef STEPSCOPE_MEMORY_CURVE_COLUMNS_H
#define STEPSCOPE_MEMORY_CURVE_COLUMNS_H
#include "memory_shared.h"

enum { CURVE_POINTS = 480 }; /* per allocator: screens and reports have fewer columns */
/* clang-format off */
#define MEMORY_CURVE_COLUMNS(_) \
	_(COL_MEMORY_CURVE_RANK,      SHARED_RANK) \
	_(COL_MEMORY_CURVE_DEVICE,    SHARED_DEVICE) \
	_(COL_MEMORY_CURVE_ALLOCATOR, MEMORY_ALLOCATOR) \
	_(COL_MEMORY_CURVE_START,     "start_ns",       INT, NS,    "start of one of 480 equal parts of the window") \
	_(COL_MEMORY_CURVE_DUR,       "dur_ns",         INT, NS,    "its length") \
	_(COL_MEMORY_CURVE_USED,      "most_used_bytes", INT, BYTES, "most memory in use in it, what was in use at its start included") \
	_(COL_MEMORY_CURVE_RESERVED,  "held_bytes",     INT, BYTES, "what the allocator held at its end, free blocks included; null: not recorded") \
	_(COL_MEMORY_CURVE_PHASE,     "curve_phase",    TEXT, NONE, "forward, backward, optimizer: what the host does at the allocation or free after which most is in use; null: the names around it do not tell, or there is none") \
	_(COL_MEMORY_CURVE_CAPACITY,  "capacity_bytes", INT, BYTES, MEMORY_CAPACITY_HELP) \
	_(COL_MEMORY_CURVE_HOST, SHARED_HOST)
/* clang-format on */

enum { MEMORY_CURVE_COLUMNS(COLUMN_ID) };
#endif
