/* model/analysis/gaps/gaps_columns.h - the columns of the table gaps. */
#ifndef STEPSCOPE_GAPS_COLUMNS_H
#define STEPSCOPE_GAPS_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define GAPS_COLUMNS(_) \
	_(COL_GAPS_GAP,            "gap",            INT,  ID,      "number of the gap, the same for every window and filter: --gap N, gap:N") \
	_(COL_GAPS_SCOPE,          "scope",          TEXT, NONE,    "step: between the device work of two steps; device, stream: nothing runs there") \
	_(COL_GAPS_RANK,           COLUMN_RANK, INT,  ID,      "rank of the distributed job") \
	_(COL_GAPS_DEVICE,         COLUMN_DEVICE, INT,  ID,      "GPU number; empty: between markers of steps without device work") \
	_(COL_GAPS_STREAM,         "stream",         INT,  ID,      "stream number, for scope stream") \
	_(COL_GAPS_BEFORE,         "before",         TEXT, NONE,    "step before the gap; for other scopes the work before it") \
	_(COL_GAPS_AFTER,          "after",          TEXT, NONE,    "step after the gap; for other scopes the work after it") \
	_(COL_GAPS_START_NS,       "start_ns",       INT,  NS,      "end of the last device work before") \
	_(COL_GAPS_DUR_NS,         "dur_ns",         INT,  NS,      "start of the first device work after minus end of the last one before, inside the window") \
	_(COL_GAPS_SHARE_PCT,      "share_pct",      REAL, PERCENT, "gap / period, for step gaps") \
	_(COL_GAPS_MARKER_GAP_NS,  "marker_gap_ns",  INT,  NS,      "end of the marker before to start of the marker after; zero or less: no time between them") \
	_(COL_GAPS_MAIN_EVENT,     "main_event",     TEXT, NONE,    "the event with the most time of its own (self time) among those of the cause; where that is unknown or not judged, among all of the thread that launches the work after it") \
	_(COL_GAPS_MAIN_EVENT_NS,  "main_event_ns",  INT,  NS,      "that time, inside the gap and until the work after it is launched") \
	_(COL_GAPS_MAIN_EVENT_ID,  "main_event_id",  INT,  ID,      "id of that event") \
	_(COL_GAPS_MAIN_EVENT_PCT, "main_event_pct", REAL, PERCENT, "main_event_ns / whole gap") \
	_(COL_GAPS_PERIOD_NS,      "period_ns",      INT,  NS,      "start of the first device work of the step before to that of the step after") \
	_(COL_GAPS_HOST,           COLUMN_HOST, TEXT, NONE,    "host of the device") \
	_(COL_GAPS_CAUSE,          "cause",          TEXT, NONE,    "what the device waited for, as a class: see table verdicts; empty for scope stream, where other streams may be busy, and for idle times of devices below 10 us") \
	_(COL_GAPS_CONFIDENCE,     "confidence",     REAL, NONE,    "0 to 1: how sure that is; empty when unknown") \
	_(COL_GAPS_LOST_NS,        "lost_ns",        INT,  NS,      "time of the whole gap that the events of the cause cost; empty when unknown") \
	_(COL_GAPS_CAUSE_NS,       "cause_ns",       INT,  NS,      "time of the whole gap in events of the cause, which is a class; empty when unknown") \
	_(COL_GAPS_CAUSE_PCT,      "cause_pct",      REAL, PERCENT, "cause_ns / whole gap") \
	_(COL_GAPS_KIND,           "kind",           TEXT, NONE,    "where it lies among the device work of the steps: between steps, inside a step, before the first step, after the last step, outside steps. --by between, inside, before, after or outside lists that kind of steps' gaps and devices' idle times alone") \
	_(COL_GAPS_STEP,           "step",           TEXT, NONE,    "the step it lies in; between steps: the one before") \
	_(COL_GAPS_IDLE_NS,        "idle_ns",        INT,  NS,      "dur_ns without work that belongs to no step; rows of scope device add up to the idle time of the device")
/* clang-format on */
enum gaps_column { GAPS_COLUMNS(COLUMN_ID) };
#endif
