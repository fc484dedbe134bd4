/* model/analysis/derived/pauses.h - stretches that are not in the file: the profiler was off, or a live capture lost its records.
 *
 * Pauses, in which the profiler was off, are no time of anybody.
 * Certain are those between two spans that the profiler itself names ("PyTorch Profiler (0)"), and those between two of its
 * steps whose numbers leave some out (ProfilerStep#5, ProfilerStep#13), where nothing of the host is recorded for most of the
 * time. A host that stalls leaves the numbers whole: that is idle time. So is what is shorter than half of the steps around it,
 * for steps may be counted by tens.
 * A device's own idle time ends with its last work before a pause and goes on with its first work after it, as at both ends
 * of the file. */
#ifndef STEPSCOPE_PAUSES_H
#define STEPSCOPE_PAUSES_H
#include "derived.h"

const struct intervals *derived_pauses(const struct derived *d, uint32_t host);
/* From the device's last work before each pause to its first work after it. */
const struct intervals *derived_off(const struct derived *d, uint32_t device);
/* [a, b) without what derived_off covers. */
int64_t derived_watched_ns(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns);
/* The first pause of the host that lies between the two; false: there is none. */
bool derived_pause_in(const struct derived *d, uint32_t host, int64_t a_ns, int64_t b_ns, struct interval *out);
/* All pauses, of the host that has most of them; 0: the profiler was never off. */
struct pause_sum {
	uint32_t n;
	int64_t ns;
};
struct pause_sum derived_pause_sum(const struct derived *d);
/* "the profiler was off 2 times, for 800.547 ms in all, which count as nobody's time"; "" where it never was. */
const char *derived_pauses_say(const struct derived *d, char *buf, size_t size);
bool any_lost_records(const struct derived *d); /* a live capture lost some, of whatever device */
/* Lost records: a device that looks idle there may have been busy. The stretch of them of a device that covers most of [a, b); *ns
 * receives how much of it they all cover. NONE_ID when that is less than a tenth. */
row_id lost_records(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns, int64_t *ns);
#endif
