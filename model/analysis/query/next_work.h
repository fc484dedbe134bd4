/* model/analysis/query/next_work.h - which event of a device begins next after a moment, or last before it, on whatever stream.
 * Cost: O(streams * log) where they are few; else O(log), as the events of devices with many streams are put in order when first asked,
 * 4 bytes each. Life: made when first asked for, kept with `derived`. Threads: any. */
#ifndef STEPSCOPE_NEXT_WORK_H
#define STEPSCOPE_NEXT_WORK_H
#include "model/analysis/derived/derived.h"

enum { NEXT_WORK_FEW = 32 }; /* streams that are asked one by one */

struct next_work;
const struct next_work *next_work_of(const struct derived *d);
/* The first event of the device's streams that begins at ts_ns or later; of several at one time that of the first stream. NONE_ID: none. */
row_id next_work_after(const struct next_work *x, uint32_t device, int64_t ts_ns);
/* The last one that begins before ts_ns; of several at one time the last one of the first stream. */
row_id next_work_before(const struct next_work *x, uint32_t device, int64_t ts_ns);
/* The first work (row_is_work) that begins at at_ns, for a device with more than NEXT_WORK_FEW streams. NONE_ID: none. */
row_id next_work_begun_at(const struct next_work *x, uint32_t device, int64_t at_ns);
#endif
