/* model/analysis/query/busy_threads.h - which threads keep cores busy while the launching one records nothing.
 * Busy: over half of that time, in work: no step marker, no Python frame (frames stay open while their thread waits), no call
 *       that waits; a thread that launches for other devices has work of its own and takes no core away. */
#ifndef STEPSCOPE_BUSY_THREADS_H
#define STEPSCOPE_BUSY_THREADS_H
#include "model/analysis/derived/derived.h"

struct busy_threads {
	uint32_t input, other; /* threads that prepare input; all others */
	row_id row;            /* the longest event of one of them, NONE_ID = none is busy */
	int64_t ns;            /* time that the busiest of them fills */
};
/* What an event says that its thread does meanwhile. */
enum thread_does {
	DOES_NOTHING, /* says nothing: a step marker, a Python frame, the profiler's own ranges */
	DOES_WAIT,
	DOES_INPUT, /* prepares input, by the event's name or its thread's */
	DOES_OTHER
};
enum thread_does thread_does(const struct derived *d, row_id r);
/* Whether it launches most of what a device does. */
bool thread_launches_most(const struct derived *d, uint32_t track);
/* Adds the track to `out` (row NONE_ID at first) when it is a thread (derived_is_thread) and busy over [a, b). */
void busy_threads_add(const struct derived *d, uint32_t track, int64_t a_ns, int64_t b_ns, struct busy_threads *out);
/* Whether they leave no core for the launching thread. */
bool busy_threads_crowd(const struct busy_threads *b);
/* The hosts' threads other than `own` that are busy over [a, b). */
struct busy_threads busy_threads_beside(const struct derived *d, uint32_t own, int64_t a_ns, int64_t b_ns);
#endif
