/* model/analysis/steps/breakdown_spans.h - how long steps last on devices by the reference tool's rule: the work of a device in
 * order of its start, neighbours of one step joined; steps that alternate give several spans, the longest one counts. */
#ifndef STEPSCOPE_BREAKDOWN_SPANS_H
#define STEPSCOPE_BREAKDOWN_SPANS_H
#include "model/analysis/derived/derived.h"

/* The event belongs to a step; where the file brings groups of its own, by its own word: nothing inherits a group then. */
bool row_in_group(const struct derived *d, row_id r);
/* One per step, to be freed; a_ns > b_ns for a step without device work. */
struct interval *longest_spans(const struct derived *d);
/* One of the host's devices did anything. */
bool host_has_work(const struct derived *d, uint32_t host);
#endif
