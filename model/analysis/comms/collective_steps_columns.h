/* model/analysis/comms/collective_steps_columns.h - the columns of the table collective_steps: one row per step and device. */
#ifndef STEPSCOPE_COLLECTIVE_STEPS_COLUMNS_H
#define STEPSCOPE_COLLECTIVE_STEPS_COLUMNS_H
#include "comms_columns.h"

/* clang-format off */
#define COLLECTIVE_STEPS_COLUMNS(_) \
	_(COL_COLLECTIVE_STEPS_STEP,      SHARED_STEP) \
	_(COL_COLLECTIVE_STEPS_RANK,      SHARED_RANK) \
	_(COL_COLLECTIVE_STEPS_DEVICE,    SHARED_DEVICE) \
	_(COL_COLLECTIVE_STEPS_START,     "start_ns",           INT,  NS,      "begin of the step time") \
	_(COL_COLLECTIVE_STEPS_DUR,       "dur_ns",             INT,  NS,      "step time, as in the table steps") \
	_(COL_COLLECTIVE_STEPS_CALLS,     "collective_calls",   INT,  COUNT,   "collectives of the step on this device") \
	_(COL_COLLECTIVE_STEPS_BYTES,     "step_message_bytes", INT,  BYTES,   "bytes of their messages; null where one is not told") \
	_(COL_COLLECTIVE_STEPS_SMALLEST,  "smallest_bytes",     INT,  BYTES,   "the smallest message") \
	_(COL_COLLECTIVE_STEPS_LARGEST,   "largest_bytes",      INT,  BYTES,   "the largest message") \
	_(COL_COLLECTIVE_STEPS_SUM,       "communication_ns",   INT,  NS,      "time of the collectives, added up") \
	_(COL_COLLECTIVE_STEPS_EXPOSED,   COMMS_EXPOSED) \
	_(COL_COLLECTIVE_STEPS_HIDDEN,    COMMS_HIDDEN) \
	_(COL_COLLECTIVE_STEPS_WAIT,      COMMS_WAIT) \
	_(COL_COLLECTIVE_STEPS_TRANSFER,  COMMS_TRANSFER) \
	_(COL_COLLECTIVE_STEPS_LATE,      "late_ns",            INT,  NS,      "by how much it started after the last but one at calls at which it was last, added up") \
	_(COL_COLLECTIVE_STEPS_EXPECTED,  COMMS_EXPECTED) \
	_(COL_COLLECTIVE_STEPS_TIMES,     "to_expected",        REAL, NONE,    "communication_ns without waiting / expected_ns") \
	_(COL_COLLECTIVE_STEPS_JOINING,   "joining_ns",         INT,  NS,      "work right before collectives whose op joins tensors: ConcatV2, aten::cat, ...") \
	_(COL_COLLECTIVE_STEPS_SPLITTING, "splitting_ns",       INT,  NS,      "work right behind them whose op splits tensors: Split, split_with_sizes, ...") \
	_(COL_COLLECTIVE_STEPS_OVERHEAD,  "overhead_pct",       REAL, PERCENT, "joining_ns + exposed_ns + splitting_ns, share of the step") \
	_(COL_COLLECTIVE_STEPS_TWICE,     "overhead_at_twice_pct", REAL, PERCENT, "the same at twice the batch: forward and backward double, the rest stays; null where nothing tells the phases")
/* clang-format on */
enum { COLLECTIVE_STEPS_COLUMNS(COLUMN_ID) };
#endif
