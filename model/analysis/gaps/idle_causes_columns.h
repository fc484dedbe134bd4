/* model/analysis/gaps/idle_causes_columns.h - the columns of the table idle_causes. */
#ifndef STEPSCOPE_IDLE_CAUSES_COLUMNS_H
#define STEPSCOPE_IDLE_CAUSES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define IDLE_CAUSES_COLUMNS(_) \
	_(COL_IDLE_CAUSES_DEVICE, SHARED_DEVICE) \
	_(COL_IDLE_CAUSES_CAUSE, SHARED_CAUSE) \
	_(COL_IDLE_CAUSES_IDLE_NS, SHARED_IDLE_NS) \
	_(COL_IDLE_CAUSES_LOST_NS, SHARED_LOST_NS) \
	_(COL_IDLE_CAUSES_LOST_PCT, "lost_pct", REAL, PERCENT, "lost_ns / watched_ns; for not recorded, the time that lost_ns would count") \
	_(COL_IDLE_CAUSES_WATCHED_NS, "watched_ns", INT, NS, "from the device's first work, or the start of its first step, to its last work, or the end of its last step, without start-up") \
	_(COL_IDLE_CAUSES_WATCHED_IDLE_NS, "watched_idle_ns", INT, NS, "idle time of all causes in watched_ns: between device work, and of known cause before the first and after the last; the same in every row of a device") \
	_(COL_IDLE_CAUSES_WATCHED_BUSY_PCT, "watched_busy_pct", REAL, PERCENT, "busy time of the device in watched_ns / (busy time + watched_idle_ns)") \
	_(COL_IDLE_CAUSES_BETWEEN_NS, "between_steps_ns", INT, NS, "part of idle_ns that is between steps") \
	_(COL_IDLE_CAUSES_EDGE_NS, "edge_ns", INT, NS, "in addition to idle_ns and start-up: steps before the device's first work and after its last, where the cause is known") \
	_(COL_IDLE_CAUSES_STARTUP_NS, "startup_ns", INT, NS, "idle time before the first steady step: part of idle_ns, and of the first step before the device's first work; empty: too few steps to know") \
	_(COL_IDLE_CAUSES_CONFIDENCE, SHARED_CONFIDENCE) \
	_(COL_IDLE_CAUSES_MAIN_EVENT, SHARED_MAIN_EVENT) \
	_(COL_IDLE_CAUSES_STRETCH_NS, "stretch_ns", INT, NS, "the longest stretch of it without another cause in between") \
	_(COL_IDLE_CAUSES_LONGEST_NS, "most_at_once_ns", INT, NS, "the most of it in a single idle time") \
	_(COL_IDLE_CAUSES_HELD_STREAM, SHARED_HELD_STREAM) \
	_(COL_IDLE_CAUSES_ADVICE, SHARED_ADVICE) \
	_(COL_IDLE_CAUSES_MAIN_EVENT_ID, SHARED_MAIN_EVENT_ID) \
	_(COL_IDLE_CAUSES_RANK, SHARED_RANK) \
	_(COL_IDLE_CAUSES_HOST, SHARED_HOST)
/* clang-format on */
enum idle_causes_column { IDLE_CAUSES_COLUMNS(COLUMN_ID) };
#endif
