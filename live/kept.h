/* live/kept.h - the records of a capture that are kept: frames in segments, in order of arrival.
 * Segment: sealed when it is full or when someone wants to read; never changed after that. Readers hold references, so
 *          what is let go meanwhile stays readable for them.
 * Bounds:  at most `keep_bytes` and, when keep_ns is set, what ended less than keep_ns before the latest record; the oldest
 *          segments go first and are counted. With a file for spilling, sealed segments lie there instead of in memory.
 * Threads: one writer at a time and any number of readers of sealed segments; the caller has the lock around the rest. */
#ifndef STEPSCOPE_LIVE_KEPT_H
#define STEPSCOPE_LIVE_KEPT_H
#include "wire.h"

enum { SEGMENT_BYTES = 256 << 10 };
struct segment {
	_Atomic int refs;
	uint32_t target; /* whose records */
	uint32_t used;
	unsigned char *bytes; /* NULL: at `spilled_at` of the file */
	int64_t spilled_at;
	int fd;
	int64_t last_ns; /* latest end of its records */
	uint64_t records;
};
struct kept {
	uint64_t keep_bytes; /* 0 = no limit */
	int64_t keep_ns;     /* 0 = no limit */
	int spill_fd;        /* -1 = in memory */
	int64_t spilled;
	struct segment **sealed; /* oldest first */
	size_t n, cap;
	struct segment **open; /* [target], NULL = none */
	uint32_t n_open;
	uint64_t bytes, records, evicted;
	int64_t last_ns, evicted_to_ns; /* latest end seen; of what was let go */
	uint64_t refused;               /* records for which memory was out */
};
void kept_init(struct kept *k, uint64_t keep_bytes, int64_t keep_ns);
bool kept_spill(struct kept *k); /* from now on sealed segments go to a temporary file; false when there is none */
void kept_free(struct kept *k);
/* A whole frame. end_ns: when what it tells was over, 0 = it has no time. */
void kept_add(struct kept *k, uint32_t target, const struct wire_frame *f, int64_t end_ns);
/* All that is kept, with a reference on each: to be given back with segments_free. NULL when memory is out (or n = 0). */
struct segment **kept_all(struct kept *k, size_t *n);
void segments_free(struct segment **s, size_t n);
/* Calls `frame` for each frame, in order; stops when it returns false. False when the bytes cannot be read back. */
bool segment_each(const struct segment *s, bool (*frame)(void *ctx, const struct wire_frame *f), void *ctx);
#endif
