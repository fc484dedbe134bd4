/* model/analysis/steps/step_parts_columns.h - the columns of the table step_parts. */
#ifndef STEPSCOPE_STEP_PARTS_COLUMNS_H
#define STEPSCOPE_STEP_PARTS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define STEP_PARTS_COLUMNS(_) \
	_(COL_STEP_PARTS_PART,      "part",           TEXT, NONE,    "step: the whole step time; idle: time of it in which the device was idle; else a part of one of the two") \
	_(COL_STEP_PARTS_LABEL,     "label",          TEXT, NONE,    "the part in words") \
	_(COL_STEP_PARTS_OF,        "of",             TEXT, NONE,    "what the part belongs to: step or idle; the parts of each add up to it") \
	_(COL_STEP_PARTS_AVG_NS,   "avg_ns",         REAL, NS,      "mean over the samples: every step on every device that carries means, but those that the window cuts; none where steady steps are irregular") \
	_(COL_STEP_PARTS_SD_NS,     "sd_ns",          REAL, NS,      "standard deviation of a sample (n - 1)") \
	_(COL_STEP_PARTS_MEDIAN_NS, "median_ns",      INT,  NS,      "median of the samples") \
	_(COL_STEP_PARTS_MIN_NS,    "min_ns",         INT,  NS,      "the smallest sample") \
	_(COL_STEP_PARTS_MAX_NS,    "max_ns",         INT,  NS,      "the largest sample") \
	_(COL_STEP_PARTS_PART_PCT, "part_share_pct", REAL, PERCENT, "mean of the part / mean of what it belongs to; the parts of a step add up to 100, and so do those of idle time") \
	_(COL_STEP_PARTS_SAMPLES,   "samples",        INT,  COUNT,   "steps, once per device") \
	_(COL_STEP_PARTS_FORMULA,   SHARED_FORMULA)
/* clang-format on */
enum step_parts_column { STEP_PARTS_COLUMNS(COLUMN_ID) };
#endif
