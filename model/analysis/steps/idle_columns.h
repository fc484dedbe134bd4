/* model/analysis/steps/idle_columns.h - the columns of the table idle: between the two lists stand those of the causes, first
 * their times, then their shares. */
#ifndef STEPSCOPE_IDLE_COLUMNS_H
#define STEPSCOPE_IDLE_COLUMNS_H
#include "idle.h"
#include "model/shared_columns.h"

/* clang-format off */
#define IDLE_COLUMNS(_) \
	_(COL_IDLE_STEP,       SHARED_STEP) \
	_(COL_IDLE_RANK,       SHARED_RANK) \
	_(COL_IDLE_DEVICE,     SHARED_DEVICE) \
	_(COL_IDLE_START_NS,   "start_ns",   INT,  NS,      "start of the step time, as in the table of steps") \
	_(COL_IDLE_DUR_NS,     "dur_ns",     INT,  NS,      "step time, as in the table of steps") \
	_(COL_IDLE_IDLE_NS,    SHARED_IDLE_NS) \
	_(COL_IDLE_IDLE_PCT,   SHARED_IDLE_PCT)
#define IDLE_MORE_COLUMNS(_) \
	_(COL_IDLE_INTERVALS,  "intervals",  INT,  COUNT,   "idle times, those at the edges of the step included") \
	_(COL_IDLE_LONGEST_NS, "longest_ns", INT,  NS,      "the longest of them") \
	_(COL_IDLE_WORK_SPAN,  "work_span",  INT,  NS,      "from the first to the last work of the step on the device, inside the window") \
	_(COL_IDLE_HOST,       SHARED_HOST) \
	_(COL_IDLE_CUT,        SHARED_CUT) \
	_(COL_IDLE_COUNTED,    SHARED_COUNTED)
/* clang-format on */
enum idle_column {
	IDLE_COLUMNS(COLUMN_ID) COL_IDLE_PART_NS,
	COL_IDLE_PART_PCT = COL_IDLE_PART_NS + CAUSE_COUNT,
	COL_IDLE_LAST_PART_PCT = COL_IDLE_PART_PCT + CAUSE_COUNT - 1,
	IDLE_MORE_COLUMNS(COLUMN_ID)
};
#endif
