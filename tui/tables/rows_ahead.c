#include "rows_ahead.h"
#include "model/store/base/memory.h"
#include "model/store/base/thread.h"
#include <stdlib.h>

enum { LONG_TABLE = 4096, BATCH_ROWS = 128, BATCHES = 8, FEW_BATCHES = 2 };

struct rows_ahead {
	const struct table *t;
	uint32_t row;        /* that is asked for next */
	struct cell *cells;  /* BATCHES of them, in turn; NULL: read by the caller itself */
	uint32_t made, used; /* batches: made by the thread, done with by the caller */
	bool stop;           /* the caller wants no more */
	bool full; /* the thread waits until only FEW_BATCHES are left: to wake it for each would take as long as to make it */
	pthread_mutex_t lock; /* of the four above */
	pthread_cond_t changed;
	pthread_t thread;
};

static struct cell *row_in(const struct rows_ahead *x, uint32_t row)
{
	return x->cells + (size_t)(row % (BATCH_ROWS * BATCHES)) * x->t->n_cols;
}

static void make_batch(const struct rows_ahead *x, uint32_t batch)
{
	uint32_t from = batch * BATCH_ROWS, left = x->t->n_rows - from;
	for (uint32_t r = from; r < from + (left < BATCH_ROWS ? left : BATCH_ROWS); r++)
		table_read(x->t, r, row_in(x, r));
}

static void *make_batches(void *ctx)
{
	struct rows_ahead *x = ctx;
	uint32_t n = x->t->n_rows / BATCH_ROWS + (x->t->n_rows % BATCH_ROWS > 0);
	for (uint32_t batch = 0; batch < n; batch++) {
		pthread_mutex_lock(&x->lock);
		x->full = batch - x->used >= BATCHES;
		while (x->full && !x->stop)
			pthread_cond_wait(&x->changed, &x->lock);
		bool stop = x->stop;
		pthread_mutex_unlock(&x->lock);
		if (stop)
			break;
		make_batch(x, batch);
		pthread_mutex_lock(&x->lock);
		x->made = batch + 1;
		pthread_cond_signal(&x->changed);
		pthread_mutex_unlock(&x->lock);
	}
	return NULL;
}

struct rows_ahead *rows_ahead_new(const struct table *t)
{
	struct rows_ahead *x = must(calloc(1, sizeof *x));
	x->t = t;
	if (!t->maker || t->n_rows < LONG_TABLE)
		return x;
	x->cells = must(malloc((size_t)BATCHES * BATCH_ROWS * t->n_cols * sizeof *x->cells));
	pthread_mutex_init(&x->lock, NULL);
	pthread_cond_init(&x->changed, NULL);
	if (thread_start(&x->thread, make_batches, x))
		return x;
	free(x->cells);
	x->cells = NULL;
	return x;
}

/* Gives back the batch before and waits for this one. */
static void next_batch(struct rows_ahead *x, uint32_t batch)
{
	pthread_mutex_lock(&x->lock);
	x->used = batch;
	if (x->full && x->made - batch <= FEW_BATCHES) {
		x->full = false;
		pthread_cond_signal(&x->changed);
	}
	while (x->made <= batch)
		pthread_cond_wait(&x->changed, &x->lock);
	pthread_mutex_unlock(&x->lock);
}

const struct cell *rows_ahead_next(struct rows_ahead *x)
{
	if (x->row == x->t->n_rows)
		return NULL;
	uint32_t row = x->row++;
	if (!x->cells)
		return table_cells(x->t, row);
	if (row % BATCH_ROWS == 0)
		next_batch(x, row / BATCH_ROWS);
	return row_in(x, row);
}

void rows_ahead_free(struct rows_ahead *x)
{
	if (x->cells) {
		pthread_mutex_lock(&x->lock);
		x->stop = true;
		pthread_cond_signal(&x->changed);
		pthread_mutex_unlock(&x->lock);
		pthread_join(x->thread, NULL);
		pthread_mutex_destroy(&x->lock);
		pthread_cond_destroy(&x->changed);
		free(x->cells);
	}
	free(x);
}
