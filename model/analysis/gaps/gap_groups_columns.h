/* model/analysis/gaps/gap_groups_columns.h - the columns of the table gap_groups. */
#ifndef STEPSCOPE_GAP_GROUPS_COLUMNS_H
#define STEPSCOPE_GAP_GROUPS_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define GAP_GROUPS_COLUMNS(_) \
	_(COL_GAP_GROUPS_GROUP,             "gap_group",         INT,  ID,      "number in this list, the most time lost first") \
	_(COL_GAP_GROUPS_SCOPE,             "scope",             TEXT, NONE,    "step: between steps; device: inside steps, the 20,000 longest idle times of devices") \
	_(COL_GAP_GROUPS_DEVICE,            COLUMN_DEVICE, INT,  ID,      "GPU number; empty: between markers of steps without device work") \
	_(COL_GAP_GROUPS_PLACE,             "place",             TEXT, NONE,    "where it recurs: before which share of the steps, or between which works on the device") \
	_(COL_GAP_GROUPS_COUNT,             "count",             INT,  COUNT,   "gaps in the group") \
	_(COL_GAP_GROUPS_OF,                "of",                INT,  COUNT,   "steps of the window in which it could be: between steps the number of transitions on the device") \
	_(COL_GAP_GROUPS_MEAN_NS,           "mean_ns",           INT,  NS,      "total_ns / count") \
	_(COL_GAP_GROUPS_TOTAL_NS,          "total_ns",          INT,  NS,      "length of all of them") \
	_(COL_GAP_GROUPS_CAUSE,             "cause",             TEXT, NONE,    "the class that costs the members the most time; of device groups the 12 longest are judged") \
	_(COL_GAP_GROUPS_MAIN_EVENT,        "main_event",        TEXT, NONE,    "event with the most time of its own among those of the cause, in the longest member") \
	_(COL_GAP_GROUPS_PER_STEP,          "lost_per_step_ns",  INT,  NS,      "lost_ns / of: time lost per step") \
	_(COL_GAP_GROUPS_K,                 "every_k",           INT,  COUNT,   "k of the what-if: that work runs in every k-th step only") \
	_(COL_GAP_GROUPS_PERIOD_NS,         "period_ns",         INT,  NS,      "mean time from step to step on the device, in the window") \
	_(COL_GAP_GROUPS_PERIOD_EVERY_K_NS, "period_every_k_ns", INT,  NS,      "period_ns - lost_per_step_ns x (1 - 1/k)") \
	_(COL_GAP_GROUPS_SAVED_PCT,         "saved_pct",         REAL, PERCENT, "1 - period_every_k_ns / period_ns") \
	_(COL_GAP_GROUPS_LOST_NS,           "lost_ns",           INT,  NS,      "time that the verdict's events cost, over all members; empty: unknown") \
	_(COL_GAP_GROUPS_CONFIDENCE,        "confidence",        REAL, NONE,    "0 to 1: mean over the members judged") \
	_(COL_GAP_GROUPS_WHAT,              COLUMN_WHAT, TEXT, NONE,    "one sentence about the longest member") \
	_(COL_GAP_GROUPS_ADVICE,            COLUMN_ADVICE, TEXT, NONE,    "what to try, or what to record when nothing can be told") \
	_(COL_GAP_GROUPS_LONGEST_GAP,       "longest_gap",       INT,  ID,      "number of that member: --gap N") \
	_(COL_GAP_GROUPS_RANK,              COLUMN_RANK, INT,  ID,      "rank of the distributed job") \
	_(COL_GAP_GROUPS_HOST,              COLUMN_HOST, TEXT, NONE,    "host of the device") \
	_(COL_GAP_GROUPS_MAIN_EVENT_NS,     "main_event_ns",     INT,  NS,      "time of its own that the main event has in the longest member") \
	_(COL_GAP_GROUPS_CAUSE_NS,          "cause_ns",          INT,  NS,      "time of the longest member in events of the cause, which is a class; empty when unknown")
/* clang-format on */
enum gap_groups_column { GAP_GROUPS_COLUMNS(COLUMN_ID) };
#endif
