#include "batch_queue.h"
#include "model/store/base/thread.h"
#include <pthread.h>
#include <stdlib.h>

/* Up to 4096 entries under way, a window of Kineto text: stretches of unequal work even out. Who has nothing to do sleeps until
 * there are several batches, or places for them: to wake a thread costs as much as a batch. */
enum { RING = 16, AT_ONCE = RING / 2 };

struct batch_queue {
	void (*take)(void *ctx, const struct batch *b);
	void *ctx;
	struct batch ring[RING];
	uint64_t sent, taken; /* counts; the next to fill is ring[sent % RING] */
	bool threaded, stop;
	bool waiting; /* the scanner sleeps until `taken` reaches `wanted` */
	uint64_t wanted;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work, room;
};

static void take_next(struct batch_queue *c)
{
	struct batch *b = &c->ring[c->taken % RING];
	c->take(c->ctx, b);
	batch_clear(b);
}

/* With the lock held: is there work enough to get up for? */
static bool worth_waking(const struct batch_queue *c)
{
	uint64_t queued = c->sent - c->taken;
	return c->stop || queued >= AT_ONCE || (queued && c->waiting);
}

/* With the lock held. */
static void take_all(struct batch_queue *c)
{
	while (c->taken != c->sent) {
		pthread_mutex_unlock(&c->lock);
		take_next(c);
		pthread_mutex_lock(&c->lock);
		c->taken++;
		if (c->waiting && c->taken >= c->wanted)
			pthread_cond_signal(&c->room);
	}
}

static void *run(void *arg)
{
	struct batch_queue *c = arg;
	pthread_mutex_lock(&c->lock);
	for (;;) {
		while (!worth_waking(c))
			pthread_cond_wait(&c->work, &c->lock);
		if (c->taken == c->sent)
			break;
		take_all(c);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

struct batch_queue *batch_queue_new(bool threaded, void (*take)(void *ctx, const struct batch *b), void *ctx)
{
	struct batch_queue *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->take = take;
	c->ctx = ctx;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->work, NULL);
	pthread_cond_init(&c->room, NULL);
	c->threaded = threaded && thread_start(&c->thread, run, c);
	return c;
}

/* With the lock held. */
static void sleep_until(struct batch_queue *c, uint64_t taken)
{
	c->wanted = taken;
	c->waiting = true;
	pthread_cond_signal(&c->work);
	while (c->taken < taken)
		pthread_cond_wait(&c->room, &c->lock);
	c->waiting = false;
}

struct batch *batch_queue_current(struct batch_queue *c)
{
	return &c->ring[c->sent % RING];
}

void batch_queue_send(struct batch_queue *c)
{
	if (!c->threaded) {
		take_next(c);
		c->taken = ++c->sent;
		return;
	}
	pthread_mutex_lock(&c->lock);
	c->sent++;
	if (c->sent - c->taken == AT_ONCE)
		pthread_cond_signal(&c->work);
	if (c->sent - c->taken == RING)
		sleep_until(c, c->sent - AT_ONCE);
	pthread_mutex_unlock(&c->lock);
}

uint64_t batch_queue_sent(const struct batch_queue *c)
{
	return c->sent;
}

void batch_queue_wait(struct batch_queue *c, uint64_t sent)
{
	if (!c->threaded)
		return;
	pthread_mutex_lock(&c->lock);
	if (c->taken < sent)
		sleep_until(c, sent);
	pthread_mutex_unlock(&c->lock);
}

void batch_queue_free(struct batch_queue *c)
{
	if (!c)
		return;
	if (c->threaded) {
		pthread_mutex_lock(&c->lock);
		c->stop = true;
		pthread_cond_signal(&c->work);
		pthread_mutex_unlock(&c->lock);
		pthread_join(c->thread, NULL);
	}
	for (int i = 0; i < RING; i++)
		batch_free(&c->ring[i]);
	pthread_cond_destroy(&c->work);
	pthread_cond_destroy(&c->room);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
