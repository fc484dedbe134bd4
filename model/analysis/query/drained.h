/* model/analysis/query/drained.h - the call that waited for a device when it ran dry.
 * Cost: of the events around that moment that end in time. Threads: any number. */
#ifndef STEPSCOPE_DRAINED_H
#define STEPSCOPE_DRAINED_H
#include "model/analysis/derived/derived.h"

/* The call that waited for the device when at_ns came, and ended by until_ns: what is queued was done then. Of those around one another the
 * outermost; NONE_ID: none, or it waited for a replayed graph: the next one is launched by a single call, so what the host does until then is work of its
 * own. near: a row of any kind; becomes one from which the next question, where it is about a later moment of the thread, is answered sooner. */
row_id thread_drained_by(const struct derived *d, uint32_t track, int64_t at_ns, int64_t until_ns, row_id *near);
#endif
