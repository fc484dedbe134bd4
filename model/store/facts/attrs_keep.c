/* model/store/facts/attrs_keep.c - where the blocks of the log lie: as they were written, in memory up to the cap, then on disk;
 * packed, only in a saved file. Packing while importing was a sixth of the import's work; writing what goes beyond the cap
 * to a file costs a tenth of that, and who reads has nothing to unpack. */
#include "attrs_private.h"
#include "model/store/files/codec.h"
#include "model/store/files/spill.h"
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

/* The packed bytes of a block of a saved file; false when they are not those that were written. */
static bool packed_bytes(const struct attrs *a, const struct block *b, unsigned char *to)
{
	return from_file(a, b, to) && codec_hash(to, b->size, 0) == b->hash;
}

/* The bytes a block has unpacked: all but the last are full. */
static size_t attrs_block_bytes(const struct attrs *a, size_t index)
{
	uint64_t left = a->total - (uint64_t)index * BLOCK;
	return left < BLOCK ? (size_t)left : BLOCK;
}

/* Notes, once for each, a block that cannot be had. */
static void attrs_lost(struct attrs *a, struct block *b)
{
	if (!atomic_exchange(&b->lost, true) && a->notes)
		notes_add_sealed(a->notes, NOTE_ATTRS_DAMAGED, 1);
}

static bool unpack(struct attrs *a, const struct block *b, size_t bytes, unsigned char *to)
{
	return packed_bytes(a, b, a->scratch) &&
	       ZSTD_decompressDCtx(a->unpack, to, BLOCK, a->scratch, b->size) == bytes;
}

static const unsigned char *cached_block(struct attrs *a, size_t index)
{
	struct block *b = (struct block *)a->blocks.p + index;
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
	if (b->lost)
		return NULL;
	oldest->used = ++a->clock;
	bool sound =
		a->unpack ? unpack(a, b, attrs_block_bytes(a, index), oldest->bytes) : from_file(a, b, oldest->bytes);
	oldest->block = sound ? index + 1 : 0;
	if (!sound)
		attrs_lost(a, b);
	return sound ? oldest->bytes : NULL;
}

const unsigned char *attrs_block(struct attrs *a, size_t index)
{
	if (index >= a->blocks.n)
		return NULL;
	const unsigned char *bytes = ((const struct block *)a->blocks.p)[index].bytes;
	return bytes ? bytes : cached_block(a, index);
}

void attrs_check(struct attrs *a)
{
	struct block *b = a->blocks.p;
	pthread_mutex_lock(&a->lock);
	for (size_t i = 0; a->unpack && i < a->blocks.n; i++)
		if (!b[i].lost && !packed_bytes(a, &b[i], a->scratch))
			attrs_lost(a, &b[i]);
	pthread_mutex_unlock(&a->lock);
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
static bool pack(const struct attrs *a, const struct block *b, struct packing *k, size_t *n)
{
	if (!b->bytes && !from_file(a, b, k->plain))
		return false;
	*n = ZSTD_compressCCtx(k->z, k->packed, sizeof k->packed, b->bytes ? b->bytes : k->plain, b->size, PACK_LEVEL);
	return !ZSTD_isError(*n);
}

/* The bytes of a packed block, *n of them, 0 when they cannot be read; the checksum they should have. */
static uint64_t copy_packed(struct attrs *a, struct block *b, struct packing *k, size_t *n)
{
	*n = from_file(a, b, k->packed) ? b->size : 0;
	uint64_t hash = codec_hash(k->packed, *n, 0);
	if (*n == b->size && hash == b->hash)
		return hash;
	attrs_lost(a, b);
	/* a damaged block is saved with a checksum that it fails, so that it is known as damaged there, too */
	return hash == b->hash ? ~hash : b->hash;
}

bool attrs_each_packed(struct attrs *a, bool (*fn)(void *ctx, const void *packed, size_t n, uint64_t hash), void *ctx)
{
	struct packing *k = malloc(sizeof *k);
	if (!k)
		return false;
	k->z = a->unpack ? NULL : ZSTD_createCCtx();
	bool ok = k->z || a->unpack;
	for (size_t i = 0; ok && i < a->blocks.n; i++) {
		struct block *b = (struct block *)a->blocks.p + i;
		size_t n = 0;
		uint64_t hash = k->z ? 0 : copy_packed(a, b, k, &n);
		ok = !k->z || pack(a, b, k, &n);
		if (ok && k->z)
			hash = codec_hash(k->packed, n, 0);
		ok = ok && fn(ctx, k->packed, n, hash);
	}
	ZSTD_freeCCtx(k->z);
	free(k);
	return ok;
}

uint64_t attrs_total(const struct attrs *a)
{
	return a->total;
}

static bool add_packed(struct attrs *a, const struct attrs_place *x)
{
	int64_t at = x->at;
	if (x->n_blocks != x->total / BLOCK + (x->total % BLOCK != 0))
		return false;
	for (size_t i = 0; i < x->n_blocks; i++) {
		struct block *b = x->sizes[i] <= PACKED_MAX ? column_push(&a->blocks) : NULL;
		if (!b)
			return false;
		*b = (struct block){.file_at = at, .size = x->sizes[i], .hash = x->hashes[i]};
		at += x->sizes[i];
	}
	return true;
}

struct attrs *attrs_in_file(const struct attrs_place *x)
{
	struct attrs *a = attrs_new(0);
	if (!a) {
		close(x->fd);
		return NULL;
	}
	a->file = x->fd;
	a->total = x->total;
	a->notes = x->notes;
	free(a->open);
	a->open = NULL;
	if (attrs_reads_packed(a) && add_packed(a, x))
		return a;
	attrs_free(a);
	return NULL;
}
