#include "ahead.h"
#include "model/store/base/thread.h"
#include <errno.h>
#include <stdint.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* One large page at a time, one before it is needed; smaller columns are not worth it. */
enum { AHEAD_BYTES = 2 << 20, SMALL_PAGE = 4096, WANTS = 32 };

struct want {
	char *from;
	size_t bytes;
};
struct ahead {
	size_t asked[AHEAD_COLUMNS]; /* bytes of each column, up to where all was asked for */
	const void *pages;           /* the last ones asked for that are no column's */
	struct want wants[WANTS];    /* numbers [taken, asked_for), each in place number % WANTS */
	uint64_t asked_for, taken;
	bool stop, useless;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
};

/* Another thread may have moved or freed the column meanwhile: then this fails, or takes pages of what lies there now, whose
 * owner would have taken them as well. It never changes a byte. */
static bool take(struct want w)
{
	return madvise(w.from, w.bytes, MADV_POPULATE_WRITE) == 0 || errno != EINVAL;
}

static void *run(void *arg)
{
	struct ahead *a = arg;
	pthread_mutex_lock(&a->lock);
	for (;;) {
		while (a->taken == a->asked_for && !a->stop)
			pthread_cond_wait(&a->work, &a->lock);
		if (a->stop || a->useless)
			break;
		struct want w = a->wants[a->taken++ % WANTS];
		pthread_mutex_unlock(&a->lock);
		bool known = take(w);
		pthread_mutex_lock(&a->lock);
		a->useless = !known; /* by this kernel */
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

struct ahead *ahead_new(unsigned threads)
{
	struct ahead *a = threads > 1 ? calloc(1, sizeof *a) : NULL;
	if (!a)
		return NULL;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->work, NULL);
	if (thread_start(&a->thread, run, a))
		return a;
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->work);
	free(a);
	return NULL;
}

/* Dropped when the other thread is far behind: the pages come when they are touched. */
static void ask(struct ahead *a, char *from, size_t bytes)
{
	pthread_mutex_lock(&a->lock);
	if (a->asked_for - a->taken < WANTS && !a->useless)
		a->wants[a->asked_for++ % WANTS] = (struct want){from, bytes};
	pthread_cond_signal(&a->work);
	pthread_mutex_unlock(&a->lock);
}

void ahead_column(struct ahead *a, int which, const struct column *c, size_t n)
{
	size_t used = n * c->size, room = c->cap * c->size / SMALL_PAGE * SMALL_PAGE, *asked = &a->asked[which];
	/* the last page that is asked for may never be used: not before half of the one before it is */
	if (used < AHEAD_BYTES || used + AHEAD_BYTES / 2 <= *asked || *asked >= room)
		return;
	/* from the next large page on; what was passed without asking has been taken already */
	size_t from = used / AHEAD_BYTES * AHEAD_BYTES + AHEAD_BYTES, bytes = AHEAD_BYTES;
	from = from > *asked ? from : *asked;
	if (from >= room)
		return;
	bytes = bytes < room - from ? bytes : room - from;
	*asked = from + bytes;
	ask(a, (char *)c->p + from, bytes);
}

void ahead_pages(struct ahead *a, void *from, size_t bytes)
{
	if (from != a->pages)
		ask(a, from, bytes);
	a->pages = from;
}

void ahead_middle(struct ahead *a, void *from, size_t bytes)
{
	size_t whole = bytes / AHEAD_BYTES * AHEAD_BYTES, half = whole / 2 / AHEAD_BYTES * AHEAD_BYTES;
	if (!a || !half)
		return;
	ask(a, (char *)from + half, whole - half);
	ask(a, from, half);
}

void ahead_free(struct ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->work);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->work);
	free(a);
}
