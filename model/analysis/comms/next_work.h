/* model/analysis/comms/next_work.h - which event of a device begins next after a moment, or last before it, on whatever stream.
 * Cost: O(streams * log) where they are few; else the device's events are put in order once, 4 bytes each, and a question is O(log).
 * Life: next_work_new -> next_work_after, next_work_before... -> next_work_free. One thread. */
#ifndef STEPSCOPE_NEXT_WORK_H
#define STEPSCOPE_NEXT_WORK_H
#include "model/analysis/derived/derived.h"

struct next_work;
struct next_work *next_work_new(const struct derived *d);
void next_work_free(struct next_work *x); /* NULL is fine */
/* The first event of the device's streams that begins at ts_ns or later; of several at one time that of the first stream. NONE_ID: none. */
row_id next_work_after(struct next_work *x, uint32_t device, int64_t ts_ns);
/* The last one that begins before ts_ns; of several at one time the last one of the first stream. */
row_id next_work_before(struct next_work *x, uint32_t device, int64_t ts_ns);
#endif
