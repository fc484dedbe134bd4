#include "attrs_pack.h"
#include "attrs_packed.h"
#include "model/store/base/pass_by.h"
#include "model/store/base/thread.h"
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8 };

enum slot_state { SLOT_EMPTY, SLOT_FULL, SLOT_PACKED };
struct slot {
	size_t index, n, first, packed_n;
	enum slot_state state; /* under the lock */
	_Alignas(16) unsigned char plain[BLOCK + CODED_SLACK];
	unsigned char packed[PACKED_MAX];
};
struct packer {
	void (*keep)(void *ctx, size_t index, const void *packed, size_t n);
	void *ctx;
	struct packing *here, *there; /* one for each thread */
	unsigned char packed[PACKED_MAX];
	struct slot slots[SLOTS];
	size_t next; /* slot to be filled */
	bool threaded, stop;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t full, done;
};

static void *run(void *arg)
{
	struct packer *k = arg;
	pthread_mutex_lock(&k->lock);
	for (size_t at = 0;; at = (at + 1) % SLOTS) {
		struct slot *s = &k->slots[at];
		while (s->state != SLOT_FULL && !k->stop)
			pthread_cond_wait(&k->full, &k->lock);
		if (k->stop)
			break;
		pthread_mutex_unlock(&k->lock);
		s->packed_n = attrs_pack(k->there, s->packed, s->plain, s->n, s->first);
		pthread_mutex_lock(&k->lock);
		s->state = SLOT_PACKED;
		pthread_cond_signal(&k->done);
	}
	pthread_mutex_unlock(&k->lock);
	return NULL;
}

struct packer *packer_new(unsigned threads, void (*keep)(void *ctx, size_t index, const void *packed, size_t n),
			  void *ctx)
{
	struct packer *k = calloc(1, sizeof *k);
	if (!k)
		return NULL;
	k->keep = keep;
	k->ctx = ctx;
	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->full, NULL);
	pthread_cond_init(&k->done, NULL);
	k->here = packing_new();
	k->there = threads > 1 ? packing_new() : NULL;
	k->threaded = k->here && k->there && thread_start(&k->thread, run, k);
	if (k->here)
		return k;
	packer_free(k);
	return NULL;
}

/* Hands back what the slot holds, when that is packed. False: it is not yet. */
static bool settle(struct packer *k, struct slot *s, bool wait)
{
	pthread_mutex_lock(&k->lock);
	while (wait && s->state == SLOT_FULL)
		pthread_cond_wait(&k->done, &k->lock);
	bool packed = s->state == SLOT_PACKED;
	if (packed) /* the other thread looks at full ones only */
		s->state = SLOT_EMPTY;
	bool empty = s->state == SLOT_EMPTY;
	pthread_mutex_unlock(&k->lock);
	if (packed)
		k->keep(k->ctx, s->index, s->packed, s->packed_n);
	return empty;
}

void packer_add(struct packer *k, size_t index, const unsigned char *plain, size_t n, size_t first)
{
	struct slot *s = &k->slots[k->next];
	if (!k->threaded || !settle(k, s, false)) {
		/* the other thread is behind: this one helps */
		k->keep(k->ctx, index, k->packed, attrs_pack(k->here, k->packed, plain, n, first));
		return;
	}
	pass_by(s->plain, plain, n);
	pass_by_end();
	s->index = index;
	s->n = n;
	s->first = first;
	k->next = (k->next + 1) % SLOTS;
	pthread_mutex_lock(&k->lock);
	s->state = SLOT_FULL;
	pthread_cond_signal(&k->full);
	pthread_mutex_unlock(&k->lock);
}

void packer_finish(struct packer *k)
{
	for (int i = 0; k->threaded && i < SLOTS; i++)
		settle(k, &k->slots[i], true);
	packer_free(k);
}

void packer_free(struct packer *k)
{
	if (!k)
		return;
	if (k->threaded) {
		pthread_mutex_lock(&k->lock);
		k->stop = true;
		pthread_cond_signal(&k->full);
		pthread_mutex_unlock(&k->lock);
		pthread_join(k->thread, NULL);
	}
	packing_free(k->here);
	packing_free(k->there);
	pthread_cond_destroy(&k->full);
	pthread_cond_destroy(&k->done);
	pthread_mutex_destroy(&k->lock);
	free(k);
}
