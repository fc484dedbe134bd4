/* importers/xspace/hold.h - the lines of one plane, kept as raw bytes until its metadata has been read.
 * Why:     serialisers write a plane's lines before the maps that give events their names.
 * Memory:  nothing when the source is a plain file: the bytes are read again where they stand (hold_borrow). Otherwise up to
 *          32 MiB; beyond that they go to an unlinked temporary file and are read back through a window. When no such file
 *          can be had everything stays in memory.
 * Life:    zero-initialise -> borrow or add* -> view* -> clear (reusable) -> free. */
#ifndef STEPSCOPE_XSPACE_HOLD_H
#define STEPSCOPE_XSPACE_HOLD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hold {
	unsigned char *mem;
	size_t n, room; /* in memory */
	size_t cap;     /* 0 = 32 MiB; tests use tiny ones */
	int fd;         /* the temporary file or the borrowed one, valid when spilled > 0 */
	bool no_file;   /* the file system refused one */
	uint64_t spilled;
	uint64_t window_at; /* where mem stands once the bytes are in the file */
	bool reading, borrowed;
};
/* Readable bytes after those that hold_view gives: WIRE_PAD, and what vectors touch after these. */
enum { HOLD_PAD = 64 };

/* From now on the hold is that file: bytes added are passed over, views are of offsets of the file. The file stays the caller's. */
void hold_borrow(struct hold *h, int fd);

uint64_t hold_size(const struct hold *h);
bool hold_add(struct hold *h, const void *bytes, size_t n); /* false: out of memory or disk */
/* The bytes from `at` on: at least `want` of them unless they end before (or cannot be read). Valid until the next call. */
const unsigned char *hold_view(struct hold *h, uint64_t at, size_t want, size_t *have);
void hold_clear(struct hold *h);
void hold_free(struct hold *h);
#endif
