/* model/analysis/launches/queue_columns.h - the columns of the table queue. */
#ifndef STEPSCOPE_QUEUE_COLUMNS_H
#define STEPSCOPE_QUEUE_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define QUEUE_COLUMNS(_) \
	_(COL_QUEUE_RANK,    SHARED_RANK) \
	_(COL_QUEUE_DEVICE,  SHARED_DEVICE) \
	_(COL_QUEUE_STREAM,  SHARED_STREAM) \
	_(COL_QUEUE_BUCKET,  "bucket",         INT,  NONE,    "stretch of time, from 0; null: all of the window") \
	_(COL_QUEUE_START,   "start_ns",       INT,  NS,      "start of the stretch") \
	_(COL_QUEUE_DUR,     "dur_ns",         INT,  NS,      "its length") \
	_(COL_QUEUE_CALLS,   "begun_calls",    INT,  COUNT,   "launch calls of the stream that begin in it; with --semantics hta: changes of the length of the queue") \
	_(COL_QUEUE_MEAN,    "depth_mean",     REAL, NONE,    "calls that have begun and whose work has not started, mean over time; with --semantics hta: over the changes, calls before work of the same us") \
	_(COL_QUEUE_LOW,     "depth_mean_low", REAL, NONE,    "--semantics hta: the mean over the changes with work before calls of the same us") \
	_(COL_QUEUE_MIN,     "depth_min",      INT,  COUNT,   "fewest at any time") \
	_(COL_QUEUE_MEDIAN,  "depth_median",   REAL, NONE,    "--semantics hta: median over the changes") \
	_(COL_QUEUE_MAX,     "depth_max",      INT,  COUNT,   "most, the call that begins included") \
	_(COL_QUEUE_WAITING, "waiting_ns",     INT,  NS,      "time in which at least one waits") \
	_(COL_QUEUE_FULL,    "full_ns",        INT,  NS,      "time in which 1024 or more wait: the queue of a CUDA stream is full then") \
	_(COL_QUEUE_BLOCKED, SHARED_BLOCKED_NS) \
	_(COL_QUEUE_HOST, SHARED_HOST)
/* clang-format on */
enum queue_column { QUEUE_COLUMNS(COLUMN_ID) };
#endif
