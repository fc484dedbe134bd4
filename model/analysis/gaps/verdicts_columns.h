/* model/analysis/gaps/verdicts_columns.h - the columns of the table verdicts. */
#ifndef STEPSCOPE_VERDICTS_COLUMNS_H
#define STEPSCOPE_VERDICTS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define VERDICTS_COLUMNS(_) \
	_(COL_VERDICTS_GAP,           SHARED_GAP) \
	_(COL_VERDICTS_SCOPE,         SHARED_SCOPE) \
	_(COL_VERDICTS_DEVICE,        SHARED_DEVICE) \
	_(COL_VERDICTS_BEFORE,        SHARED_BEFORE) \
	_(COL_VERDICTS_AFTER,         SHARED_AFTER) \
	_(COL_VERDICTS_DUR_NS,        "dur_ns",       INT,  NS,      "length of the whole gap") \
	_(COL_VERDICTS_LOST_NS,       SHARED_LOST_NS) \
	_(COL_VERDICTS_CAUSE,         SHARED_CAUSE) \
	_(COL_VERDICTS_CONFIDENCE,    SHARED_CONFIDENCE) \
	_(COL_VERDICTS_MAIN_EVENT,    SHARED_MAIN_EVENT) \
	_(COL_VERDICTS_CAUSE_NS,      SHARED_CAUSE_NS) \
	_(COL_VERDICTS_THREAD,        SHARED_THREAD) \
	_(COL_VERDICTS_WHAT,          SHARED_WHAT) \
	_(COL_VERDICTS_ADVICE,        SHARED_ADVICE) \
	_(COL_VERDICTS_START_NS,      "start_ns",     INT,  NS,      "end of the last device work before") \
	_(COL_VERDICTS_RANK,          SHARED_RANK) \
	_(COL_VERDICTS_HOST,          SHARED_HOST) \
	_(COL_VERDICTS_MAIN_EVENT_ID, SHARED_MAIN_EVENT_ID) \
	_(COL_VERDICTS_THREADS_BUSY,  "threads_busy", INT,  COUNT,   "other threads that are busy while the launching one records nothing; only where its own events explain less than half") \
	_(COL_VERDICTS_MAIN_EVENT_NS, SHARED_MAIN_EVENT_NS) \
	_(COL_VERDICTS_UNRECORDED_PCT, "unrecorded_pct", REAL, PERCENT, "part of the gap, before the work after it was launched, in which the launching thread recorded nothing") \
	_(COL_VERDICTS_DRAINED_UNTIL, "drained_until_ns", INT, NS,      "where a call that waited for the device left it without work: from the start of the gap to the end of the call") \
	_(COL_VERDICTS_LAUNCHED_AHEAD, "launched_ahead_ns", INT, NS,    "where the work after the gap had been launched before it: from that launch to the start of the gap") \
	_(COL_VERDICTS_HELD_STREAM,   SHARED_HELD_STREAM)
/* clang-format on */
enum verdicts_column { VERDICTS_COLUMNS(COLUMN_ID) };
#endif
