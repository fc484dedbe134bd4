/* model/analysis/findings/findings_columns.h - the columns of the table findings. */
#ifndef STEPSCOPE_FINDINGS_COLUMNS_H
#define STEPSCOPE_FINDINGS_COLUMNS_H
#include "model/shared_columns.h"

/* What shares of the step time are of, in sentences, where no step lies in the window as a whole. */
#define STEP_TIME_IN_WINDOW "the step time in the window"
/* What ends the sentence before an upper bound of what calls that wait cost: no more than that is known. */
#define COST_THE_LEAD "cost the host its lead"

/* clang-format off */
#define FINDINGS_COLUMNS(_) \
	_(COL_FINDINGS_RULE,       "rule",          TEXT, NONE,    "stable identifier of the rule") \
	_(COL_FINDINGS_SEVERITY,   "severity",      TEXT, NONE,    "pass: fine; info: worth knowing; warn, fail: worth working on; unknown: the trace cannot tell") \
	_(COL_FINDINGS_DEVICE_LABEL,     "device_label",  TEXT, NONE,    "device it is about, if one") \
	_(COL_FINDINGS_STEP,       SHARED_STEP) \
	_(COL_FINDINGS_SENTENCE,   COLUMN_SENTENCE, TEXT, NONE,    "what was found, with its numbers") \
	_(COL_FINDINGS_VALUE,      "value",         REAL, NONE,    "number or text, in the row's unit; null = unknown") \
	_(COL_FINDINGS_UNIT,       "unit",          TEXT, NONE,    "unit of the value, and of a threshold") \
	_(COL_FINDINGS_THRESHOLD,  "threshold",     REAL, NONE,    "from where on the rule reports or warns") \
	_(COL_FINDINGS_IDLE,       "claimed_idle_ns", INT, NS,     "idle time of devices that this finding accounts for; no ns is counted twice") \
	_(COL_FINDINGS_LOST,       SHARED_LOST_NS) \
	_(COL_FINDINGS_HELD,       "held_ns",       INT,  NS,      "the longest idle time of a device in which launched work was held back by what is not in the file; empty: the finding is about no such time") \
	_(COL_FINDINGS_HELD_STREAM, SHARED_HELD_STREAM) \
	_(COL_FINDINGS_CONFIDENCE, SHARED_CONFIDENCE) \
	_(COL_FINDINGS_ADVICE,     SHARED_ADVICE) \
	_(COL_FINDINGS_FORMULA,    SHARED_FORMULA) \
	_(COL_FINDINGS_QUESTION,   "question",      TEXT, NONE,    "which question it answers (Q1, Q2, ...)") \
	_(COL_FINDINGS_WAITS_FOR,  "waits_for",     TEXT, NONE,    "rule of the finding to work on first: this one matters once that is fixed; empty: none") \
	_(COL_FINDINGS_TITLE,      "title",         TEXT, NONE,    "the rule's subject") \
	_(COL_FINDINGS_ABOUT,      "about",         TEXT, NONE,    "which one, where a rule covers several things: the cause of idle time, the largest part of an overhead; empty: it covers only one")
/* clang-format on */
enum findings_column { FINDINGS_COLUMNS(COLUMN_ID) };
#endif
