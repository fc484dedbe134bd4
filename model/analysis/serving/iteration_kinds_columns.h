/* model/analysis/serving/iteration_kinds_columns.h - the columns of the table iteration_kinds. */
#ifndef STEPSCOPE_ITERATION_KINDS_COLUMNS_H
#define STEPSCOPE_ITERATION_KINDS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define ITERATION_KINDS_COLUMNS(_) \
	_(COL_ITERATION_KINDS_KIND,     "iteration_kind",    TEXT, NONE,    "what it does: prefill (prompts), decode (a token for each request), mixed, verify and draft (speculative decoding), diffusion; unknown: its label does not say") \
	_(COL_ITERATION_KINDS_REQUESTS, "requests",          INT,  COUNT,   "requests that it serves, according to its label") \
	_(COL_ITERATION_KINDS_DEVICE,   SHARED_DEVICE) \
	_(COL_ITERATION_KINDS_COUNT,    "iterations",        INT,  COUNT,   "iterations of that kind with so many requests: whole ones, which another one follows, where there are any") \
	_(COL_ITERATION_KINDS_MEAN,     "iteration_mean_ns", INT,  NS,      "mean time from one to the next; of those that none follows to the end of their work") \
	_(COL_ITERATION_KINDS_WORKS,    "device_mean_ns",    INT,  NS,      "mean time of it with at least one kernel, copy or memset on the device") \
	_(COL_ITERATION_KINDS_IDLE_PCT, "idle_mean_pct",     REAL, PERCENT, "the rest of it, in which the device is idle") \
	_(COL_ITERATION_KINDS_BETWEEN,  "between_mean_ns",   INT,  NS,      "mean time without work on the device from the end of its work to the start of the next; null where none follows") \
	_(COL_ITERATION_KINDS_RATE,     "tokens_per_s",      REAL, NONE,    "tokens / iteration_ns; of several, all of both") \
	_(COL_ITERATION_KINDS_HOST,     SHARED_HOST)
/* clang-format on */
enum iteration_kinds_column { ITERATION_KINDS_COLUMNS(COLUMN_ID) };
#endif
