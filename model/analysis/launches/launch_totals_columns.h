/* model/analysis/launches/launch_totals_columns.h - the columns of the table launch_totals. */
#ifndef STEPSCOPE_LAUNCH_TOTALS_COLUMNS_H
#define STEPSCOPE_LAUNCH_TOTALS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define LAUNCH_TOTALS_COLUMNS(_) \
	_(COL_LAUNCH_TOTALS_RANK,       SHARED_RANK) \
	_(COL_LAUNCH_TOTALS_DEVICE,     SHARED_DEVICE) \
	_(COL_LAUNCH_TOTALS_COUNT,      SHARED_WORK) \
	_(COL_LAUNCH_TOTALS_CALLS,      SHARED_LAUNCH_CALLS) \
	_(COL_LAUNCH_TOTALS_CALL,       SHARED_CALL_NS) \
	_(COL_LAUNCH_TOTALS_WORK,       SHARED_WORK_NS) \
	_(COL_LAUNCH_TOTALS_LATENCY50,  SHARED_LATENCY_P50_NS) \
	_(COL_LAUNCH_TOTALS_LATENCY95,  SHARED_LATENCY_P95_NS) \
	_(COL_LAUNCH_TOTALS_LATENCY99,  SHARED_LATENCY_P99_NS) \
	_(COL_LAUNCH_TOTALS_LATENCYMAX, SHARED_LATENCY_MAX_NS) \
	_(COL_LAUNCH_TOTALS_LATENCYSUM, "latency_sum_ns",        INT,  NS,      "all of them") \
	_(COL_LAUNCH_TOTALS_BOUND,      SHARED_LAUNCH_BOUND_NS) \
	_(COL_LAUNCH_TOTALS_BOUNDPCT,   "launch_bound_pct",      REAL, PERCENT, "such time inside steps / time of the steps; null without steps") \
	_(COL_LAUNCH_TOTALS_BOUNDSPAN,  "launch_bound_span_pct", REAL, PERCENT, "launch_bound_ns / time from the first to the last device work in the window") \
	_(COL_LAUNCH_TOTALS_UNLAUNCHED, SHARED_NOT_LAUNCHED_NS) \
	_(COL_LAUNCH_TOTALS_CALL50,     SHARED_CALL_P50_NS) \
	_(COL_LAUNCH_TOTALS_CALL99,     SHARED_CALL_P99_NS) \
	_(COL_LAUNCH_TOTALS_CALLFAR,    SHARED_CALL_FAR_NS) \
	_(COL_LAUNCH_TOTALS_WORK50,     SHARED_WORK_P50_NS) \
	_(COL_LAUNCH_TOTALS_SHORT,      SHARED_SHORT) \
	_(COL_LAUNCH_TOTALS_SHORTPCT,   "short_pct",             REAL, PERCENT, "share of such calls") \
	_(COL_LAUNCH_TOTALS_GRAPH,      "graph",                 INT,  COUNT,   "work that graph launches started") \
	_(COL_LAUNCH_TOTALS_GRAPHPCT,   SHARED_GRAPH_PCT) \
	_(COL_LAUNCH_TOTALS_QUEUE,      SHARED_QUEUE_MAX) \
	_(COL_LAUNCH_TOTALS_BLOCKED,    SHARED_BLOCKED_NS) \
	_(COL_LAUNCH_TOTALS_BUFFER,     "buffer_full_ns",        INT,  NS,      "time of the recorded waits for a full command buffer, of all devices of the host") \
	_(COL_LAUNCH_TOTALS_UNKNOWN,    SHARED_NO_LAUNCH) \
	_(COL_LAUNCH_TOTALS_EARLY,      SHARED_EARLY) \
	_(COL_LAUNCH_TOTALS_HOST, SHARED_HOST)
/* clang-format on */
enum launch_totals_column { LAUNCH_TOTALS_COLUMNS(COLUMN_ID) };
#endif
