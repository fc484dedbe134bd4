/* model/store/facts/attrs_keep.c - where the blocks of the log lie. Up to the cap they are kept as they were written: most
 * traces have no more, and who reads has nothing to unpack. Beyond it they are packed, in memory up to the cap, then on disk. */
#include "attrs_pack.h"
#include "attrs_packed.h"
#include "model/store/files/codec.h"
#include "model/store/files/spill.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For how many new blocks one of the first is packed, too. */
enum { NEW_PER_EARLIER = 4 };

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

/* Blocks that are kept as they were written lie together: the kernel gives large pages at once. The first ones do not: most traces
 * are small. Rooms come by the dozen, since who asks for memory waits for who clears pages meanwhile (ahead.h); untouched they cost
 * nothing. */
enum {
	BLOCK_ROOM = BLOCK + CODED_SLACK,
	ROOM_BYTES = 2 << 20,
	ROOM_BLOCKS = ROOM_BYTES / BLOCK_ROOM,
	ROOMS_AT_ONCE = 16
};

static struct column *push_room(struct attrs *a, void *p, size_t bytes)
{
	struct column *c = column_push(&a->rooms);
	if (c)
		*c = (struct column){.p = p, .cap = bytes, .size = 1};
	return c;
}

/* Each is freed on its own. */
static bool push_rooms(struct attrs *a)
{
	struct column all = {.size = 1};
	size_t room = a->rooms.n;
	if (!column_grow(&a->rooms, room + ROOMS_AT_ONCE) || !column_grow(&all, (size_t)ROOMS_AT_ONCE * ROOM_BYTES))
		return false;
	for (size_t i = 0; i < ROOMS_AT_ONCE; i++)
		push_room(a, (char *)all.p + i * ROOM_BYTES, ROOM_BYTES);
	return true;
}

static struct column *room_at(struct attrs *a, size_t room)
{
	a->rooms.size = sizeof(struct column);
	bool ok = a->rooms.n || push_room(a, NULL, 0);
	while (ok && a->rooms.n <= room)
		ok = push_rooms(a);
	struct column *c = (struct column *)a->rooms.p + room;
	/* a column that grows lies on small pages up to there */
	ok = ok && (room || (column_grow(c, 1) && column_grow(c, ROOM_BYTES)));
	return ok ? c : NULL;
}

static unsigned char *room_of(struct attrs *a, size_t index)
{
	const struct column *c = room_at(a, index / ROOM_BLOCKS);
	return c ? (unsigned char *)c->p + index % ROOM_BLOCKS * BLOCK_ROOM : NULL;
}

void *attrs_next_room(struct attrs *a, size_t *bytes)
{
	bool near_cap = a->packer || a->in_memory + 2 * ROOM_BYTES > a->cap;
	const struct column *c = near_cap ? NULL : room_at(a, a->blocks.n / ROOM_BLOCKS + 1);
	*bytes = ROOM_BYTES;
	return c ? c->p : NULL;
}

/* The block is packed: when it was the last one of its room nothing lies there any more. */
static void leave_room(struct attrs *a, size_t index)
{
	if ((index + 1) % ROOM_BLOCKS == 0)
		column_free((struct column *)a->rooms.p + index / ROOM_BLOCKS);
}

void attrs_free_blocks(struct attrs *a)
{
	for (size_t i = 0; i < a->blocks.n; i++)
		if (((struct block *)a->blocks.p)[i].packed)
			free(((struct block *)a->blocks.p)[i].bytes);
	for (size_t i = 0; i < a->rooms.n; i++)
		column_free((struct column *)a->rooms.p + i);
	column_free(&a->blocks);
	column_free(&a->rooms);
}

static bool keep(struct attrs *a, size_t index, const unsigned char *from)
{
	struct block *b = (struct block *)a->blocks.p + index;
	if (a->in_memory + b->size > a->cap && spill(a, b, from))
		return true;
	b->bytes = b->packed ? malloc(b->size + CODED_SLACK) : room_of(a, index);
	if (!b->bytes)
		return false;
	memcpy(b->bytes, from, b->size);
	a->in_memory += b->size;
	return true;
}

static void keep_packed(void *ctx, size_t index, const void *packed, size_t n)
{
	struct attrs *a = ctx;
	struct block *b = (struct block *)a->blocks.p + index;
	b->size = (uint32_t)n;
	b->packed = true;
	if (!n || !keep(a, index, packed))
		a->failed = true;
}

/* From the first block on that is packed all are. Without memory for that they stay as they are. */
static bool packs(struct attrs *a, size_t n)
{
	if (!a->packer && a->in_memory + n > a->cap && (a->unpack || attrs_reads_packed(a))) {
		struct packer *k = packer_new(a->threads, keep_packed, a);
		if (k)
			packer_helped(k, a->helped);
		a->packer = k;
	}
	return a->packer != NULL;
}

/* Packs one of the first blocks, which are kept as they were written only as long as there are few. */
static void pack_earlier(struct attrs *a)
{
	struct block *b = (struct block *)a->blocks.p + a->n_packed_again;
	if (!b->bytes || b->packed)
		return;
	const unsigned char *plain = b->bytes;
	size_t n = b->size, index = a->n_packed_again++;
	a->in_memory -= n;
	b->bytes = NULL;
	packer_add(a->packer, index, plain, n, b->first);
	leave_room(a, index);
}

