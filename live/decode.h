/* live/decode.h - kept records into an ingest: the same facts a file import gives, so every analysis works on them.
 * Kernels, copies and sets go to streams, calls and NVTX ranges to threads; waits, overhead, allocations and compilations
 * have lanes of their own; where records were lost, a lane "lost records" of each device and of the process says so.
 * Threads: reads plain copies and sealed segments; only strings are looked up under a lock. */
#ifndef STEPSCOPE_LIVE_DECODE_H
#define STEPSCOPE_LIVE_DECODE_H
#include "intake.h"
#include "model/store/ingest/ingest.h"
#include <pthread.h>

/* All of a capture at one moment. */
struct snapshot {
	struct segment **segments;
	size_t n_segments;
	struct target_facts *targets;
	uint32_t n_targets;
	struct wire_shape *shapes; /* [number - 1] */
	struct wire_place *places;
	uint32_t n_shapes, n_places;
	const struct strings *strings;
	pthread_mutex_t *lock; /* around strings */
	uint64_t evicted, refused;
	int64_t evicted_to_ns;
};
/* Gives everything to `in`; false on cancel, or when kept records cannot be read back. */
bool decode(const struct snapshot *s, struct ingest *in, struct progress *p, struct err *e);
#endif
