/* importers/xspace/hold.h - the lines of one plane, kept as raw bytes until its metadata has been read.
 * Why:     serialisers write a plane's lines before the maps that give events their names.
 * Memory:  nothing when the source is a plain file: the bytes are read again where they stand (hold_borrow). Otherwise up to
 *          32 MiB; beyond that they go to an unlinked temporary file and are read back. When no such file can be had everything
 *          stays in memory.
 * Life:    zero-initialise -> borrow or add* -> settle -> view* -> clear (reusable) -> free.
 * Threads: one until it is settled; then any number may view it. */
#ifndef STEPSCOPE_XSPACE_HOLD_H
#define STEPSCOPE_XSPACE_HOLD_H
#include "model/store/base/column.h"
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
	bool borrowed;
};
/* Where one who reads a hold has what lies in a file. Zero-initialise -> hold_view* -> hold_view_free. */
struct hold_view {
	struct column mem; /* bytes */
};
/* Readable bytes after those that hold_view gives: WIRE_PAD, and what vectors touch after these. */
enum { HOLD_PAD = 64 };

/* From now on the hold is that file: bytes added are passed over, views are of offsets of the file. The file stays the caller's. */
void hold_borrow(struct hold *h, int fd);

uint64_t hold_size(const struct hold *h);
bool hold_add(struct hold *h, const void *bytes, size_t n); /* false: out of memory or disk */
/* Nothing more will be added: false when the disk is full. */
bool hold_settle(struct hold *h);
/* The bytes from `at` on: n of them unless they end before (or cannot be read). Valid until the next call for the same view. */
const unsigned char *hold_view(const struct hold *h, struct hold_view *v, uint64_t at, size_t n, size_t *have);
void hold_view_free(struct hold_view *v);
void hold_clear(struct hold *h);
void hold_free(struct hold *h);
#endif
