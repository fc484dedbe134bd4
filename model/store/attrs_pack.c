/* model/store/attrs_pack.c - packs full blocks of attributes and keeps them, in memory up to the cap, then on disk. With a
 * second core this happens beside the import: a ring of plain blocks goes to one worker, which keeps their order. On a
 * million PyTorch entries packing is a seventh of the import's work. */
#include "attrs_private.h"
#include "spill.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RING = 16 };
struct packer {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned char *block[RING];
	size_t bytes[RING];
	unsigned filled, packed; /* counts; the ring holds filled - packed blocks */
	bool ending;
};

static bool spill(struct attrs *a, struct block *b)
{
	if (a->spill < 0)
		a->spill = spill_open();
	if (a->spill < 0 || !spill_write(a->spill, a->scratch, b->size, a->spill_at))
		return false;
	b->file_at = a->spill_at;
	a->spill_at += b->size;
	return true;
}

static bool keep(struct attrs *a, struct block *b)
{
	if (a->in_memory + b->size > a->cap && spill(a, b))
		return true;
	b->packed = malloc(b->size);
	if (!b->packed)
		return false;
	memcpy(b->packed, a->scratch, b->size);
	a->in_memory += b->size;
	return true;
}

static void pack_now(struct attrs *a, const unsigned char *from, size_t bytes)
{
	size_t n = ZSTD_compressCCtx(a->pack, a->scratch, PACKED_MAX, from, bytes, PACK_LEVEL);
	struct block *b = column_push(&a->blocks);
	if (b)
		*b = (struct block){.size = (uint32_t)n};
	if (!b || ZSTD_isError(n) || !keep(a, b))
		a->pack_failed = true;
	a->packed_bytes += b ? b->size : 0;
}

/* The oldest block waiting, its number in *at; false when there is none left and none will come. */
static bool next_block(struct packer *k, unsigned *at)
{
	pthread_mutex_lock(&k->lock);
	while (k->filled == k->packed && !k->ending)
		pthread_cond_wait(&k->changed, &k->lock);
	bool some = k->filled != k->packed;
	*at = k->packed % RING;
	pthread_mutex_unlock(&k->lock);
	return some;
}

static void *packer_run(void *ctx)
{
	struct attrs *a = ctx;
	struct packer *k = a->packer;
	for (unsigned at; next_block(k, &at);) {
		pack_now(a, k->block[at], k->bytes[at]);
		pthread_mutex_lock(&k->lock);
		k->packed++;
		pthread_cond_signal(&k->changed);
		pthread_mutex_unlock(&k->lock);
	}
	return NULL;
}

static void packer_free(struct packer *k)
{
	for (int i = 0; i < RING; i++)
		free(k->block[i]);
	pthread_mutex_destroy(&k->lock);
	pthread_cond_destroy(&k->changed);
	free(k);
}

void attrs_use_thread(struct attrs *a)
{
	struct packer *k = a->packer ? NULL : calloc(1, sizeof *k);
	if (!k)
		return;
	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->changed, NULL);
	bool ok = true;
	for (int i = 0; i < RING; i++)
		ok &= (k->block[i] = malloc(BLOCK)) != NULL;
	a->packer = k;
	if (ok && pthread_create(&k->thread, NULL, packer_run, a) == 0)
		return;
	a->packer = NULL; /* one thread does it as well */
	packer_free(k);
}

void attrs_end_thread(struct attrs *a)
{
	struct packer *k = a->packer;
	if (!k)
		return;
	pthread_mutex_lock(&k->lock);
	k->ending = true;
	pthread_cond_signal(&k->changed);
	pthread_mutex_unlock(&k->lock);
	pthread_join(k->thread, NULL);
	a->packer = NULL;
	packer_free(k);
}

void attrs_pack_block(struct attrs *a, const unsigned char *from, size_t bytes)
{
	struct packer *k = a->packer;
	if (!k) {
		pack_now(a, from, bytes);
		return;
	}
	pthread_mutex_lock(&k->lock);
	while (k->filled - k->packed == RING)
		pthread_cond_wait(&k->changed, &k->lock);
	unsigned at = k->filled % RING;
	pthread_mutex_unlock(&k->lock);
	memcpy(k->block[at], from, bytes);
	k->bytes[at] = bytes;
	pthread_mutex_lock(&k->lock);
	k->filled++;
	pthread_cond_signal(&k->changed);
	pthread_mutex_unlock(&k->lock);
}
