#include "turns.h"

/* How often a thread looks for its turn before it sleeps, some 20 us; to be woken takes as long. */
enum { SPINS = 500 };

void turns_init(struct turns *t)
{
	turns_begin(t);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->change, NULL);
}

void turns_free(struct turns *t)
{
	pthread_cond_destroy(&t->change);
	pthread_mutex_destroy(&t->lock);
}

void turns_begin(struct turns *t)
{
	atomic_store(&t->next, 0);
	atomic_store(&t->turn, 0);
}

uint64_t turns_next(struct turns *t)
{
	return atomic_fetch_add(&t->next, 1);
}

void turns_wait(struct turns *t, uint64_t number)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load_explicit(&t->turn, memory_order_acquire) == number)
			return;
#ifdef __SSE2__
		__builtin_ia32_pause();
#endif
	}
	pthread_mutex_lock(&t->lock);
	while (atomic_load_explicit(&t->turn, memory_order_acquire) != number)
		pthread_cond_wait(&t->change, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

void turns_pass(struct turns *t, uint64_t number)
{
	pthread_mutex_lock(&t->lock);
	atomic_store_explicit(&t->turn, number + 1, memory_order_release);
	pthread_cond_broadcast(&t->change);
	pthread_mutex_unlock(&t->lock);
}
