/* model/analysis/steps/idle_columns.h - the columns of the table idle: between the two lists stand those of the causes, first
 * their times, then their shares. */
#ifndef STEPSCOPE_IDLE_COLUMNS_H
#define STEPSCOPE_IDLE_COLUMNS_H
#include "idle.h"
#include "model/columns.h"

/* clang-format off */
#define IDLE_COLUMNS(_) \
	_(COL_IDLE_STEP,       "step",       TEXT, NONE,    "the step's number; all: from the first device work of the trace to the end of the last, what lies between steps included") \
	_(COL_IDLE_RANK,       COLUMN_RANK, INT,  ID,      "rank of the distributed job") \
	_(COL_IDLE_DEVICE,     COLUMN_DEVICE, INT,  ID,      "GPU number") \
	_(COL_IDLE_START_NS,   "start_ns",   INT,  NS,      "begin of the step time, as in the table of steps") \
	_(COL_IDLE_DUR_NS,     "dur_ns",     INT,  NS,      "step time, as in the table of steps") \
	_(COL_IDLE_IDLE_NS,    "idle_ns",    INT,  NS,      "time of it without a kernel, copy or memset on any stream of the device: the sum of the causes") \
	_(COL_IDLE_IDLE_PCT,   "idle_pct",   REAL, PERCENT, "idle_ns / dur_ns")
#define IDLE_MORE_COLUMNS(_) \
	_(COL_IDLE_INTERVALS,  "intervals",  INT,  COUNT,   "idle times, those at the edges of the step included") \
	_(COL_IDLE_LONGEST_NS, "longest_ns", INT,  NS,      "the longest of them") \
	_(COL_IDLE_HOST,       COLUMN_HOST, TEXT, NONE,    "host of the device") \
	_(COL_IDLE_CUT,        COLUMN_CUT, BOOL, NONE,    "the window cuts the step: its times are the part inside") \
	_(COL_IDLE_COUNTED,    COLUMN_COUNTED, BOOL, NONE,    "part of means and shares: steady steps are, where there are any in the window, else all")
/* clang-format on */
enum idle_column {
	IDLE_COLUMNS(COLUMN_ID) COL_IDLE_PART_NS,
	COL_IDLE_PART_PCT = COL_IDLE_PART_NS + CAUSE_COUNT,
	COL_IDLE_LAST_PART_PCT = COL_IDLE_PART_PCT + CAUSE_COUNT - 1,
	IDLE_MORE_COLUMNS(COLUMN_ID)
};
#endif
