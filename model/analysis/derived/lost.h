/* model/analysis/derived/lost.h - where a live capture lost records: a device that looks idle there may have been busy. */
#ifndef STEPSCOPE_LOST_H
#define STEPSCOPE_LOST_H
#include "derived.h"

/* The stretch of lost records of a device that covers most of [a, b); *ns receives how much of it they all cover. NONE_ID
 * when that is less than a tenth. */
row_id lost_records(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns, int64_t *ns);
#endif
