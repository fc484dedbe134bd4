/* model/analysis/compat/hta.h - busy and idle time as HolisticTraceAnalysis counts them, per rank and per stream, in whole us.
 * Events:  device work, and host events that name a stream. With two or more ProfilerSteps only work counts that host events
 *          launched which began before the last one; so the last step is left out.
 * Time:    where the trace has fractions of a us each event shrinks to whole ones, its start up and its end down.
 * Stream:  the time from an event's end to the start of the next one of the stream is host wait if the call that launched the
 *          next one began later than that end, else kernel wait if it is shorter than HTA_KERNEL_WAIT_US, else other. A launch
 *          that is not recorded counts as the file's first event. Host events that name a stream count for ranks only.
 * Life:    hta_read -> hta_free. */
#ifndef STEPSCOPE_HTA_H
#define STEPSCOPE_HTA_H
#include "model/analysis/derived/derived.h"

enum { HTA_KERNEL_WAIT_US = 30 };

struct hta_rank {
	uint32_t host;
	int64_t first_us, last_us; /* of its events */
	int64_t busy_us, compute_us;
};
struct hta_stream {
	uint32_t host;
	int64_t stream;
	int64_t host_wait_us, kernel_wait_us, other_us;
};
struct hta {
	struct hta_rank *ranks;     /* those with events */
	struct hta_stream *streams; /* by rank, then number */
	uint32_t n_ranks, n_streams;
};
struct hta hta_read(const struct derived *d);
void hta_free(struct hta *x);
#endif
