#include "tables.h"
#include "../model/store/memory.h"
#include "human_table.h"
#include "kernel_names.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One answer. The worker owns it while state is TABLE_RUNNING, the user interface otherwise. */
struct slot {
	enum table_state state;
	struct arena mem;
	struct table *table, *raw; /* raw: what the table is made from, or the same */
	struct table *by_name;     /* kernels */
	struct err err;
};
struct job {
	void (*work)(void *ctx);
	void (*done)(void *ctx);
	void *ctx;
};
enum { MAX_JOBS = 64 };

struct tables {
	const struct derived *d;
	int wake_fd;
	bool inline_jobs, started, quit;
	uint32_t n;
	struct slot *slots; /* [analysis * 2 + whole], then the grouped one */
	struct grouped {
		uint32_t analysis;
		const char *by;
		bool idle;
	} grouped;
	struct window window;
	char filter[256];
	struct progress progress;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct job todo[MAX_JOBS], finished[MAX_JOBS];
	uint32_t n_todo, n_finished;
	bool running;
};

/* ---- worker ------------------------------------------------------------------------------------------------------- */

static void run_job(struct tables *ts, struct job j)
{
	j.work(j.ctx);
	pthread_mutex_lock(&ts->lock);
	ts->finished[ts->n_finished++] = j;
	ts->running = false;
	pthread_mutex_unlock(&ts->lock);
	if (ts->wake_fd >= 0 && write(ts->wake_fd, "j", 1) < 0)
		return; /* the pipe is full: a wake-up is under way already */
}

static void *work(void *arg)
{
	struct tables *ts = arg;
	pthread_mutex_lock(&ts->lock);
	while (!ts->quit) {
		if (ts->n_todo == 0 || ts->n_finished == MAX_JOBS) {
			pthread_cond_wait(&ts->wake, &ts->lock);
			continue;
		}
		struct job j = ts->todo[0];
		memmove(ts->todo, ts->todo + 1, --ts->n_todo * sizeof *ts->todo);
		ts->running = true;
		pthread_mutex_unlock(&ts->lock);
		run_job(ts, j);
		pthread_mutex_lock(&ts->lock);
	}
	pthread_mutex_unlock(&ts->lock);
	return NULL;
}

