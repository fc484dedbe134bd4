/* model/analysis/comms/collective_steps_columns.h - the columns of the table collective_steps: one row per step and device. */
#ifndef STEPSCOPE_COLLECTIVE_STEPS_COLUMNS_H
#define STEPSCOPE_COLLECTIVE_STEPS_COLUMNS_H
#include "comms_columns.h"

/* clang-format off */
#define COLLECTIVE_STEPS_COLUMNS(_) \
	_(COL_COLLECTIVE_STEPS_STEP,      SHARED_STEP) \
	_(COL_COLLECTIVE_STEPS_RANK,      SHARED_RANK) \
	_(COL_COLLECTIVE_STEPS_DEVICE,    SHARED_DEVICE) \
	_(COL_COLLECTIVE_STEPS_START,     "start_ns",           INT,  NS,      "start of the step time") \
	_(COL_COLLECTIVE_STEPS_DUR,       "dur_ns",             INT,  NS,      "step time, as in the table steps") \
	_(COL_COLLECTIVE_STEPS_CALLS,     "collective_calls",   INT,  COUNT,   "collectives of the step on this device") \
	_(COL_COLLECTIVE_STEPS_BYTES,     "step_message_bytes", INT,  BYTES,   "bytes of their messages; null where one is not recorded") \
	_(COL_COLLECTIVE_STEPS_SMALLEST,  "smallest_bytes",     INT,  BYTES,   "the smallest message") \
	_(COL_COLLECTIVE_STEPS_LARGEST,   "largest_bytes",      INT,  BYTES,   "the largest message") \
	_(COL_COLLECTIVE_STEPS_SUM,       "communication_ns",   INT,  NS,      "time of the collectives, summed") \
	_(COL_COLLECTIVE_STEPS_EXPOSED,   COMMS_EXPOSED) \
	_(COL_COLLECTIVE_STEPS_HIDDEN,    COMMS_HIDDEN) \
	_(COL_COLLECTIVE_STEPS_EXPOSED_BY, COMMS_EXPOSED_BY) \
	_(COL_COLLECTIVE_STEPS_BY_RANK,   "exposed_waiting_ns", INT,  NS,      "exposed until the last device of the call has started") \
	_(COL_COLLECTIVE_STEPS_BY_LINK,   "exposed_link_ns",    INT,  NS,      "exposed for longer than --link-bandwidth allows, in calls that take at least half as long again") \
	_(COL_COLLECTIVE_STEPS_BY_STREAM, "exposed_in_line_ns", INT,  NS,      "exposed because it runs on a stream that mostly computes, where nothing can run at the same time") \
	_(COL_COLLECTIVE_STEPS_BY_LATE,   "exposed_late_ns",    INT,  NS,      "exposed because it was launched when the device had already had no compute for a while: launched earlier, compute would have hidden it") \
	_(COL_COLLECTIVE_STEPS_BY_COMPUTE, "exposed_last_ns",   INT,  NS,      "exposed with no compute left: launched in time, but nothing computes at the same time") \
	_(COL_COLLECTIVE_STEPS_BY_UNTOLD, "exposed_untold_ns",  INT,  NS,      "exposed for reasons that one rank alone cannot show; these six add up to exposed_comms_ns") \
	_(COL_COLLECTIVE_STEPS_MOST,      "most_exposed",       TEXT, NONE,    "what the call that is exposed longest is part of, else its op: DDP bucket, FSDP gather, AllToAll, ...") \
	_(COL_COLLECTIVE_STEPS_MOST_DTYPE, "most_exposed_dtype", TEXT, NONE,   "type of the elements that it moves; null: not recorded") \
	_(COL_COLLECTIVE_STEPS_WAIT,      COMMS_WAIT) \
	_(COL_COLLECTIVE_STEPS_TRANSFER,  COMMS_TRANSFER) \
	_(COL_COLLECTIVE_STEPS_LATE,      "late_ns",            INT,  NS,      "how much later it started than the second-to-last device, summed over the calls at which it was last") \
	_(COL_COLLECTIVE_STEPS_EXPECTED,  COMMS_EXPECTED) \
	_(COL_COLLECTIVE_STEPS_TIMES,     "to_expected",        REAL, NONE,    "communication_ns without waiting / expected_ns") \
	_(COL_COLLECTIVE_STEPS_DTYPE,     "parameters_dtype",   TEXT, NONE,    "type of what is reduced, where --parameters x 4 stands for its bytes and an element has more or fewer than 4: expected_ns is wrong then; null: none, or it is not recorded") \
	_(COL_COLLECTIVE_STEPS_JOINING,   "joining_ns",         INT,  NS,      "work right before collectives whose op joins tensors: ConcatV2, aten::cat, ...") \
	_(COL_COLLECTIVE_STEPS_SPLITTING, "splitting_ns",       INT,  NS,      "work right after them whose op splits tensors: Split, split_with_sizes, ...") \
	_(COL_COLLECTIVE_STEPS_OVERHEAD,  "overhead_pct",       REAL, PERCENT, "joining_ns + exposed_ns + splitting_ns, share of the step") \
	_(COL_COLLECTIVE_STEPS_TWICE,     "overhead_at_twice_pct", REAL, PERCENT, "the same at twice the batch: forward and backward double, the rest stays; null where the phases are not known") \
	_(COL_COLLECTIVE_STEPS_COUNTED,   SHARED_COUNTED) \
	_(COL_COLLECTIVE_STEPS_HOST, SHARED_HOST) \
	_(COL_COLLECTIVE_STEPS_PHASE, SHARED_PHASE) \
	_(COL_COLLECTIVE_STEPS_BEHIND, "exposed_behind_ns", INT, NS, "of exposed_last_ns, what is more than on the rank that has least of it in the step, at most the waiting for other ranks that compute hides: had nobody been late, that compute would hide it; null as collective_wait_ns")
/* clang-format on */
enum { COLLECTIVE_STEPS_COLUMNS(COLUMN_ID) };
#endif
