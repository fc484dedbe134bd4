/* model/analysis/recorded/events_columns.h - the columns of the table events. */
#ifndef STEPSCOPE_EVENTS_COLUMNS_H
#define STEPSCOPE_EVENTS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define EVENTS_COLUMNS(_) \
	_(COL_EVENTS_ID,         "id",         INT,  ID,      "number of the event in this trace; other tables name events by it") \
	_(COL_EVENTS_TRACK,      SHARED_TRACK) \
	_(COL_EVENTS_START,      "start_ns",   INT,  NS,      "start, from the first event of the trace") \
	_(COL_EVENTS_DUR,        "dur_ns",     INT,  NS,      "whole duration; instants have 0") \
	_(COL_EVENTS_DEPTH,      SHARED_DEPTH) \
	_(COL_EVENTS_KIND,       "kind",       TEXT, NONE,    "what its producer says that it is") \
	_(COL_EVENTS_NAME,       COLUMN_NAME,  TEXT, NONE,    "name") \
	_(COL_EVENTS_CORR,       "corr",       INT,  ID,      "correlation id of launch and device work") \
	_(COL_EVENTS_STEP,       SHARED_STEP) \
	_(COL_EVENTS_CUT,        SHARED_CUT) \
	_(COL_EVENTS_TRACK_NAME, "track_name", TEXT, NONE,    "label of its track")
/* clang-format on */
enum events_column { EVENTS_COLUMNS(COLUMN_ID) };
#endif
