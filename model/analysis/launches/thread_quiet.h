/* model/analysis/launches/thread_quiet.h - whether input is prepared while the threads that launch record nothing.
 * Quiet:   time between a device's first and last work in which it does nothing and no track that launches for it has an event but
 *          Python frames, the profiler's ranges and step markers. The trace does not tell why: the thread waits, has no core, or does what is not recorded.
 * Input:   innermost events that prepare input, on threads that launch nothing.
 * CPUs:    as the lanes say that tell when a thread is on a CPU (lane_name_on_cpu).
 * Windows: times are clipped. */
#ifndef STEPSCOPE_THREAD_QUIET_H
#define STEPSCOPE_THREAD_QUIET_H
#include "threads.h"

/* Fills quiet_ns, input_ns, off_cpu_ns and cpus of `uses`, which thread_uses_make made for the same query. False with `e` on cancel. */
bool thread_quiet_fill(const struct derived *d, const struct query *q, struct thread_uses *uses, struct progress *p,
		       struct err *e);
#endif
