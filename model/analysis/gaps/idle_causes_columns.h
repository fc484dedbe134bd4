/* model/analysis/gaps/idle_causes_columns.h - the columns of the table idle_causes. */
#ifndef STEPSCOPE_IDLE_CAUSES_COLUMNS_H
#define STEPSCOPE_IDLE_CAUSES_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define IDLE_CAUSES_COLUMNS(_) \
	_(COL_IDLE_CAUSES_DEVICE, COLUMN_DEVICE, INT, ID, "GPU number") \
	_(COL_IDLE_CAUSES_CAUSE, "cause", TEXT, NONE, "what the device waited for") \
	_(COL_IDLE_CAUSES_IDLE_NS, "idle_ns", INT, NS, "idle time between the device's first and last work that has this cause; the rows of a device add up to its idle time") \
	_(COL_IDLE_CAUSES_LOST_NS, "lost_ns", INT, NS, "what removing the cause would win at most: idle_ns and edge_ns without what lies in start-up; host work outside the graph wins the whole gap between steps. Empty: not recorded, so unknown") \
	_(COL_IDLE_CAUSES_LOST_PCT, "lost_pct", REAL, PERCENT, "lost_ns / watched_ns; of what is not recorded, the time that lost_ns would count") \
	_(COL_IDLE_CAUSES_WATCHED_NS, "watched_ns", INT, NS, "from the device's first work, or the begin of its first step, to its last work, or the end of its last step, without start-up") \
	_(COL_IDLE_CAUSES_BETWEEN_NS, "between_ns", INT, NS, "part of idle_ns that lies between steps") \
	_(COL_IDLE_CAUSES_EDGE_NS, "edge_ns", INT, NS, "besides idle_ns and start-up: steps before the device's first work and after its last one, where the cause is known") \
	_(COL_IDLE_CAUSES_STARTUP_NS, "startup_ns", INT, NS, "before the first steady step: part of idle_ns, and of the first step before the device's first work; empty: too few steps to tell") \
	_(COL_IDLE_CAUSES_CONFIDENCE, "confidence", REAL, NONE, "0 to 1: how sure the names are (rules/causes.rules), over all of this time") \
	_(COL_IDLE_CAUSES_MAIN_EVENT, "main_event", TEXT, NONE, "the longest event of the longest stretch of it") \
	_(COL_IDLE_CAUSES_STRETCH_NS, "stretch_ns", INT, NS, "the longest stretch of it without another cause between") \
	_(COL_IDLE_CAUSES_LONGEST_NS, "longest_ns", INT, NS, "the most of it in one idle time") \
	_(COL_IDLE_CAUSES_ADVICE, COLUMN_ADVICE, TEXT, NONE, "what to try, or what to record when nothing can be told") \
	_(COL_IDLE_CAUSES_MAIN_EVENT_ID, "main_event_id", INT, ID, "id of the event in column main_event") \
	_(COL_IDLE_CAUSES_RANK, COLUMN_RANK, INT, ID, "rank of the distributed job") \
	_(COL_IDLE_CAUSES_HOST, COLUMN_HOST, TEXT, NONE, "host of the device")
/* clang-format on */
enum idle_causes_column { IDLE_CAUSES_COLUMNS(COLUMN_ID) };
#endif
