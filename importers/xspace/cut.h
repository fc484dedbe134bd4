/* importers/xspace/cut.h - part of a recorded XSpace as an XSpace of its own.
 * Kept:   planes, lines and their stats as they were written; of events those that are chosen, byte by byte; of metadata what these
 *         refer to, and all of planes that have no lines (programs); hosts, errors and warnings.
 * Marks:  a chosen event may get one more stat, "window", whose text says how it lies to what was asked for.
 * Errors: a recording that is damaged is refused with the offset: what could be cut out of it cannot be told from what is lost.
 * Memory: one plane as it was written, and as it leaves. Threads: one for each call. */
#ifndef STEPSCOPE_XSPACE_CUT_H
#define STEPSCOPE_XSPACE_CUT_H
#include "importers/source.h"
#include "model/store/base/strings.h"
#include <stdio.h>

struct xspace_slice {
	int64_t a_ns,
		b_ns; /* samples of counters: those of [a, b), and of each series the one that holds at a; the recording's clock */
	/* Of every other event that has a place in time, as the importer rounds it, and the name it is shown by: NULL where it does not
	 * leave, "" where it does, else the text of its mark. */
	const char *(*choose)(void *ctx, int64_t start_ns, int64_t dur_ns, struct span name);
	void *ctx;
	uint64_t n_events, n_samples; /* how many left: set by xspace_slice */
};
/* Whether a source begins like an XSpace; moves nothing. */
bool xspace_is_source(struct source *s);
/* Errors of `out` are the caller's to find. False with `e`: damaged, not readable, cancelled. */
bool xspace_slice(struct source *from, struct xspace_slice *c, struct progress *p, FILE *out, struct err *e);
/* The recording as it is, unpacked. */
bool xspace_copy(struct source *from, struct progress *p, FILE *out, struct err *e);
#endif
