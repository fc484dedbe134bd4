/* tui/tables/histogram.h - the table latency_histogram as bars: one per bucket, or one for several neighbours. */
#ifndef STEPSCOPE_HISTOGRAM_H
#define STEPSCOPE_HISTOGRAM_H
#include "model/table.h"

/* The rows of one measure. */
struct histogram_part {
	uint32_t first, n;
};
struct histogram_part histogram_find(const struct table *t, const char *measure);
/* Some buckets of it as one. */
struct histogram_bar {
	int64_t from_ns, to_ns, count;
	double share_pct;
};
struct histogram_bar histogram_bar(const struct table *t, uint32_t first, uint32_t n);
const char *histogram_label(const struct histogram_bar *b, char *buf, size_t size); /* "20-50 us" */
#endif
