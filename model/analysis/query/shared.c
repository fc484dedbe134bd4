#include "shared.h"
#include "model/store/base/memory.h"
#include <pthread.h>
#include <stdlib.h>

struct entry {
	const void *what; /* the part or the table's descriptor */
	bool is_table, made;
	void *value; /* in `mem`; NULL when it was made: `err` says why */
	struct arena mem;
	struct err err;
	struct entry *next;
};
struct shared {
	struct query q;
	pthread_mutex_t lock; /* of the list and of what entries say */
	pthread_cond_t made;
	struct entry *first;
};

struct shared *shared_new(const struct query *q)
{
	struct shared *k = must(calloc(1, sizeof *k));
	k->q = *q;
	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->made, NULL);
	return k;
}

static void entry_free(struct entry *x)
{
	arena_free(&x->mem);
	free(x);
}

void shared_free(struct shared *k)
{
	if (!k)
		return;
	while (k->first) {
		struct entry *x = k->first;
		k->first = x->next;
		entry_free(x);
	}
	pthread_mutex_destroy(&k->lock);
	pthread_cond_destroy(&k->made);
	free(k);
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

static bool same_question(const struct query *x, const struct query *y)
{
	return x->a_ns == y->a_ns && x->b_ns == y->b_ns && x->windowed == y->windowed && x->by_step == y->by_step &&
	       x->step_first == y->step_first && x->step_last == y->step_last && x->filter == y->filter &&
	       x->min_gap_ns == y->min_gap_ns && x->every_k == y->every_k && x->idle == y->idle &&
	       x->all_steps == y->all_steps && x->by == y->by && x->all_columns == y->all_columns;
}

bool shared_fits(const struct query *q)
{
	return q->shared && same_question(q, &q->shared->q);
}

/* What is asked for, and how it is made. */
struct asked {
	const void *what;
	const struct shared_part *part;
	const struct table_desc *desc; /* of the two one */
	const struct derived *d;
	const struct query *q;
	struct progress *progress;
};

static void *make(const struct asked *x, struct arena *mem, struct err *e)
{
	if (x->desc)
		return x->desc->run(x->d, x->q, mem, x->progress, e);
	void *out = arena_alloc(mem, x->part->bytes);
	return x->part->make(x->d, x->q, out, mem, x->progress, e) ? out : NULL;
}

/* What an analysis made its table of can be a thousand times the table. Where it is no more than the table itself, a copy gives back
 * hardly more than it takes. */
static void keep_rows_only(struct entry *x)
{
	enum { FEW_ROWS = 4096 };
	struct arena small = {0};
	struct table *t = x->value;
	if (!t || t->maker || t->n_rows > FEW_ROWS)
		return;
	size_t row_bytes = t->n_cols * sizeof *t->cells + sizeof *t->evidence;
	if (x->mem.bytes <= 2 * t->n_rows * row_bytes)
		return;
	t = table_copy(t, &small);
	arena_free(&x->mem);
	arena_adopt(&x->mem, &small);
	t->mem = &x->mem;
	x->value = t;
}

static struct entry *find(const struct shared *k, const void *what)
{
	for (struct entry *x = k->first; x; x = x->next)
		if (x->what == what)
			return x;
	return NULL;
}

/* Under the lock; lets go of it meanwhile. */
static struct entry *make_entry(struct shared *k, const struct asked *asked)
{
	struct entry *x = must(calloc(1, sizeof *x));
	*x = (struct entry){.what = asked->what, .is_table = asked->desc, .err.at = -1, .next = k->first};
	k->first = x;
	pthread_mutex_unlock(&k->lock);
	x->value = make(asked, &x->mem, &x->err);
	if (asked->desc)
		keep_rows_only(x);
	pthread_mutex_lock(&k->lock);
	x->made = true;
	pthread_cond_broadcast(&k->made);
	return x;
}

/* Under the lock. */
static void wait_until_made(struct shared *k, const struct entry *x)
{
	while (!x->made)
		pthread_cond_wait(&k->made, &k->lock);
}

static void *ask(const struct asked *asked, struct arena *mem, struct err *e)
{
	struct shared *k = asked->q->shared;
	if (!shared_fits(asked->q))
		return make(asked, mem, e);
	pthread_mutex_lock(&k->lock);
	struct entry *x = find(k, asked->what);
	if (!x)
		x = make_entry(k, asked);
	wait_until_made(k, x);
	pthread_mutex_unlock(&k->lock);
	if (!x->value && e)
		*e = x->err;
	return x->value;
}

const void *shared_part(const struct shared_part *part, const struct derived *d, const struct query *q,
			struct arena *mem, struct progress *p, struct err *e)
{
	return ask(&(struct asked){part, part, NULL, d, q, p}, mem, e);
}

const void *shared_part_if_asked(const struct shared_part *part, const struct query *q)
{
	if (!shared_fits(q))
		return NULL;
	pthread_mutex_lock(&q->shared->lock);
	struct entry *x = find(q->shared, part);
	if (x)
		wait_until_made(q->shared, x);
	pthread_mutex_unlock(&q->shared->lock);
	return x ? x->value : NULL;
}

struct table *shared_table(const struct table_desc *desc, const struct derived *d, const struct query *q,
			   struct arena *mem, struct progress *p, struct err *e)
{
	return ask(&(struct asked){desc, NULL, desc, d, q, p}, mem, e);
}

/* ---- letting go ------------------------------------------------------------------------------------------------------- */

void shared_adopt(struct shared *k, struct arena *mem)
{
	for (struct entry *x = k->first; x; x = x->next) {
		arena_adopt(mem, &x->mem);
		if (x->is_table && x->value)
			((struct table *)x->value)->mem = mem;
	}
	shared_free(k);
}

void shared_drop(struct shared *k, const void *what)
{
	pthread_mutex_lock(&k->lock);
	struct entry **at = &k->first;
	while (*at && (*at)->what != what)
		at = &(*at)->next;
	struct entry *x = *at;
	if (x)
		*at = x->next;
	pthread_mutex_unlock(&k->lock);
	if (x)
		entry_free(x);
}
