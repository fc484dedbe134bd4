#include "handover.h"
#include "model/store/base/thread.h"
#include <pthread.h>
#include <stdlib.h>

/* Who has nothing to do sleeps until half of the batches are there, or have place: to wake a thread costs as much as a batch. */
struct handover {
	const struct handover_kind *kind;
	void *ctx;
	unsigned char *ring;
	uint64_t sent, taken; /* counts; the next to be queued is number `sent` */
	bool threaded, stop;
	bool taking;  /* one of the two threads does */
	bool waiting; /* the maker sleeps until `taken` reaches `wanted` */
	uint64_t wanted;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work, room;
};

static void *batch_at(const struct handover *h, uint64_t number)
{
	return h->ring + number % h->kind->batches * h->kind->bytes;
}

/* With the lock held: is there work enough to get up for? */
static bool worth_waking(const struct handover *h)
{
	uint64_t queued = h->sent - h->taken;
	return h->stop || queued >= h->kind->batches / 2 || (queued && h->waiting);
}

/* With the lock held. */
static void take_all(struct handover *h)
{
	h->taking = true;
	while (h->taken != h->sent) {
		pthread_mutex_unlock(&h->lock);
		h->kind->take(h->ctx, batch_at(h, h->taken));
		pthread_mutex_lock(&h->lock);
		h->taken++;
		if (h->waiting && h->taken >= h->wanted)
			pthread_cond_signal(&h->room);
	}
	h->taking = false;
}

static void *run(void *arg)
{
	struct handover *h = arg;
	pthread_mutex_lock(&h->lock);
	for (;;) {
		while (h->taking || !worth_waking(h))
			pthread_cond_wait(&h->work, &h->lock);
		if (h->taken == h->sent)
			break;
		take_all(h);
	}
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

struct handover *handover_new(bool threaded, const struct handover_kind *kind, void *ctx)
{
	struct handover *h = calloc(1, sizeof *h);
	if (!h)
		return NULL;
	h->kind = kind;
	h->ctx = ctx;
	h->ring = calloc(threaded ? kind->batches : 1, kind->bytes);
	if (!h->ring) {
		free(h);
		return NULL;
	}
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->work, NULL);
	pthread_cond_init(&h->room, NULL);
	h->threaded = threaded && thread_start(&h->thread, run, h);
	return h;
}

/* With the lock held. */
static void sleep_until(struct handover *h, uint64_t taken)
{
	h->wanted = taken;
	h->waiting = true;
	pthread_cond_signal(&h->work);
	while (h->taken < taken)
		pthread_cond_wait(&h->room, &h->lock);
	h->waiting = false;
}

void *handover_current(struct handover *h)
{
	return h->threaded ? batch_at(h, h->sent) : h->ring;
}

void handover_send(struct handover *h)
{
	unsigned most = h->kind->batches, half = most / 2;
	if (!h->threaded) {
		h->kind->take(h->ctx, h->ring);
		h->taken = ++h->sent;
		return;
	}
	pthread_mutex_lock(&h->lock);
	h->sent++;
	if (h->sent - h->taken == half)
		pthread_cond_signal(&h->work);
	if (h->sent - h->taken == most)
		sleep_until(h, h->sent - half);
	pthread_mutex_unlock(&h->lock);
}

uint64_t handover_sent(const struct handover *h)
{
	return h->sent;
}

void handover_wait(struct handover *h, uint64_t sent)
{
	if (!h->threaded)
		return;
	pthread_mutex_lock(&h->lock);
	if (h->taken < sent && !h->taking)
		take_all(h); /* the other thread sleeps: to wake it would take longer */
	if (h->taken < sent)
		sleep_until(h, sent);
	pthread_mutex_unlock(&h->lock);
}

void handover_free(struct handover *h)
{
	if (!h)
		return;
	if (h->threaded) {
		pthread_mutex_lock(&h->lock);
		h->stop = true;
		pthread_cond_signal(&h->work);
		pthread_mutex_unlock(&h->lock);
		pthread_join(h->thread, NULL);
	}
	uint64_t batches = h->threaded ? h->kind->batches : 1;
	for (uint64_t i = 0; i < batches && i <= h->sent; i++) /* further ones were never touched */
		h->kind->drop(batch_at(h, i));
	pthread_cond_destroy(&h->work);
	pthread_cond_destroy(&h->room);
	pthread_mutex_destroy(&h->lock);
	free(h->ring);
	free(h);
}
