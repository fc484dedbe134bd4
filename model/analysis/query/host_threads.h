/* model/analysis/query/host_threads.h - the threads of a host whose events count, and which of them may tell of a time, for who looks at one
 * gap: found by where the events of a thread start and end as a whole, and in which parts of the trace's time it has any. Who looks at gaps
 * one after the other asks awake.h, but where threads come and go.
 * Made by the first who asks and kept with the derived trace; any thread. */
#ifndef STEPSCOPE_HOST_THREADS_H
#define STEPSCOPE_HOST_THREADS_H
#include "model/analysis/derived/derived.h"

/* All of them: tracks in order. Returns how many. */
uint32_t host_threads(const struct derived *d, uint32_t host, const uint32_t **tracks);
/* Those with events in [a, b), in order; the caller frees *tracks. Returns how many. Cost: of those whose events as a whole reach into
 * it, and of the logarithm of all for each. */
uint32_t host_threads_in(const struct derived *d, uint32_t host, int64_t a_ns, int64_t b_ns, uint32_t **tracks);
/* There are very many of them, each of which has its events in a small part of the time: any time meets few. */
bool host_threads_come_and_go(const struct derived *d, uint32_t host);
/* Of these threads those with events in [a, b), in the same order: into `out`, which has room for all, or is the list itself. */
uint32_t host_threads_meeting(const struct derived *d, const uint32_t *tracks, uint32_t n, int64_t a_ns, int64_t b_ns,
			      uint32_t *out);
/* Threads of a process that prepare no input for others: tracks in order. Returns how many. */
uint32_t host_threads_of_process(const struct derived *d, uint32_t process, const uint32_t **tracks);
#endif