void attrs_keep_block(struct attrs *a, const unsigned char *from, size_t n)
{
	struct block *b = column_push(&a->blocks);
	if (!b) {
		a->failed = true;
		return;
	}
	*b = (struct block){.size = (uint32_t)n, .first = (uint16_t)(a->first < n ? a->first : UINT16_MAX)};
	a->first = BLOCK;
	if (packs(a, n)) {
		/* before, so that there is room for the packed ones */
		if (a->n_packed_new++ % NEW_PER_EARLIER == 0)
			pack_earlier(a);
		packer_add(a->packer, a->blocks.n - 1, from, n, b->first);
	} else if (!keep(a, a->blocks.n - 1, from))
		a->failed = true;
}

uint64_t attrs_spilled(const struct attrs *a)
{
	return a->saved ? 0 : (uint64_t)a->file_end;
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

/* The bytes of a block as they were written. */
static bool plain_bytes(const struct attrs *a, size_t index, unsigned char *to)
{
	const struct block *b = (const struct block *)a->blocks.p + index;
	if (!b->packed)
		return from_file(a, b, to);
	if (!b->bytes && !(a->saved ? packed_bytes(a, b, a->scratch) : from_file(a, b, a->scratch)))
		return false;
	return attrs_unpack(a->unpack, b->bytes ? b->bytes : a->scratch, b->size, to, attrs_block_bytes(a, index));
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
	bool sound = plain_bytes(a, index, oldest->bytes);
	oldest->block = sound ? index + 1 : 0;
	if (!sound)
		attrs_lost(a, b);
	return sound ? oldest->bytes : NULL;
}

const unsigned char *attrs_block(struct attrs *a, size_t index)
{
	if (index >= a->blocks.n)
		return NULL;
	const struct block *b = (const struct block *)a->blocks.p + index;
	return b->bytes && !b->packed ? b->bytes : cached_block(a, index);
}

void attrs_check(struct attrs *a)
{
	struct block *b = a->blocks.p;
	pthread_mutex_lock(&a->lock);
	for (size_t i = 0; a->saved && i < a->blocks.n; i++)
		if (!b[i].lost && !packed_bytes(a, &b[i], a->scratch))
			attrs_lost(a, &b[i]);
	pthread_mutex_unlock(&a->lock);
}

/* ---- saving --------------------------------------------------------------------------------------------------- */

/* Of its own, so that readers are not kept waiting. */
struct saving {
	struct packing *k; /* NULL: the blocks are those of a saved file already */
	unsigned char kept[PACKED_MAX + CODED_SLACK], packed[PACKED_MAX + CODED_SLACK], saved[PACKED_MAX];
};

/* The block as it is saved, *n bytes. */
static bool pack(const struct attrs *a, const struct block *b, struct saving *x, size_t *n)
{
	const unsigned char *kept = b->bytes ? b->bytes : x->kept;
	if (!b->bytes && !from_file(a, b, x->kept))
		return false;
	size_t packed = b->packed ? b->size : attrs_pack(x->k, x->packed, kept, b->size, b->first);
	*n = packed ? attrs_pack_saved(x->k, x->saved, b->packed ? kept : x->packed, packed) : 0;
	return *n > 0;
}

/* The bytes of a packed block, *n of them, 0 when they cannot be read; the checksum they should have. */
static uint64_t copy_packed(struct attrs *a, struct block *b, struct saving *x, size_t *n)
{
	*n = from_file(a, b, x->saved) ? b->size : 0;
	uint64_t hash = codec_hash(x->saved, *n, 0);
	if (*n == b->size && hash == b->hash)
		return hash;
	attrs_lost(a, b);
	/* a damaged block is saved with a checksum that it fails, so that it is known as damaged there, too */
	return hash == b->hash ? ~hash : b->hash;
}

bool attrs_each_packed(struct attrs *a, bool (*fn)(void *ctx, const void *packed, size_t n, uint64_t hash), void *ctx)
{
	struct saving *x = malloc(sizeof *x);
	if (!x)
		return false;
	x->k = a->saved ? NULL : packing_new();
	bool ok = a->saved || x->k;
	for (size_t i = 0; ok && i < a->blocks.n; i++) {
		struct block *b = (struct block *)a->blocks.p + i;
		size_t n = 0;
		uint64_t hash = x->k ? 0 : copy_packed(a, b, x, &n);
		ok = !x->k || pack(a, b, x, &n);
		if (ok && x->k)
			hash = codec_hash(x->saved, n, 0);
		ok = ok && fn(ctx, x->saved, n, hash);
	}
	packing_free(x->k);
	free(x);
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
		*b = (struct block){.file_at = at, .size = x->sizes[i], .hash = x->hashes[i], .packed = true};
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
	a->saved = true;
	a->total = x->total;
	a->notes = x->notes;
	free(a->open);
	a->open = NULL;
	if (attrs_reads_packed(a) && add_packed(a, x))
		return a;
	attrs_free(a);
	return NULL;
}
