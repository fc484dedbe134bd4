/* model/analysis/gaps/gaps_columns.h - the columns of the table gaps. */
#ifndef STEPSCOPE_GAPS_COLUMNS_H
#define STEPSCOPE_GAPS_COLUMNS_H
#include "model/shared_columns.h"
#include "model/table.h"

/* clang-format off */
#define GAPS_COLUMNS(_) \
	_(COL_GAPS_GAP,            SHARED_GAP) \
	_(COL_GAPS_SCOPE,          SHARED_SCOPE) \
	_(COL_GAPS_RANK,           SHARED_RANK) \
	_(COL_GAPS_DEVICE,         SHARED_DEVICE) \
	_(COL_GAPS_STREAM,         SHARED_STREAM) \
	_(COL_GAPS_BEFORE,         SHARED_BEFORE) \
	_(COL_GAPS_AFTER,          SHARED_AFTER) \
	_(COL_GAPS_START_NS,       "start_ns",       INT,  NS,      "end of the last device work before") \
	_(COL_GAPS_DUR_NS,         "dur_ns",         INT,  NS,      "start of the first device work after minus end of the last one before, inside the window") \
	_(COL_GAPS_PERIOD_PCT,     "period_pct",     REAL, PERCENT, "gap / period, for step gaps") \
	_(COL_GAPS_MARKER_GAP_NS,  "marker_gap_ns",  INT,  NS,      "from the end of the marker before to the start of the marker after; zero or less: no time between them; null: steps are inferred") \
	_(COL_GAPS_MAIN_EVENT,     SHARED_MAIN_EVENT) \
	_(COL_GAPS_MAIN_EVENT_NS,  SHARED_MAIN_EVENT_NS) \
	_(COL_GAPS_MAIN_EVENT_ID,  SHARED_MAIN_EVENT_ID) \
	_(COL_GAPS_MAIN_EVENT_PCT, "main_event_pct", REAL, PERCENT, "main_event_ns / whole gap") \
	_(COL_GAPS_PERIOD_NS,      SHARED_PERIOD_NS) \
	_(COL_GAPS_HOST,           SHARED_HOST) \
	_(COL_GAPS_CAUSE,          SHARED_CAUSE) \
	_(COL_GAPS_CONFIDENCE,     SHARED_CONFIDENCE) \
	_(COL_GAPS_LOST_NS,        SHARED_LOST_NS) \
	_(COL_GAPS_CAUSE_NS,       SHARED_CAUSE_NS) \
	_(COL_GAPS_CAUSE_PCT,      "cause_pct",      REAL, PERCENT, "cause_ns / whole gap") \
	_(COL_GAPS_KIND,           "gap_kind",       TEXT, NONE,    "where it is among the device work of the steps: between steps, inside a step, before the first step's work, after the last step's work, outside steps. --by between, inside, before, after or outside lists that kind of steps' gaps and devices' idle times alone") \
	_(COL_GAPS_STEP,           SHARED_STEP) \
	_(COL_GAPS_IDLE_NS,        SHARED_IDLE_NS) \
	_(COL_GAPS_PLACE,          "gap_place",      TEXT, NONE,    "gap_kind and steps in words, like: between steps 8 and 9; inside step 4; inside step 0, before its work. Empty in a trace without steps")
/* clang-format on */
enum gaps_column { GAPS_COLUMNS(COLUMN_ID) };
/* Not in the list of analyses: the same rows without idle time of devices in gaps between steps, which is that gap once more, and without
 * that of streams; where nothing but streams idled, theirs. */
TABLE_DECL(gaps_once);
#endif
