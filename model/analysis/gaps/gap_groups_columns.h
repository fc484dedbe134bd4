/* model/analysis/gaps/gap_groups_columns.h - the columns of the table gap_groups. */
#ifndef STEPSCOPE_GAP_GROUPS_COLUMNS_H
#define STEPSCOPE_GAP_GROUPS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define GAP_GROUPS_COLUMNS(_) \
	_(COL_GAP_GROUPS_GROUP,             "gap_group",         INT,  ID,      "number in this list, most time lost first") \
	_(COL_GAP_GROUPS_SCOPE,             SHARED_SCOPE) \
	_(COL_GAP_GROUPS_DEVICE,            SHARED_DEVICE) \
	_(COL_GAP_GROUPS_PLACE,             "place",             TEXT, NONE,    "where it recurs: before which share of the steps, or between which kernels or copies on the device") \
	_(COL_GAP_GROUPS_COUNT,             "gaps",              INT,  COUNT,   "gaps in the group") \
	_(COL_GAP_GROUPS_POSSIBLE,                "possible_gaps",     INT,  COUNT,   "how many there could be: one per step of the window; between steps, one per transition on the device") \
	_(COL_GAP_GROUPS_AVG_NS,           "avg_ns",            INT,  NS,      "total_ns / gaps") \
	_(COL_GAP_GROUPS_TOTAL_NS,          "total_ns",          INT,  NS,      "length of all of them") \
	_(COL_GAP_GROUPS_CAUSE,             SHARED_CAUSE) \
	_(COL_GAP_GROUPS_MAIN_EVENT,        SHARED_MAIN_EVENT) \
	_(COL_GAP_GROUPS_PER_STEP,          "lost_per_step_ns",  INT,  NS,      "lost_ns / possible_gaps: time lost per step") \
	_(COL_GAP_GROUPS_K,                 "every_k",           INT,  COUNT,   "k of the what-if: the work in the gap runs only in every k-th step") \
	_(COL_GAP_GROUPS_PERIOD_NS,         SHARED_PERIOD_NS) \
	_(COL_GAP_GROUPS_PERIOD_EVERY_K_NS, "period_every_k_ns", INT,  NS,      "period_ns - lost_per_step_ns x (1 - 1/k)") \
	_(COL_GAP_GROUPS_SAVED_PCT,         "saved_pct",         REAL, PERCENT, "1 - period_every_k_ns / period_ns") \
	_(COL_GAP_GROUPS_LOST_NS,           SHARED_LOST_NS) \
	_(COL_GAP_GROUPS_CONFIDENCE,        SHARED_CONFIDENCE) \
	_(COL_GAP_GROUPS_WHAT,              SHARED_WHAT) \
	_(COL_GAP_GROUPS_ADVICE,            SHARED_ADVICE) \
	_(COL_GAP_GROUPS_LONGEST_GAP,       "longest_gap",       INT,  ID,      "number of that member: --gap N") \
	_(COL_GAP_GROUPS_RANK,              SHARED_RANK) \
	_(COL_GAP_GROUPS_HOST,              SHARED_HOST) \
	_(COL_GAP_GROUPS_MAIN_EVENT_NS,     SHARED_MAIN_EVENT_NS) \
	_(COL_GAP_GROUPS_CAUSE_NS,          SHARED_CAUSE_NS)
/* clang-format on */
enum gap_groups_column { GAP_GROUPS_COLUMNS(COLUMN_ID) };
#endif
