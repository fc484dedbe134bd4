/* model/analysis/recorded/tracks_columns.h - the columns of the table tracks. */
#ifndef STEPSCOPE_TRACKS_COLUMNS_H
#define STEPSCOPE_TRACKS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define TRACKS_COLUMNS(_) \
	_(COL_TRACKS_TRACK,       SHARED_TRACK) \
	_(COL_TRACKS_KIND,        "track_kind",      TEXT, NONE,    "stream, lane of a stream, thread, counter, async, other") \
	_(COL_TRACKS_GROUP,       "track_group",     TEXT, NONE,    "device or process it belongs to") \
	_(COL_TRACKS_NAME,        COLUMN_NAME,       TEXT, NONE,    "label of the track") \
	_(COL_TRACKS_EVENTS,      "events",          INT,  COUNT,   "events that start inside the window") \
	_(COL_TRACKS_HOST,        SHARED_HOST) \
	_(COL_TRACKS_RANK,        SHARED_RANK) \
	_(COL_TRACKS_SAMPLES,     "counter_samples", INT,  COUNT,   "samples of a counter inside the window") \
	_(COL_TRACKS_ROWS,        "rows",            INT,  COUNT,   "display rows: nesting depth and overflow") \
	_(COL_TRACKS_OVERLAPS,    "overlaps",        INT,  COUNT,   "events stacked on overflow rows because they partly overlap another one") \
	_(COL_TRACKS_IS_THREAD,   SHARED_IS_THREAD) \
	_(COL_TRACKS_BY_PRODUCER, "by_producer",     BOOL, NONE,    "a lane that the recording program computed: shown, but not counted in statistics")
/* clang-format on */
enum tracks_column { TRACKS_COLUMNS(COLUMN_ID) };
#endif
