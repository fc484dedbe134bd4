/* model/analysis/launches/launch_totals_columns.h - the columns of the table launch_totals. */
#ifndef STEPSCOPE_LAUNCH_TOTALS_COLUMNS_H
#define STEPSCOPE_LAUNCH_TOTALS_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define LAUNCH_TOTALS_COLUMNS(_) \
	_(COL_LAUNCH_TOTALS_RANK,       COLUMN_RANK, INT,  NONE,    "rank of the host") \
	_(COL_LAUNCH_TOTALS_DEVICE,     COLUMN_DEVICE, INT,  NONE,    "device") \
	_(COL_LAUNCH_TOTALS_COUNT,      "count",                 INT,  COUNT,   "kernels, copies and sets that start inside the window") \
	_(COL_LAUNCH_TOTALS_CALLS,      "calls",                 INT,  COUNT,   "launch calls whose first work starts inside the window") \
	_(COL_LAUNCH_TOTALS_CALL,       "call_ns",               INT,  NS,      "time of these calls, clipped to the window") \
	_(COL_LAUNCH_TOTALS_WORK,       "work_ns",               INT,  NS,      "time of the work, clipped to the window") \
	_(COL_LAUNCH_TOTALS_LATENCY50,  "latency_p50_ns",        INT,  NS,      "median of: begin of the call until its first work starts; --semantics hta: end of the call until then") \
	_(COL_LAUNCH_TOTALS_LATENCY95,  "latency_p95_ns",        INT,  NS,      "95th percentile of that") \
	_(COL_LAUNCH_TOTALS_LATENCY99,  "latency_p99_ns",        INT,  NS,      "99th percentile of that") \
	_(COL_LAUNCH_TOTALS_LATENCYMAX, "latency_max_ns",        INT,  NS,      "the longest one") \
	_(COL_LAUNCH_TOTALS_LATENCYSUM, "latency_sum_ns",        INT,  NS,      "all of them") \
	_(COL_LAUNCH_TOTALS_BOUND,      "launch_bound_ns",       INT,  NS,      "time in which the device did nothing and that ends with a work: from the begin of its call until 20 us after the call's end") \
	_(COL_LAUNCH_TOTALS_BOUNDPCT,   "launch_bound_pct",      REAL, PERCENT, "such time inside steps / time of the steps; null without steps") \
	_(COL_LAUNCH_TOTALS_BOUNDSPAN,  "launch_bound_span_pct", REAL, PERCENT, "launch_bound_ns / time from the first to the last device work in the window") \
	_(COL_LAUNCH_TOTALS_UNLAUNCHED, "not_launched_ns",       INT,  NS,      "time in which the device did nothing and that ends with a work: before its call began") \
	_(COL_LAUNCH_TOTALS_CALL50,     "call_p50_ns",           INT,  NS,      "median length of the calls") \
	_(COL_LAUNCH_TOTALS_CALL99,     "call_p99_ns",           INT,  NS,      "99th percentile of the length of the calls") \
	_(COL_LAUNCH_TOTALS_CALLFAR,    "call_far_ns",           INT,  NS,      "by how much calls longer than ten times their median exceed it, added up: full queues, hidden waits, code that is loaded first") \
	_(COL_LAUNCH_TOTALS_WORK50,     "work_p50_ns",           INT,  NS,      "median length of the work") \
	_(COL_LAUNCH_TOTALS_SHORT,      "short",                 INT,  COUNT,   "calls that took longer than the work they launched") \
	_(COL_LAUNCH_TOTALS_SHORTPCT,   "short_pct",             REAL, PERCENT, "share of such calls") \
	_(COL_LAUNCH_TOTALS_GRAPH,      "graph",                 INT,  COUNT,   "work that graph launches started") \
	_(COL_LAUNCH_TOTALS_GRAPHPCT,   "graph_pct",             REAL, PERCENT, "its share of the work with a recorded launch") \
	_(COL_LAUNCH_TOTALS_QUEUE,      "queue_max",             INT,  COUNT,   "most calls of a stream that waited when a call began, itself included") \
	_(COL_LAUNCH_TOTALS_BLOCKED,    "blocked_ns",            INT,  NS,      "time of the calls that began with 992 or more waiting in their stream") \
	_(COL_LAUNCH_TOTALS_BUFFER,     "buffer_full_ns",        INT,  NS,      "time of the recorded waits for a full command buffer, of all devices of the host") \
	_(COL_LAUNCH_TOTALS_UNKNOWN,    "no_launch",             INT,  COUNT,   "work whose launch call is not recorded") \
	_(COL_LAUNCH_TOTALS_EARLY,      "early",                 INT,  COUNT,   "work that starts before its call: clocks disagree; counts as a latency of 0")
/* clang-format on */
enum launch_totals_column { LAUNCH_TOTALS_COLUMNS(COLUMN_ID) };
#endif