static bool enqueue(struct tables *ts, struct job j)
{
	if (!ts->inline_jobs && !ts->started)
		ts->started = pthread_create(&ts->thread, NULL, work, ts) == 0;
	if (!ts->started) { /* the system gives no thread: whoever asks waits */
		j.work(j.ctx);
		j.done(j.ctx);
		return true;
	}
	pthread_mutex_lock(&ts->lock);
	bool room = ts->n_todo < MAX_JOBS;
	if (room)
		ts->todo[ts->n_todo++] = j;
	pthread_cond_signal(&ts->wake);
	pthread_mutex_unlock(&ts->lock);
	return room;
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

struct tables *tables_new(const struct derived *d, int wake_fd, bool inline_jobs)
{
	struct tables *ts = must(calloc(1, sizeof *ts));
	analysis_list(&ts->n);
	ts->slots = must(calloc((size_t)ts->n * 2 + 1, sizeof *ts->slots));
	ts->d = d;
	ts->wake_fd = wake_fd;
	ts->inline_jobs = inline_jobs;
	ts->window = window_all(d);
	pthread_mutex_init(&ts->lock, NULL);
	pthread_cond_init(&ts->wake, NULL);
	return ts;
}

static void stop(struct tables *ts)
{
	atomic_store(&ts->progress.cancel, true);
	pthread_mutex_lock(&ts->lock);
	ts->quit = true;
	pthread_cond_signal(&ts->wake);
	pthread_mutex_unlock(&ts->lock);
	if (ts->started)
		pthread_join(ts->thread, NULL);
}

/* Done callbacks free what a job was given, so they run for jobs that never started, too. */
void tables_free(struct tables *ts)
{
	if (!ts)
		return;
	stop(ts);
	for (uint32_t i = 0; i < ts->n_todo; i++)
		ts->todo[i].done(ts->todo[i].ctx);
	for (uint32_t i = 0; i < ts->n_finished; i++)
		ts->finished[i].done(ts->finished[i].ctx);
	for (uint32_t i = 0; i < ts->n * 2 + 1; i++)
		arena_free(&ts->slots[i].mem);
	pthread_mutex_destroy(&ts->lock);
	pthread_cond_destroy(&ts->wake);
	free(ts->slots);
	free(ts);
}

/* ---- tables ------------------------------------------------------------------------------------------------------- */

/* A request carries its own copy of the question: the question may change while it runs. */
struct request {
	struct tables *ts;
	uint32_t slot, analysis;
	struct window window;
	char filter[256];
	struct grouped how; /* of the grouped slot */
	struct slot made;
};

static void make_table(void *ctx)
{
	struct request *r = ctx;
	uint32_t n;
	const struct analysis *a = &analysis_list(&n)[r->analysis];
	struct filter *f = *r->filter ? filter_new(r->filter, &r->made.err) : NULL;
	if (*r->filter && !f)
		return;
	struct query q = window_query(&r->window, f);
	q.by = r->how.by;
	q.idle = r->how.idle;
	r->made.raw = a->run(r->ts->d, &q, &r->made.mem, &r->ts->progress, &r->made.err);
	if (r->made.raw)
		r->made.table = human_table(r->made.raw, r->ts->d, false, &r->made.mem);
	filter_free(f);
	if (r->made.raw && strcmp(a->name, "kernels") == 0)
		r->made.by_name = kernels_by_name(r->made.raw, &r->made.mem);
}

static bool same_grouping(const struct grouped *a, const struct grouped *b)
{
	return a->analysis == b->analysis && a->by == b->by && a->idle == b->idle;
}

static bool same_question(const struct request *r)
{
	bool whole = r->slot & 1, grouped = r->slot == r->ts->n * 2;
	if (grouped && !same_grouping(&r->how, &r->ts->grouped))
		return false;
	return whole || (strcmp(r->window.text, r->ts->window.text) == 0 && strcmp(r->filter, r->ts->filter) == 0);
}

static void keep_table(void *ctx)
{
	struct request *r = ctx;
	struct slot *s = &r->ts->slots[r->slot];
	if (same_question(r)) {
		*s = r->made;
		s->state = r->made.table ? TABLE_READY : TABLE_FAILED;
		if (s->by_name)
			s->by_name->mem = &s->mem;
		if (s->table)
			s->table->mem = s->raw->mem = &s->mem; /* the arena moved along */
	} else {
		arena_free(&r->made.mem);
		s->state = TABLE_NONE;
	}
	free(r);
}

static enum table_state want(struct tables *ts, uint32_t at, uint32_t analysis, const struct grouped *how)
{
	struct slot *s = &ts->slots[at];
	bool whole = at & 1;
	if (s->state != TABLE_NONE)
		return s->state;
	struct request *r = must(calloc(1, sizeof *r));
	r->ts = ts;
	r->slot = at;
	r->analysis = analysis;
	r->how = *how;
	r->window = whole ? window_all(ts->d) : ts->window;
	if (!whole)
		memcpy(r->filter, ts->filter, sizeof r->filter);
	s->state = TABLE_RUNNING;
	if (!enqueue(ts, (struct job){make_table, keep_table, r})) {
		s->state = TABLE_FAILED;
		free(r);
	}
	return s->state;
}

enum table_state tables_want(struct tables *ts, uint32_t analysis, bool whole)
{
	return want(ts, analysis * 2 + whole, analysis, &(struct grouped){0});
}

static void forget(struct slot *s)
{
	if (s->state == TABLE_RUNNING)
		return; /* dropped on arrival */
	arena_free(&s->mem);
	*s = (struct slot){0};
}

enum table_state tables_want_grouped(struct tables *ts, uint32_t analysis, const char *by, bool idle)
{
	struct grouped how = {analysis, by, idle};
	if (!same_grouping(&how, &ts->grouped))
		forget(&ts->slots[ts->n * 2]);
	ts->grouped = how;
	return want(ts, ts->n * 2, analysis, &how);
}

struct table *tables_grouped(const struct tables *ts, uint32_t analysis, const char *by, bool idle)
{
	const struct slot *s = &ts->slots[ts->n * 2];
	return s->state == TABLE_READY && same_grouping(&(struct grouped){analysis, by, idle}, &ts->grouped) ? s->table
													     : NULL;
}

struct table *tables_get(const struct tables *ts, uint32_t analysis, bool whole)
{
	const struct slot *s = &ts->slots[analysis * 2 + whole];
	return s->state == TABLE_READY ? s->table : NULL;
}

const struct table *tables_raw(const struct tables *ts, uint32_t analysis, bool whole)
{
	const struct slot *s = &ts->slots[analysis * 2 + whole];
	return s->state == TABLE_READY ? s->raw : NULL;
}

struct table *tables_by_name(const struct tables *ts, uint32_t analysis)
{
	const struct slot *s = &ts->slots[analysis * 2];
	return s->state == TABLE_READY ? s->by_name : NULL;
}

const struct err *tables_error(const struct tables *ts, uint32_t analysis, bool whole)
{
	return &ts->slots[analysis * 2 + whole].err;
}

void tables_question(struct tables *ts, const struct window *w, const char *filter)
{
	if (strcmp(w->text, ts->window.text) == 0 && strcmp(filter, ts->filter) == 0)
		return;
	ts->window = *w;
	snprintf(ts->filter, sizeof ts->filter, "%s", filter);
	for (uint32_t i = 0; i <= ts->n * 2; i += 2)
		forget(&ts->slots[i]);
}

bool tables_busy(struct tables *ts)
{
	pthread_mutex_lock(&ts->lock);
	bool busy = ts->running || ts->n_todo || ts->n_finished;
	pthread_mutex_unlock(&ts->lock);
	return busy;
}

bool tables_collect(struct tables *ts)
{
	struct job done[MAX_JOBS];
	pthread_mutex_lock(&ts->lock);
	uint32_t n = ts->n_finished;
	memcpy(done, ts->finished, n * sizeof *done);
	ts->n_finished = 0;
	pthread_cond_signal(&ts->wake);
	pthread_mutex_unlock(&ts->lock);
	for (uint32_t i = 0; i < n; i++)
		done[i].done(done[i].ctx);
	return n > 0;
}

bool tables_run(struct tables *ts, void (*job_work)(void *ctx), void (*done)(void *ctx), void *ctx)
{
	return enqueue(ts, (struct job){job_work, done, ctx});
}
