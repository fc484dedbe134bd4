/* model/analysis/launches/latency_histogram_columns.h - the columns of the table latency_histogram. */
#ifndef STEPSCOPE_LATENCY_HISTOGRAM_COLUMNS_H
#define STEPSCOPE_LATENCY_HISTOGRAM_COLUMNS_H
#include "model/columns.h"

/* clang-format off */
#define LATENCY_HISTOGRAM_COLUMNS(_) \
	_(COL_LATENCY_HISTOGRAM_MEASURE, "measure",        TEXT, NONE,    "latency: start of the launch call until its first work starts; call: length of the launch call; work: length of the kernel, copy or set") \
	_(COL_LATENCY_HISTOGRAM_FROM,    "from_ns",        INT,  NS,      "shortest time of the bucket") \
	_(COL_LATENCY_HISTOGRAM_TO,      "to_ns",          INT,  NS,      "end of the bucket: times are shorter") \
	_(COL_LATENCY_HISTOGRAM_COUNT,   "entries",        INT,  COUNT,   "how many start inside the window; latency and call once per call") \
	_(COL_LATENCY_HISTOGRAM_SHARE,   "measure_pct",    REAL, PERCENT, "share of all of this measure") \
	_(COL_LATENCY_HISTOGRAM_UPTO,    "cumulative_pct", REAL, PERCENT, "share of this and all shorter buckets") \
	_(COL_LATENCY_HISTOGRAM_TOTAL,   "total_ns",       INT,  NS,      "their times added up")
/* clang-format on */
enum latency_histogram_column { LATENCY_HISTOGRAM_COLUMNS(COLUMN_ID) };
#endif
