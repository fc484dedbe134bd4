/* model/analysis/findings/findings_columns.h - the columns of the table findings. */
#ifndef STEPSCOPE_FINDINGS_COLUMNS_H
#define STEPSCOPE_FINDINGS_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define FINDINGS_COLUMNS(_) \
	_(COL_FINDINGS_RULE,       "rule",       TEXT, NONE,    "stable word of the rule") \
	_(COL_FINDINGS_SEVERITY,   "severity",   TEXT, NONE,    "pass: fine; info: worth knowing; warn, fail: worth working on; unknown: the trace cannot tell") \
	_(COL_FINDINGS_DEVICE,     COLUMN_DEVICE, TEXT, NONE,    "device it is about, if one") \
	_(COL_FINDINGS_STEP,       "step",       TEXT, NONE,    "step it is about, if one") \
	_(COL_FINDINGS_SENTENCE,   COLUMN_SENTENCE,   TEXT, NONE,    "what was found, with its numbers") \
	_(COL_FINDINGS_VALUE,      "value",      REAL, NONE,    "the number that was judged, in the row's unit") \
	_(COL_FINDINGS_UNIT,       "unit",       TEXT, NONE,    "unit of value and threshold") \
	_(COL_FINDINGS_THRESHOLD,  "threshold",  REAL, NONE,    "where the rule begins to speak") \
	_(COL_FINDINGS_IDLE,       "idle_ns",    INT,  NS,      "idle time of devices that this finding claims; no ns is claimed twice") \
	_(COL_FINDINGS_LOST,       "lost_ns",    INT,  NS,      "time that could be won at most") \
	_(COL_FINDINGS_CONFIDENCE, "confidence", REAL, NONE,    "0 to 1 where something was judged; null for plain measurements") \
	_(COL_FINDINGS_ADVICE,     COLUMN_ADVICE, TEXT, NONE,    "what to do about it") \
	_(COL_FINDINGS_FORMULA,    "formula",    TEXT, NONE,    "how the number is made, thresholds included") \
	_(COL_FINDINGS_QUESTION,   "question",   TEXT, NONE,    "question of the guide it answers") \
	_(COL_FINDINGS_TITLE,      "title",      TEXT, NONE,    "the rule's subject")
/* clang-format on */
enum findings_column { FINDINGS_COLUMNS(COLUMN_ID) };
#endif
