/* importers/intake.h - the bytes of a stream in order, unpacked: what a source fills its windows with.
 * Threads: one at a time; after intake_ahead a thread of its own, until the intake is freed. */
#ifndef STEPSCOPE_INTAKE_H
#define STEPSCOPE_INTAKE_H
#include "model/store/base/progress.h"
#include <stddef.h>

/* What one filling gave. */
struct filled {
	size_t n;
	bool ended;         /* nothing follows */
	bool cut;           /* a plain file was to be longer */
	int error;          /* errno of read(2), 0 = none */
	const char *damage; /* of the packed stream, NULL = none */
};

struct intake;
/* fd: taken over; -1: the n bytes of memory, borrowed. NULL: out of memory. */
struct intake *intake_new(int fd, const void *memory, size_t n, struct progress *p);
void intake_free(struct intake *x);
/* Instead of memory: what `read` gives, 0 = end; it may say what is wrong. Before the first byte is read. */
void intake_read_by(struct intake *x, size_t (*read)(void *ctx, void *to, size_t room, const char **damage), void *ctx);
void intake_bound(struct intake *x, int64_t most_bytes); /* more than that is damage; at first there is no bound */
void intake_expect(struct intake *x, int64_t bytes);     /* stored bytes that must still come: fewer is a cut file */
void intake_step(struct intake *x, size_t bytes); /* how many packed bytes are read at a time; a default at first */
/* Goes on at that offset of a plain file; unused: bytes given that count as not read. */
void intake_go_on_at(struct intake *x, int64_t at, int64_t unused);
/* Reads the first bytes and looks at their magic. False: out of memory. */
bool intake_find_packing(struct intake *x);
bool intake_packed(const struct intake *x);

/* Up to `room` bytes, at least one unless the stream ends; all of them where `whole`, else what one read gives. */
struct filled intake_fill(struct intake *x, unsigned char *to, size_t room, bool whole);

/* From now on another thread fills what intake_begin gives it, INTAKE_AHEAD places at most at a time, one after the other: each `to`
 * belongs to it until intake_wait, which tells of the first of them, returns what it holds. False: no thread can be had. */
enum { INTAKE_AHEAD = 3 };
bool intake_ahead(struct intake *x);
void intake_begin(struct intake *x, unsigned char *to, size_t room);
struct filled intake_wait(struct intake *x);
#endif
