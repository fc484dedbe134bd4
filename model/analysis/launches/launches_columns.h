/* model/analysis/launches/launches_columns.h - the columns of the table launches. */
#ifndef STEPSCOPE_LAUNCHES_COLUMNS_H
#define STEPSCOPE_LAUNCHES_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define LAUNCHES_COLUMNS(_) \
	_(COL_LAUNCHES_OP,         "op",                     TEXT, NONE,    "framework op of the work; null where it is unknown or a row has several") \
	_(COL_LAUNCHES_KERNEL,     SHARED_KERNEL) \
	_(COL_LAUNCHES_COUNT,      SHARED_WORK) \
	_(COL_LAUNCHES_CALL,       SHARED_CALL_NS) \
	_(COL_LAUNCHES_LATENCY50,  SHARED_LATENCY_P50_NS) \
	_(COL_LAUNCHES_LATENCY99,  SHARED_LATENCY_P99_NS) \
	_(COL_LAUNCHES_QUEUE,      SHARED_QUEUE_MAX) \
	_(COL_LAUNCHES_BOUND,      SHARED_LAUNCH_BOUND_NS) \
	_(COL_LAUNCHES_SHARE,      "launch_bound_share_pct", REAL, PERCENT, "share of launch_bound_ns of all rows") \
	_(COL_LAUNCHES_UNLAUNCHED, SHARED_NOT_LAUNCHED_NS) \
	_(COL_LAUNCHES_LATENCYMIN, "latency_min_ns",         INT,  NS,      "shortest latency") \
	_(COL_LAUNCHES_LATENCY95,  SHARED_LATENCY_P95_NS) \
	_(COL_LAUNCHES_LATENCYMAX, SHARED_LATENCY_MAX_NS) \
	_(COL_LAUNCHES_CALLS,      SHARED_LAUNCH_CALLS) \
	_(COL_LAUNCHES_CALL50,     SHARED_CALL_P50_NS) \
	_(COL_LAUNCHES_CALL99,     SHARED_CALL_P99_NS) \
	_(COL_LAUNCHES_CALLFAR,    SHARED_CALL_FAR_NS) \
	_(COL_LAUNCHES_WORK,       SHARED_WORK_NS) \
	_(COL_LAUNCHES_WORK50,     SHARED_WORK_P50_NS) \
	_(COL_LAUNCHES_SHORT,      SHARED_SHORT) \
	_(COL_LAUNCHES_GRAPHPCT,   SHARED_GRAPH_PCT) \
	_(COL_LAUNCHES_UNKNOWN,    SHARED_NO_LAUNCH) \
	_(COL_LAUNCHES_EARLY,      SHARED_EARLY) \
	_(COL_LAUNCHES_API,        "api",                    TEXT, NONE,    "the call; null where a row has several") \
	_(COL_LAUNCHES_THREAD,     SHARED_THREAD) \
	_(COL_LAUNCHES_DEVICE,     SHARED_DEVICE) \
	_(COL_LAUNCHES_HOST, SHARED_HOST)
/* clang-format on */
enum launches_column { LAUNCHES_COLUMNS(COLUMN_ID) };
#endif
