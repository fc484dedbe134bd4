/* model/analysis/comms/replicas_columns.h - the columns of the table replicas: one row per device that works. */
#ifndef STEPSCOPE_REPLICAS_COLUMNS_H
#define STEPSCOPE_REPLICAS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define REPLICAS_COLUMNS(_) \
	_(COL_REPLICAS_RANK,        SHARED_RANK) \
	_(COL_REPLICAS_DEVICE,      SHARED_DEVICE) \
	_(COL_REPLICAS_STEPS,       "replica_steps",       INT,  COUNT,   "whole steps in the window that its means are taken over: the steady ones, where there are any") \
	_(COL_REPLICAS_STEP,        "step_time_ns",        REAL, NS,      "mean step time on this device") \
	_(COL_REPLICAS_OWN,         "own_time_ns",         REAL, NS,      "step time less the time that it waits in collectives, whether it computes meanwhile or not") \
	_(COL_REPLICAS_STEPS_NS,    "replica_steps_ns",    INT,  NS,      "time of those steps, summed") \
	_(COL_REPLICAS_STEPS_WAIT,  "replica_steps_wait_ns", INT, NS,     "time that it waits in collectives of those steps, summed") \
	_(COL_REPLICAS_COMPUTE,     "compute_per_step_ns", REAL, NS,      "mean time per step in which kernels other than collectives run, each moment once") \
	_(COL_REPLICAS_TO_MEAN,     "compute_to_mean",     REAL, NONE,    "compute_per_step_ns / its mean over the devices recorded together; the largest one is the imbalance; null where no other device was recorded at the same time") \
	_(COL_REPLICAS_KERNELS,     "own_kernels_per_step", REAL, NONE,   "kernels per step other than collectives") \
	_(COL_REPLICAS_CALLS,       "calls_per_step",      REAL, NONE,    "collectives per step") \
	_(COL_REPLICAS_BUSY,        SHARED_BUSY_NS) \
	_(COL_REPLICAS_OVERLAP,     "overlap_pct",         REAL, PERCENT, "share of busy_ns in which another device works too; 0: the devices take turns; null as compute_to_mean") \
	_(COL_REPLICAS_MATCHED,     "matched_calls",       INT,  COUNT,   "collectives whose call is also found on other devices") \
	_(COL_REPLICAS_WAIT,        "collective_wait_ns",  INT,  NS,      "time it waited in those for devices that started later") \
	_(COL_REPLICAS_LAST,        "last_at",             INT,  COUNT,   "how often it started last in those calls and others waited") \
	_(COL_REPLICAS_WAITED_FOR,  "waited_for_ns",       INT,  NS,      "how long the others waited for it then, summed") \
	_(COL_REPLICAS_LATE_BY,     "late_by_ns",          INT,  NS,      "how much later than the second-to-last device it started then, summed") \
	_(COL_REPLICAS_BECAUSE,     "late_because",        TEXT, NONE,    "what it spends longer on than the mean of the others before those calls (the 256 calls with the most waiting, or as many as have 4,096 members); null: nothing explains half of its lateness") \
	_(COL_REPLICAS_BECAUSE_NS,  "late_because_ns",     REAL, NS,      "how much longer, summed over the calls judged") \
	_(COL_REPLICAS_HOST, SHARED_HOST) \
	_(COL_REPLICAS_JUDGED, "judged_calls", INT, COUNT, "calls at which it was last, over which late_because_ns is summed") \
	_(COL_REPLICAS_STEPS_EXPOSED, "replica_steps_exposed_ns", INT, NS, "the part of replica_steps_wait_ns in which it runs no kernel that computes") \
	_(COL_REPLICAS_EXPOSED, "exposed_wait_ns", INT, NS, "the part of collective_wait_ns in which it runs no kernel that computes: what waiting costs") \
	_(COL_REPLICAS_BECAUSE_IN, "late_because_in", TEXT, NONE, "where what it does longer is its host's: the event that holds most of it at a stretch; null: none is known") \
	_(COL_REPLICAS_ALONE, "late_alone_ns", INT, NS, "of waited_for_ns, what the others would not have waited, had it started with the last but one") \
	_(COL_REPLICAS_PACE, "kernel_pace", REAL, NONE, "time of its kernels / what the same ones take on average on the other devices; the same: in name, launch shape and number per step, of four steps; asked of the device that computes longest and of the one that is waited for longest; null: not asked, or less than nine tenths of its kernel time is in such kernels") \
	_(COL_REPLICAS_EVEN, "even_pace_pct", REAL, PERCENT, "share of that time in kernels that take longer by a like factor, half to twice as much; null as kernel_pace, or where fewer than three kinds of kernels tell")
/* clang-format on */
enum { REPLICAS_COLUMNS(COLUMN_ID) };
#endif
