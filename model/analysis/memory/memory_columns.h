/* model/analysis/memory/memory_columns.h - the columns of the table memory: one row per device and allocator. */
#ifndef STEPSCOPE_MEMORY_COLUMNS_H
#define STEPSCOPE_MEMORY_COLUMNS_H
#include "memory_shared.h"

/* clang-format off */
#define MEMORY_COLUMNS(_) \
	_(COL_MEMORY_RANK,        SHARED_RANK) \
	_(COL_MEMORY_DEVICE,      SHARED_DEVICE) \
	_(COL_MEMORY_ALLOCATOR,   MEMORY_ALLOCATOR) \
	_(COL_MEMORY_PEAK,        MEMORY_PEAK) \
	_(COL_MEMORY_PEAK_AT,     MEMORY_PEAK_AT) \
	_(COL_MEMORY_PEAK_STEP,   "peak_step",            TEXT, NONE,    "step in which that is; null: outside steps") \
	_(COL_MEMORY_PEAK_PHASE,  "peak_phase",           TEXT, NONE,    "forward, backward, optimizer: what the host does then, by the names around the allocation; null: they do not say") \
	_(COL_MEMORY_PEAK_OP,     "peak_op",              TEXT, NONE,    "op whose allocation makes the peak") \
	_(COL_MEMORY_RESERVED,    "reserved_peak_bytes",  INT,  BYTES,   "most that the allocator held, free blocks included; null: not recorded") \
	_(COL_MEMORY_UNUSED,      "reserved_unused_pct",  REAL, PERCENT, "share of what the allocator holds at the peak that is unused") \
	_(COL_MEMORY_CAPACITY,    "capacity_bytes",       INT,  BYTES,   MEMORY_CAPACITY_HELP) \
	_(COL_MEMORY_PEAK_PCT,    "peak_pct",             REAL, PERCENT, "peak_bytes / capacity_bytes") \
	_(COL_MEMORY_FRAGMENTATION, "fragmentation_pct",  REAL, PERCENT, "1 - largest free block / free bytes at the peak, as recorded; null: not recorded") \
	_(COL_MEMORY_LARGEST_FREE, "largest_free_bytes",  INT,  BYTES,   "largest free block at the peak, by fragmentation and free bytes") \
	_(COL_MEMORY_CHURN_CALLS, "churn_calls",          INT,  COUNT,   "calls that ask the driver for memory or return it (cudaMalloc, hipFree, ...); on the row of the only device at work") \
	_(COL_MEMORY_CHURN,       "churn_ns",             INT,  NS,      "time of these calls in the window") \
	_(COL_MEMORY_STEADY_CALLS, "steady_churn_calls",  INT,  COUNT,   "those in steps that count") \
	_(COL_MEMORY_STEADY_CHURN, "steady_churn_ns",     INT,  NS,      "time of those") \
	_(COL_MEMORY_STEPS,       "counted_steps",        INT,  COUNT,   "steps that count for the next columns: the steady ones, where phases are known") \
	_(COL_MEMORY_GROWTH,      "growth_bytes_per_step", REAL, BYTES,  "from the end of the first of these steps to the end of the last, per step; null: fewer than two") \
	_(COL_MEMORY_LATE_GROWTH, "late_growth_bytes_per_step", REAL, BYTES, "the same from the middle one of these steps on: 0 where something filled up at first and stays") \
	_(COL_MEMORY_KEEPING,     "keeping_steps",        INT,  COUNT,   "how many of these steps have blocks that outlive two more steps") \
	_(COL_MEMORY_TELLING,     "telling_steps",        INT,  COUNT,   "how many of these steps are followed by at least two more") \
	_(COL_MEMORY_GROWTH_OP,   "growth_op",            TEXT, NONE,    "op of the largest of those blocks") \
	_(COL_MEMORY_CONSTANT,    MEMORY_CONSTANT) \
	_(COL_MEMORY_PER_BATCH,   "per_batch_bytes",      INT,  BYTES,   "the highest peak of these steps above their constant bytes: assumed to grow with the batch") \
	_(COL_MEMORY_HEADROOM,    "headroom_batch",       REAL, NONE,    "how many times larger the batch could be: (capacity_bytes - constant_bytes) / per_batch_bytes; null: capacity, steps or totals are not recorded") \
	_(COL_MEMORY_START,       MEMORY_START) \
	_(COL_MEMORY_END,         MEMORY_END) \
	_(COL_MEMORY_COUNT,       MEMORY_COUNT) \
	_(COL_MEMORY_FREES,       MEMORY_FREES) \
	_(COL_MEMORY_ALLOCATED,   MEMORY_ALLOCATED) \
	_(COL_MEMORY_UNKNOWN,     "unknown_frees",        INT,  COUNT,   "frees in the trace of blocks whose allocation is not recorded") \
	_(COL_MEMORY_AGAIN,       "given_again",          INT,  COUNT,   "addresses allocated again in the trace without a recorded free") \
	_(COL_MEMORY_DIFFERENCES, "total_differences",    INT,  COUNT,   "recorded totals that are not the previous one plus the block's bytes: events are missing, or in another order; null: no totals are recorded, and what was in use before the trace is not known") \
	_(COL_MEMORY_MATCHED,     "matched_by",           TEXT, NONE,    "how a free finds its block: address; or size, where no addresses are recorded: a free ends the latest block of its size") \
	_(COL_MEMORY_HOST, SHARED_HOST)
/* clang-format on */

enum { MEMORY_COLUMNS(COLUMN_ID) };
#endif
