/* model/store/trace/part.h - one rank of a trace as a trace of its own: the events of one host, or of one host and one of its devices.
 * As if that host alone had been recorded: its first event is at 0, rows have numbers of their own.
 * Owner:  keeps a reference to the trace it is of, whose texts and attributes it shares.
 * Memory: about 40 bytes per event. Cost: linear. */
#ifndef STEPSCOPE_PART_H
#define STEPSCOPE_PART_H
#include "trace.h"

/* device: NONE_ID = all of the host. NULL with `e` when memory is out. */
struct trace *trace_part(const struct trace *whole, uint32_t host, uint32_t device, struct err *e);
#endif
