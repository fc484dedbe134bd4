/* model/analysis/launches/launches_columns.h - the columns of the table launches. */
#ifndef STEPSCOPE_LAUNCHES_COLUMNS_H
#define STEPSCOPE_LAUNCHES_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define LAUNCHES_COLUMNS(_) \
	_(COL_LAUNCHES_OP,         "op",              TEXT, NONE,    "framework op of the work; null where it is unknown or a row has several") \
	_(COL_LAUNCHES_KERNEL,     "kernel",          TEXT, NONE,    "kernel or copy; names rows whose op is unknown; null where a row has several") \
	_(COL_LAUNCHES_COUNT,      "count",           INT,  COUNT,   "kernels, copies and sets that start inside the window") \
	_(COL_LAUNCHES_CALL,       "call_ns",         INT,  NS,      "time of the calls that launched them, clipped to the window") \
	_(COL_LAUNCHES_LATENCY50,  "latency_p50_ns",  INT,  NS,      "median of: begin of the call until its first work starts; nearest rank") \
	_(COL_LAUNCHES_LATENCY99,  "latency_p99_ns",  INT,  NS,      "the same, 99th percentile") \
	_(COL_LAUNCHES_QUEUE,      "queue_max",       INT,  COUNT,   "most calls of the stream that had begun and whose work had not started when one of these calls began, itself included") \
	_(COL_LAUNCHES_BOUND,      "launch_bound_ns", INT,  NS,      "time in which the device did nothing and that ends with this work: from the begin of its call until 20 us after the call's end") \
	_(COL_LAUNCHES_SHARE,      "share_pct",       REAL, PERCENT, "share of launch_bound_ns of all rows") \
	_(COL_LAUNCHES_UNLAUNCHED, "not_launched_ns", INT,  NS,      "time in which the device did nothing and that ends with this work: before its call began") \
	_(COL_LAUNCHES_LATENCYMIN, "latency_min_ns",  INT,  NS,      "shortest latency") \
	_(COL_LAUNCHES_LATENCY95,  "latency_p95_ns",  INT,  NS,      "95th percentile of the latency") \
	_(COL_LAUNCHES_LATENCYMAX, "latency_max_ns",  INT,  NS,      "longest latency") \
	_(COL_LAUNCHES_CALLS,      "calls",           INT,  COUNT,   "launch calls whose first work starts inside the window") \
	_(COL_LAUNCHES_CALL50,     "call_p50_ns",     INT,  NS,      "median length of the calls") \
	_(COL_LAUNCHES_CALL99,     "call_p99_ns",     INT,  NS,      "99th percentile of the length of the calls") \
	_(COL_LAUNCHES_CALLFAR,    "call_far_ns",     INT,  NS,      "by how much calls longer than ten times their median exceed it, added up: full queues, hidden waits, code that is loaded first") \
	_(COL_LAUNCHES_WORK,       "work_ns",         INT,  NS,      "time of the work, clipped to the window") \
	_(COL_LAUNCHES_WORK50,     "work_p50_ns",     INT,  NS,      "median length of the work") \
	_(COL_LAUNCHES_SHORT,      "short",           INT,  COUNT,   "calls that took longer than the work they launched") \
	_(COL_LAUNCHES_GRAPHPCT,   "graph_pct",       REAL, PERCENT, "share of the work that graph launches started") \
	_(COL_LAUNCHES_UNKNOWN,    "no_launch",       INT,  COUNT,   "work whose launch call is not recorded") \
	_(COL_LAUNCHES_EARLY,      "early",           INT,  COUNT,   "work that starts before its call: clocks disagree; counts as a latency of 0") \
	_(COL_LAUNCHES_API,        "api",             TEXT, NONE,    "the call; null where a row has several") \
	_(COL_LAUNCHES_THREAD,     COLUMN_THREAD, TEXT, NONE,    "the launching thread; null where a row has several") \
	_(COL_LAUNCHES_DEVICE,     COLUMN_DEVICE, INT,  NONE,    "the device; null where a row has several")
/* clang-format on */
enum launches_column { LAUNCHES_COLUMNS(COLUMN_ID) };
#endif
