/* model/store/attrs_keep.c - where the blocks of the log lie: as they were written, in memory up to the cap, then on disk;
 * packed, only in a saved file. Packing while importing was a sixth of the import's work; writing what goes beyond the cap
 * to a file costs a tenth of that, and who reads has nothing to unpack. */
#include "attrs_private.h"
#include "spill.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool spill(struct attrs *a, struct block *b, const unsigned char *from)
{
	if (a->file < 0)
		a->file = spill_open();
	if (a->file < 0 || !spill_write(a->file, from, b->size, a->file_end))
		return false;
	b->file_at = a->file_end;
	a->file_end += b->size;
	return true;
}

static bool keep(struct attrs *a, struct block *b, const unsigned char *from)
{
	if (a->in_memory + b->size > a->cap && spill(a, b, from))
		return true;
	b->bytes = malloc(b->size);
	if (!b->bytes)
		return false;
	memcpy(b->bytes, from, b->size);
	a->in_memory += b->size;
	return true;
}

void attrs_keep_block(struct attrs *a, const unsigned char *from, size_t n)
{
	struct block *b = column_push(&a->blocks);
	if (b)
		*b = (struct block){.size = (uint32_t)n};
	if (!b || !keep(a, b, from))
		a->failed = true;
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

/* False when the file has become shorter than it was. */
static bool from_file(const struct attrs *a, const struct block *b, void *to)
{
	return spill_read(a->file, to, b->size, b->file_at) == b->size;
}

static bool unpack(struct attrs *a, const struct block *b, unsigned char *to)
{
	if (!from_file(a, b, a->scratch))
		return false;
	return !ZSTD_isError(ZSTD_decompressDCtx(a->unpack, to, BLOCK, a->scratch, b->size));
}

static const unsigned char *cached_block(struct attrs *a, size_t index)
{
	const struct block *b = (const struct block *)a->blocks.p + index;
	struct cached *oldest = &a->cache[0];
	for (int i = 0; i < CACHED; i++) {
		struct cached *c = &a->cache[i];
		if (c->block == index + 1) {
			c->used = ++a->clock;
			return c->bytes;
		}
		if (c->used < oldest->used)
			oldest = c;
	}
	oldest->used = ++a->clock;
	bool sound = a->unpack ? unpack(a, b, oldest->bytes) : from_file(a, b, oldest->bytes);
	oldest->block = sound ? index + 1 : 0;
	return sound ? oldest->bytes : NULL;
}

const unsigned char *attrs_block(struct attrs *a, size_t index)
{
	if (index >= a->blocks.n)
		return NULL;
	const unsigned char *bytes = ((const struct block *)a->blocks.p)[index].bytes;
	return bytes ? bytes : cached_block(a, index);
}

/* ---- saving --------------------------------------------------------------------------------------------------- */

/* zstd -4 packs attributes a quarter smaller than -1 in the same time (measured on 20 MB of them: 0.06 s). */
enum { PACK_LEVEL = 4 };

/* Of its own, so that readers are not kept waiting. */
struct packing {
	ZSTD_CCtx *z; /* NULL: the blocks are packed already */
	unsigned char plain[BLOCK], packed[PACKED_MAX];
};

/* The block as it is saved, *n bytes. */
static const unsigned char *pack(const struct attrs *a, const struct block *b, struct packing *k, size_t *n)
{
	unsigned char *read = k->z ? k->plain : k->packed;
	if (!b->bytes && !from_file(a, b, read))
		return NULL;
	*n = b->size;
	if (!k->z)
		return read;
	*n = ZSTD_compressCCtx(k->z, k->packed, sizeof k->packed, b->bytes ? b->bytes : read, b->size, PACK_LEVEL);
	return ZSTD_isError(*n) ? NULL : k->packed;
}

bool attrs_each_packed(const struct attrs *a, bool (*fn)(void *ctx, const void *packed, size_t n), void *ctx)
{
	struct packing *k = malloc(sizeof *k);
	if (!k)
		return false;
	k->z = a->unpack ? NULL : ZSTD_createCCtx();
	bool ok = k->z || a->unpack;
	for (size_t i = 0; ok && i < a->blocks.n; i++) {
		size_t n;
		const unsigned char *packed = pack(a, (const struct block *)a->blocks.p + i, k, &n);
		ok = packed && fn(ctx, packed, n);
	}
	ZSTD_freeCCtx(k->z);
	free(k);
	return ok;
}

uint64_t attrs_total(const struct attrs *a)
{
	return a->total;
}

static bool add_packed(struct attrs *a, int64_t file_at, const uint32_t *sizes, size_t n_blocks)
{
	for (size_t i = 0; i < n_blocks; i++) {
		struct block *b = sizes[i] <= PACKED_MAX ? column_push(&a->blocks) : NULL;
		if (!b)
			return false;
		*b = (struct block){.file_at = file_at, .size = sizes[i]};
		file_at += sizes[i];
	}
	return true;
}

struct attrs *attrs_in_file(int fd, int64_t file_at, const uint32_t *sizes, size_t n_blocks, uint64_t total)
{
	struct attrs *a = attrs_new(0);
	if (!a) {
		close(fd);
		return NULL;
	}
	a->file = fd;
	a->total = total;
	free(a->open);
	a->open = NULL;
	if (attrs_reads_packed(a) && add_packed(a, file_at, sizes, n_blocks))
		return a;
	attrs_free(a);
	return NULL;
}
