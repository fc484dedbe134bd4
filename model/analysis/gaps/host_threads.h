/* model/analysis/gaps/host_threads.h - the threads of a host whose events count, and which of them may tell of a time, for who looks at one
 * gap: found by where the events of a thread begin and end as a whole. Who looks at gaps one behind the other asks query/awake.h.
 * Made by the first who asks and kept with the derived trace; any thread. */
#ifndef STEPSCOPE_HOST_THREADS_H
#define STEPSCOPE_HOST_THREADS_H
#include "model/analysis/derived/derived.h"

/* All of them: tracks in order. Returns how many. */
uint32_t host_threads(const struct derived *d, uint32_t host, const uint32_t **tracks);
/* Those with events in [a, b), in order; the caller frees *tracks. Returns how many. Cost: of those whose events as a whole reach into
 * it, and of the logarithm of all for each. */
uint32_t host_threads_in(const struct derived *d, uint32_t host, int64_t a_ns, int64_t b_ns, uint32_t **tracks);
#endif
