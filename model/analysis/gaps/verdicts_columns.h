/* model/analysis/gaps/verdicts_columns.h - the columns of the table verdicts. */
#ifndef STEPSCOPE_VERDICTS_COLUMNS_H
#define STEPSCOPE_VERDICTS_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define VERDICTS_COLUMNS(_) \
	_(COL_VERDICTS_GAP,           "gap",           INT,  ID,      "number of the gap: --gap N, gap:N. All gaps between steps, and of the other idle times of devices the 1,000 longest") \
	_(COL_VERDICTS_SCOPE,         "scope",         TEXT, NONE,    "step: between the device work of two steps; device: nothing runs there, inside a step") \
	_(COL_VERDICTS_DEVICE,        COLUMN_DEVICE, INT,  ID,      "GPU number; empty: between markers of steps without device work") \
	_(COL_VERDICTS_BEFORE,        "before",        TEXT, NONE,    "step before the gap; for scope device the work before it") \
	_(COL_VERDICTS_AFTER,         "after",         TEXT, NONE,    "step after the gap; for scope device the work after it") \
	_(COL_VERDICTS_DUR_NS,        "dur_ns",        INT,  NS,      "length of the whole gap") \
	_(COL_VERDICTS_LOST_NS,       "lost_ns",       INT,  NS,      "time of the gap that the verdict's events fill; host work outside the graph costs all of it; empty: unknown. Ranked by it, unknown ones by their length") \
	_(COL_VERDICTS_CAUSE,         "cause",         TEXT, NONE,    "the class that collects the most trust x time among the events of the gap; unknown below a tenth of it") \
	_(COL_VERDICTS_CONFIDENCE,    "confidence",    REAL, NONE,    "0 to 1: how sure the names are (rules/causes.rules) x the share of the gap that they fill; empty: unknown") \
	_(COL_VERDICTS_MAIN_EVENT,    "main_event",    TEXT, NONE,    "the event with the most time of its own (self time) among those of the cause; when unknown the launching thread's largest one") \
	_(COL_VERDICTS_CAUSE_NS,      "cause_ns",      INT,  NS,      "time of the gap in events of the cause, which is a class; empty when unknown") \
	_(COL_VERDICTS_THREAD,        COLUMN_THREAD, TEXT, NONE,    "where that event ran") \
	_(COL_VERDICTS_WHAT,          COLUMN_WHAT, TEXT, NONE,    "the verdict in one sentence") \
	_(COL_VERDICTS_ADVICE,        COLUMN_ADVICE, TEXT, NONE,    "what to try, or what to record when nothing can be told") \
	_(COL_VERDICTS_START_NS,      "start_ns",      INT,  NS,      "end of the last device work before") \
	_(COL_VERDICTS_RANK,          COLUMN_RANK, INT,  ID,      "rank of the distributed job") \
	_(COL_VERDICTS_HOST,          COLUMN_HOST, TEXT, NONE,    "host of the device") \
	_(COL_VERDICTS_MAIN_EVENT_ID, "main_event_id", INT,  ID,      "id of the event in column main_event") \
	_(COL_VERDICTS_THREADS_BUSY,  "threads_busy",  INT,  COUNT,   "other threads busy while the launching one recorded nothing; looked at where its own events explain less than half") \
	_(COL_VERDICTS_MAIN_EVENT_NS, "main_event_ns", INT,  NS,      "time of its own that the main event has inside the gap, until the work after it is launched")
/* clang-format on */
enum verdicts_column { VERDICTS_COLUMNS(COLUMN_ID) };
#endif
