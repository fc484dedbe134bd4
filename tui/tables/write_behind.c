#include "write_behind.h"
#include "model/store/base/memory.h"
#include "model/store/base/thread.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PART_BYTES = 1 << 19, PARTS = 3 };

/* Parts are filled and written in turn. */
struct write_behind {
	FILE *out;
	char *at; /* PARTS of them */
	size_t n[PARTS];
	uint32_t filled, written; /* parts: handed over, done with */
	bool end;                 /* nothing more is handed over */
	pthread_mutex_t lock;     /* of the three above */
	pthread_cond_t changed;
	pthread_t thread;
};

static char *part_at(const struct write_behind *x, uint32_t part)
{
	return x->at + (size_t)(part % PARTS) * PART_BYTES;
}

static void *write_parts(void *ctx)
{
	struct write_behind *x = ctx;
	pthread_mutex_lock(&x->lock);
	for (;; x->written++) {
		pthread_cond_signal(&x->changed);
		while (x->filled == x->written && !x->end)
			pthread_cond_wait(&x->changed, &x->lock);
		if (x->filled == x->written)
			break;
		uint32_t part = x->written;
		pthread_mutex_unlock(&x->lock);
		fwrite(part_at(x, part), 1, x->n[part % PARTS], x->out);
		pthread_mutex_lock(&x->lock);
	}
	pthread_mutex_unlock(&x->lock);
	return NULL;
}

struct write_behind *write_behind_new(FILE *out)
{
	struct write_behind *x = must(calloc(1, sizeof *x));
	x->out = out;
	x->at = must(malloc((size_t)PARTS * PART_BYTES));
	pthread_mutex_init(&x->lock, NULL);
	pthread_cond_init(&x->changed, NULL);
	if (thread_start(&x->thread, write_parts, x))
		return x;
	free(x->at);
	free(x);
	return NULL;
}

/* Hands over the part that is being filled, and waits for room for the next. */
static void hand_over(struct write_behind *x)
{
	pthread_mutex_lock(&x->lock);
	x->filled++;
	pthread_cond_signal(&x->changed);
	while (x->filled - x->written == PARTS)
		pthread_cond_wait(&x->changed, &x->lock);
	x->n[x->filled % PARTS] = 0;
	pthread_mutex_unlock(&x->lock);
}

void write_behind_put(struct write_behind *x, const void *at, size_t n)
{
	for (const char *from = at; n;) {
		uint32_t part = x->filled % PARTS; /* only this thread counts them up */
		size_t room = PART_BYTES - x->n[part], some = n < room ? n : room;
		memcpy(part_at(x, part) + x->n[part], from, some);
		x->n[part] += some;
		from += some;
		n -= some;
		if (x->n[part] == PART_BYTES)
			hand_over(x);
	}
}

void write_behind_free(struct write_behind *x)
{
	if (!x)
		return;
	if (x->n[x->filled % PARTS])
		hand_over(x);
	pthread_mutex_lock(&x->lock);
	x->end = true;
	pthread_cond_signal(&x->changed);
	pthread_mutex_unlock(&x->lock);
	pthread_join(x->thread, NULL);
	pthread_mutex_destroy(&x->lock);
	pthread_cond_destroy(&x->changed);
	free(x->at);
	free(x);
}
