/* tui/report/runs.c - answers of analyses while sections are cut from them. Each has memory of its own, so that a report of a
 * large trace holds a few of them at a time instead of all. While a section is cut a second thread makes the next answers, and who
 * waits for one of these makes the next but one. */
#include "content.h"
#include "model/analysis/analysis.h"
#include "model/analysis/query/shared.h"
#include "model/store/base/memory.h"
#include "model/store/base/thread.h"
#include <stdlib.h>

enum { LOOK_AHEAD = 12 }; /* answers: nearly all are small, and many were made for others */

struct run {
	struct answer told;
	const struct table_desc *desc;
	bool whole, made;
	struct err err; /* why there is no table */
	struct run *next;
};
struct runs {
	const struct content *c;
	struct query window, all; /* what is asked, with what is kept of it: `whole` asks the second one */
	struct run *first;
	pthread_mutex_t lock; /* of all that follows, and of who is in the list */
	pthread_cond_t changed;
	const struct planned *plan;
	bool *begun;              /* of the planned ones, by whomever: what was dropped since then is not made again */
	uint32_t n, next, passed; /* answers before `next` have been begun, sections of those before `passed` cut */
	bool stop, beside;        /* beside: there is a thread */
	pthread_t thread;
};

static struct query question(const struct content *c, const struct window *w)
{
	struct query q = window_query(w, c->req->filter);
	q.every_k = c->req->every_k;
	q.all_steps = c->req->all_steps;
	q.shared = shared_new(&q);
	return q;
}

struct runs *runs_new(const struct content *c)
{
	struct runs *x = must(calloc(1, sizeof *x));
	struct window all = window_all(c->req->d);
	x->c = c;
	x->window = question(c, &c->req->window);
	x->all = question(c, &all);
	pthread_mutex_init(&x->lock, NULL);
	pthread_cond_init(&x->changed, NULL);
	return x;
}

static struct run *find(const struct runs *x, const struct table_desc *a, bool whole)
{
	for (struct run *r = x->first; r; r = r->next)
		if (r->desc == a && r->whole == whole)
			return r;
	return NULL;
}

static void mark_begun(struct runs *x, const struct table_desc *a, bool whole)
{
	for (uint32_t i = 0; i < x->n; i++)
		if (x->plan[i].table == a && x->plan[i].whole == whole)
			x->begun[i] = true;
}

/* Under the lock; lets go of it meanwhile. */
static struct run *make(struct runs *x, const struct table_desc *a, bool whole)
{
	struct run *r = must(calloc(1, sizeof *r));
	mark_begun(x, a, whole);
	*r = (struct run){.desc = a, .whole = whole, .next = x->first};
	x->first = r;
	pthread_mutex_unlock(&x->lock);
	r->told.table = shared_table(a, x->c->req->d, whole ? &x->all : &x->window, NULL, NULL, &r->err);
	pthread_mutex_lock(&x->lock);
	r->made = true;
	pthread_cond_broadcast(&x->changed);
	return r;
}

void runs_drop_part(struct runs *x, const struct shared_part *part)
{
	shared_drop(x->window.shared, part);
}

/* ---- ahead ------------------------------------------------------------------------------------------------------------- */

/* Analyses that use a second thread themselves. */
static bool alone(const struct table_desc *a)
{
	return a == &overview_desc || a == &findings_desc;
}

/* Tables that may be made of as many groups as there are kernels, and take far more while they are made. */
static bool may_be_long(const struct table_desc *a)
{
	return a == &kernel_families_desc || a == &kernels_desc || a == &launches_desc;
}

/* Under the lock. Made or under way: how many rows come is not known before, but hardly more than the trace has texts. */
static bool long_one_is_held(const struct runs *x)
{
	enum { MANY_TEXTS = 1 << 14 };
	if (strings_count(trace_strings(derived_trace(x->c->req->d))) < MANY_TEXTS)
		return false;
	for (const struct run *r = x->first; r; r = r->next)
		if (may_be_long(r->desc))
			return true;
	return false;
}

/* Under the lock; lets go of it meanwhile. False: there is none that may be begun. Two long ones are not held at once. */
static bool make_next(struct runs *x)
{
	if (x->next < x->passed)
		x->next = x->passed;
	while (x->next < x->n && x->next < x->passed + LOOK_AHEAD) {
		uint32_t i = x->next;
		const struct planned *p = &x->plan[i];
		if (!x->begun[i] && may_be_long(p->table) && long_one_is_held(x))
			return false;
		x->next++;
		if (x->begun[i] || alone(p->table) || find(x, p->table, p->whole))
			continue;
		make(x, p->table, p->whole);
		return true;
	}
	return false;
}

static void *go_ahead(void *ctx)
{
	struct runs *x = ctx;
	pthread_mutex_lock(&x->lock);
	while (!x->stop && x->next < x->n)
		if (!make_next(x))
			pthread_cond_wait(&x->changed, &x->lock);
	pthread_mutex_unlock(&x->lock);
	return NULL;
}

/* ---- asking ------------------------------------------------------------------------------------------------------------ */

struct answer *runs_ask(struct runs *x, const struct table_desc *a, bool whole, struct err *e)
{
	pthread_mutex_lock(&x->lock);
	struct run *r = find(x, a, whole);
	if (!r)
		r = make(x, a, whole);
	while (!r->made)
		if (!make_next(x))
			pthread_cond_wait(&x->changed, &x->lock);
	pthread_mutex_unlock(&x->lock);
	if (r->told.table)
		return &r->told;
	if (e)
		*e = r->err;
	runs_drop(x, &r->told);
	return NULL;
}

void runs_drop(struct runs *x, struct answer *gone)
{
	pthread_mutex_lock(&x->lock);
	struct run **at = &x->first;
	while (*at && &(*at)->told != gone)
		at = &(*at)->next;
	struct run *r = *at;
	if (r)
		*at = r->next;
	pthread_mutex_unlock(&x->lock);
	if (!r)
		return;
	shared_drop(r->whole ? x->all.shared : x->window.shared, r->desc);
	arena_free(&r->told.mem);
	free(r);
}

void runs_plan(struct runs *x, const struct planned *plan, uint32_t n)
{
	x->plan = plan;
	x->begun = must(calloc(n + (size_t)1, sizeof *x->begun));
	x->n = n;
	x->beside = thread_start(&x->thread, go_ahead, x);
}

void runs_passed(struct runs *x, uint32_t passed)
{
	pthread_mutex_lock(&x->lock);
	x->passed = passed;
	pthread_cond_broadcast(&x->changed);
	pthread_mutex_unlock(&x->lock);
}

void runs_free(struct runs *x)
{
	pthread_mutex_lock(&x->lock);
	x->stop = true;
	pthread_cond_broadcast(&x->changed);
	pthread_mutex_unlock(&x->lock);
	if (x->beside)
		pthread_join(x->thread, NULL);
	while (x->first)
		runs_drop(x, &x->first->told);
	shared_free(x->window.shared);
	shared_free(x->all.shared);
	pthread_mutex_destroy(&x->lock);
	pthread_cond_destroy(&x->changed);
	free(x->begun);
	free(x);
}
