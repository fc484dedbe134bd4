/* model/store/attrs_private.h - the inside of the attribute log, for the files that fill, read and save it. */
#ifndef STEPSCOPE_ATTRS_PRIVATE_H
#define STEPSCOPE_ATTRS_PRIVATE_H
#include "attrs.h"
#include "column.h"
#include <pthread.h>
#include <zstd.h>

/* Record: (key + 1 as varint, type byte, payload)*, 0. Lengths and integers are varints; signed ones zigzag. */
/* zstd -4 packs attributes a quarter smaller than -1 in the same time (measured on 20 MB of them: 0.12 s). */
enum { PACK_LEVEL = 4 };
enum { BLOCK = 64 * 1024, CACHED = 4, DEFAULT_CAP = 32 << 20, PACKED_MAX = BLOCK + BLOCK / 128 + 128 };
struct block {
	unsigned char *packed; /* NULL: in the spill file */
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
	size_t packed_bytes, in_memory, cap;
	ZSTD_CCtx *pack;
	unsigned char *scratch;
	int spill; /* file descriptor, -1 = none yet */
	int64_t spill_at;
	bool pack_failed; /* the packing thread's, while there is one */
	bool failed, in_record, wrote;
	struct packer *packer; /* NULL: blocks are packed where they are filled */
	attr_at record;
	uint64_t total; /* logical bytes */
	pthread_mutex_t lock;
	ZSTD_DCtx *unpack;
	struct cached *cache;
	uint64_t clock;
};

/* A full block, or the last part of one (bytes <= BLOCK): packed here or by the thread. */
void attrs_pack_block(struct attrs *a, const unsigned char *from, size_t bytes);
void attrs_end_thread(struct attrs *a); /* everything handed over is packed when this returns */

/* Saving: every packed block in order. False when one cannot be read back or fn says so. */
bool attrs_each_block(struct attrs *a, bool (*fn)(void *ctx, const void *packed, size_t n), void *ctx);
uint64_t attrs_total(const struct attrs *a);
/* A sealed log whose blocks lie one behind the other in a file from file_at on; takes over fd. sizes are copied. */
struct attrs *attrs_in_file(int fd, int64_t file_at, const uint32_t *sizes, size_t n_blocks, uint64_t total);
#endif
