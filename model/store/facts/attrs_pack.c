#include "attrs_pack.h"
#include "attrs_packed.h"
#include "model/store/base/pass_by.h"
#include "model/store/base/thread.h"
#include <stdlib.h>
#include <string.h>

/* HELPERS: threads that pack at one time beside the one that hands over. */
enum { SLOTS = 16, HELPERS = 3 };

enum slot_state { SLOT_EMPTY, SLOT_FULL, SLOT_IN_WORK, SLOT_PACKED };
struct slot {
	size_t index, n, first, packed_n;
	enum slot_state state; /* under the lock */
	_Alignas(16) unsigned char plain[BLOCK + CODED_SLACK];
	unsigned char packed[PACKED_MAX];
};
struct packer {
	void (*keep)(void *ctx, size_t index, const void *packed, size_t n);
	void *ctx;
	struct packing *here;           /* of who hands over */
	struct packing *there[HELPERS]; /* under the lock: NULL where none was made yet, or it is in use */
	unsigned n_there;               /* made */
	unsigned char packed[PACKED_MAX];
	struct slot slots[SLOTS];
	size_t next;      /* slot to be filled */
	size_t next_full; /* slot to be packed, under the lock */
	unsigned threads;
	bool helped, threaded, stop;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t full, done;
};

/* With the lock held. NULL: as many threads pack as may, or memory is out. */
static struct packing *take_packing(struct packer *k)
{
	for (int i = 0; i < HELPERS; i++) {
		struct packing *p = k->there[i];
		k->there[i] = NULL;
		if (p)
			return p;
	}
	struct packing *p = k->n_there < HELPERS ? packing_new() : NULL;
	k->n_there += p != NULL;
	return p;
}

/* With the lock held. */
static void give_packing(struct packer *k, struct packing *p)
{
	int i = 0;
	while (k->there[i])
		i++;
	k->there[i] = p;
}

/* With the lock held: packs the slot that was filled first. False: none is full. */
static bool pack_first(struct packer *k, struct packing *with)
{
	struct slot *s = &k->slots[k->next_full];
	if (s->state != SLOT_FULL)
		return false;
	k->next_full = (k->next_full + 1) % SLOTS;
	s->state = SLOT_IN_WORK;
	pthread_mutex_unlock(&k->lock);
	s->packed_n = attrs_pack(with, s->packed, s->plain, s->n, s->first);
	pthread_mutex_lock(&k->lock);
	s->state = SLOT_PACKED;
	pthread_cond_signal(&k->done);
	return true;
}

static void *run(void *arg)
{
	struct packer *k = arg;
	pthread_mutex_lock(&k->lock);
	struct packing *with = take_packing(k);
	while (with && !k->stop)
		if (!pack_first(k, with))
			pthread_cond_wait(&k->full, &k->lock);
	if (with)
		give_packing(k, with);
	pthread_mutex_unlock(&k->lock);
	return NULL;
}

void packer_help(struct packer *k)
{
	pthread_mutex_lock(&k->lock);
	struct packing *with = take_packing(k);
	while (with && pack_first(k, with))
		;
	if (with)
		give_packing(k, with);
	pthread_mutex_unlock(&k->lock);
}

void packer_helped(struct packer *k, bool helped)
{
	k->helped = helped;
}

struct packer *packer_new(unsigned threads, void (*keep)(void *ctx, size_t index, const void *packed, size_t n),
			  void *ctx)
{
	struct packer *k = calloc(1, sizeof *k);
	if (!k)
		return NULL;
	k->keep = keep;
	k->ctx = ctx;
	k->threads = threads;
	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->full, NULL);
	pthread_cond_init(&k->done, NULL);
	k->here = packing_new();
	if (k->here)
		return k;
	packer_free(k);
	return NULL;
}

/* Hands back what the slot holds, when that is packed. False: it is not yet. */
static bool settle(struct packer *k, struct slot *s, bool wait)
{
	pthread_mutex_lock(&k->lock);
	while (wait && s->state == SLOT_IN_WORK)
		pthread_cond_wait(&k->done, &k->lock);
	bool packed = s->state == SLOT_PACKED;
	if (packed) /* who packs looks at full ones only */
		s->state = SLOT_EMPTY;
	bool empty = s->state == SLOT_EMPTY;
	pthread_mutex_unlock(&k->lock);
	if (packed)
		k->keep(k->ctx, s->index, s->packed, s->packed_n);
	return empty;
}

/* A thread of its own is started when nobody helps. */
static bool others_pack(struct packer *k)
{
	if (!k->helped && !k->threaded && k->threads > 1)
		k->threaded = thread_start(&k->thread, run, k);
	k->threads = k->helped || k->threaded ? k->threads : 1; /* where none can be had it is not tried again */
	return k->helped || k->threaded;
}

void packer_add(struct packer *k, size_t index, const unsigned char *plain, size_t n, size_t first)
{
	struct slot *s = &k->slots[k->next];
	if (!others_pack(k) || !settle(k, s, false)) {
		/* there are no others, or they are behind: this thread helps */
		k->keep(k->ctx, index, k->packed, attrs_pack(k->here, k->packed, plain, n, first));
		return;
	}
	if (k->helped) { /* who helps first is this thread, when it is done */
		memcpy(s->plain, plain, n);
	} else {
		pass_by(s->plain, plain, n);
		pass_by_end();
	}
	s->index = index;
	s->n = n;
	s->first = first;
	k->next = (k->next + 1) % SLOTS;
	pthread_mutex_lock(&k->lock);
	s->state = SLOT_FULL;
	if (!k->helped)
		pthread_cond_signal(&k->full);
	pthread_mutex_unlock(&k->lock);
}

void packer_finish(struct packer *k)
{
	pthread_mutex_lock(&k->lock);
	while (pack_first(k, k->here))
		;
	pthread_mutex_unlock(&k->lock);
	for (int i = 0; i < SLOTS; i++)
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
	for (int i = 0; i < HELPERS; i++)
		packing_free(k->there[i]);
	pthread_cond_destroy(&k->full);
	pthread_cond_destroy(&k->done);
	pthread_mutex_destroy(&k->lock);
	free(k);
}
