/* model/analysis/recorded/work.h - device work summed up: what ran on a stream or a device inside a query's window. */
#ifndef STEPSCOPE_WORK_H
#define STEPSCOPE_WORK_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/intervals.h"
#include "model/query.h"

enum { WORK_CLASSES = 6 }; /* one per bit of enum stream_role */
struct work {
	int64_t events, kernels, copies, memsets, copy_bytes; /* that start inside the window */
	int64_t kernel_ns, work_ns, class_ns[WORK_CLASSES];   /* sums, clipped to the window */
	int64_t busy_ns;                                      /* union, clipped */
	int64_t first_ns, last_ns; /* extent of the work, clipped; INT64_MAX, INT64_MIN = none */
};
/* The work of one stream, and of all streams of one device, in the query's window. */
struct work work_of_track(const struct derived *d, const struct query *q, uint32_t track);
struct work work_of_device(const struct derived *d, const struct query *q, uint32_t device);
#endif
