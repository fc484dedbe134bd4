/* model/store/attrs_private.h - the inside of the attribute log, for the files that fill, read and save it. */
#ifndef STEPSCOPE_ATTRS_PRIVATE_H
#define STEPSCOPE_ATTRS_PRIVATE_H
#include "attrs.h"
#include "column.h"
#include <pthread.h>
#include <zstd.h>

/* Record: (key + 1 as varint, type byte, payload)*, 0. Lengths and integers are varints; signed ones zigzag. */
enum { BLOCK = 64 * 1024, CACHED = 4, DEFAULT_CAP = 32 << 20, PACKED_MAX = BLOCK + BLOCK / 128 + 128 };
struct block {
	unsigned char *bytes; /* NULL: in the file */
	int64_t file_at;
	uint32_t size;
};
struct cached {
	size_t block; /* index + 1, 0 = empty */
	uint64_t used;
	unsigned char bytes[BLOCK];
};
struct attrs {
	unsigned char *open; /* the block being filled; attrs_room may make it larger */
	size_t fill, open_size;
	struct column blocks; /* struct block */
	size_t in_memory, cap;
	int file; /* of what lies on disk: the temporary or the saved file; -1 = none yet */
	int64_t file_end;
	bool failed, in_record, wrote;
	attr_at record;
	uint64_t total; /* logical bytes */
	pthread_mutex_t lock;
	struct cached *cache;
	uint64_t clock;
	ZSTD_DCtx *unpack; /* the blocks are those of a saved file; NULL: they are as they were written */
	unsigned char *scratch;
};

/* A full block, or the last part of one (n <= BLOCK), is kept. */
void attrs_keep_block(struct attrs *a, const unsigned char *from, size_t n);
/* A block's bytes, until the next call; NULL when they cannot be had. Under the lock. */
const unsigned char *attrs_block(struct attrs *a, size_t index);
/* The blocks of the log are packed ones; false when memory is out. */
bool attrs_reads_packed(struct attrs *a);

/* Saving: every block in order, packed. False when one cannot be read back or fn says so. */
bool attrs_each_packed(const struct attrs *a, bool (*fn)(void *ctx, const void *packed, size_t n), void *ctx);
uint64_t attrs_total(const struct attrs *a);
/* A sealed log whose packed blocks lie one behind the other in a file from file_at on; takes over fd. sizes are copied. */
struct attrs *attrs_in_file(int fd, int64_t file_at, const uint32_t *sizes, size_t n_blocks, uint64_t total);
#endif
