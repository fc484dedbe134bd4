/* model/analysis/memory/memory_peak_columns.h - the columns of the table memory_peak: one row per allocator and group of blocks. */
#ifndef STEPSCOPE_MEMORY_PEAK_COLUMNS_H
#define STEPSCOPE_MEMORY_PEAK_COLUMNS_H
#include "memory_shared.h"

/* clang-format off */
#define MEMORY_PEAK_COLUMNS(_) \
	_(COL_MEMORY_PEAK_RANK,      SHARED_RANK) \
	_(COL_MEMORY_PEAK_DEVICE,    SHARED_DEVICE) \
	_(COL_MEMORY_PEAK_ALLOCATOR, MEMORY_ALLOCATOR) \
	_(COL_MEMORY_PEAK_GROUP,     "blocks_of",     TEXT, NONE,    "the op that allocated the blocks; with --by their size, step, life (this step, earlier steps), element type, phase or region; without blocks: what was there before the trace, or outside the heap") \
	_(COL_MEMORY_PEAK_BYTES,     "in_use_bytes",  INT,  BYTES,   "bytes of these blocks at the peak of the window") \
	_(COL_MEMORY_PEAK_SHARE,     "in_use_pct",    REAL, PERCENT, "share of the peak") \
	_(COL_MEMORY_PEAK_BLOCKS,    "blocks",        INT,  COUNT,   "how many; null: not known one by one") \
	_(COL_MEMORY_PEAK_LARGEST,   "largest_block_bytes", INT,  BYTES,   "largest of them") \
	_(COL_MEMORY_PEAK_AGE,       "oldest_ns",     INT,  NS,      "how long the oldest of them has been in use then") \
	_(COL_MEMORY_PEAK_WHEN,      MEMORY_PEAK_AT) \
	_(COL_MEMORY_PEAK_HOST, SHARED_HOST)
/* clang-format on */

enum { MEMORY_PEAK_COLUMNS(COLUMN_ID) };
#endif
