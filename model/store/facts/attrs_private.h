/* model/store/facts/attrs_private.h - the inside of the attribute log, for the files that fill, read and save it. */
#ifndef STEPSCOPE_ATTRS_PRIVATE_H
#define STEPSCOPE_ATTRS_PRIVATE_H
#include "attrs.h"
#include "notes.h"
#include "model/store/base/column.h"
#include <pthread.h>
#include <stdatomic.h>

/* Record: (key + 1 as varint, type byte, payload)*, 0. Lengths and integers are varints; signed ones zigzag. */
enum {
	BLOCK = 64 * 1024,
	CACHED = 4,
	DEFAULT_CAP = 32 << 20,
	MOST_CAPS_MIB = 2048,
	PACKED_MAX = BLOCK + BLOCK / 128 + 128
};
struct block {
	unsigned char *bytes; /* NULL: in the file */
	int64_t file_at;
	uint64_t hash; /* of a saved one: codec_hash of what lies in the file, when it is sound */
	uint32_t size;
	uint16_t
		first; /* byte of it at which a record begins, for packing it; UINT16_MAX: none does, or it is packed */
	bool packed;
	_Atomic bool lost; /* and noted */
};
struct cached {
	size_t block; /* index + 1, 0 = empty */
	uint64_t used;
	unsigned char bytes[BLOCK];
};
struct attrs {
	unsigned char *open; /* the block being filled; attrs_reserve may make it larger */
	size_t fill, open_size;
	size_t first;         /* byte of the open block at which a record begins; BLOCK = none yet */
	struct column blocks; /* struct block */
	struct column
		rooms; /* char *: for the blocks of the same numbers that are kept as they were written, ROOM_BLOCKS in each */
	size_t in_memory, cap, cap_of_one; /* bytes; cap: of all sources */
	unsigned sources;
	struct packer *_Atomic packer;       /* of blocks that are not kept as they were written, NULL = none yet */
	bool helped;                         /* see attrs_helped */
	size_t n_packed_new, n_packed_again; /* blocks given to it: new ones, and of the first ones */
	unsigned threads;                    /* that may be used for it, the writer's included */
	int file;                            /* of what lies on disk: the temporary or the saved file; -1 = none yet */
	int64_t file_end;
	bool failed, in_record, wrote;
	attr_at record;
	uint64_t total; /* logical bytes */
	pthread_mutex_t lock;
	struct cached *cache;
	uint64_t clock;
	bool saved;               /* the blocks are those of a saved file */
	struct unpacking *unpack; /* NULL: no block is packed */
	unsigned char *scratch;
	struct notes *notes;       /* where lost blocks are told; NULL: nowhere */
	_Atomic bool *lost_record; /* one that names no place in the log was met, and noted; a view has its log's */
	_Atomic bool own_lost_record;
};

/* A full block, or the last part of one (n <= BLOCK), is kept; CODED_SLACK bytes after it may be touched. */
void attrs_keep_block(struct attrs *a, const unsigned char *from, size_t n);
void attrs_free_blocks(struct attrs *a);
/* A block's bytes, until the next call; NULL when they cannot be had. Under the lock. */
const unsigned char *attrs_block(struct attrs *a, size_t index);
/* There are packed blocks to be read; false when memory is out. */
bool attrs_reads_packed(struct attrs *a);

/* Saving: every block in order, packed, with its checksum. One of a saved file that turns out damaged or gone is noted and
 * handed over with a checksum that it fails, so that it stays known as damaged. False when one of an import cannot be read
 * back or fn says so. */
bool attrs_each_packed(struct attrs *a, bool (*fn)(void *ctx, const void *packed, size_t n, uint64_t hash), void *ctx);
uint64_t attrs_total(const struct attrs *a);
/* Packed blocks that lie one after the other in a file. */
struct attrs_place {
	int fd;     /* taken over */
	int64_t at; /* of the first one */
	const uint32_t *sizes;
	const uint64_t *hashes; /* both of n_blocks; copied */
	uint64_t n_blocks, total;
	struct notes *notes; /* told when a block is lost; must outlive the log */
};
/* A sealed log of them; NULL when they do not fit their total, or memory is out. */
struct attrs *attrs_in_file(const struct attrs_place *x);
#endif
