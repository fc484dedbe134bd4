#include "feed.h"
#include "importers/open.h"
#include "model/analysis/comms/clocks.h"
#include "model/analysis/derived/gaps.h"
#include "model/store/base/clock.h"
#include "model/store/base/thread.h"
#include "model/store/trace/trace.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MS = 200, LEAST_MS = 1000, REST = 5 };

struct feed {
	struct feed_source source;
	struct derived_opts opts;
	int wake_fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool started, quit, held, hurry;
	struct derived *made;
	struct progress progress;
	struct err err;
	bool failed;
};

struct feed *feed_new(const struct feed_source *s, const struct derived_opts *o, struct err *e)
{
	struct feed *f = calloc(1, sizeof *f);
	if (!f) {
		err_memory(e, NULL);
		return NULL;
	}
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	f->source = *s;
	f->opts = *o;
	f->wake_fd = -1;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return f;
}

const struct feed_source *feed_source(const struct feed *f)
{
	return &f->source;
}

/* ---- worker ------------------------------------------------------------------------------------------------------- */

static struct derived *make(struct feed *f, struct err *e)
{
	struct trace *t = f->source.next(f->source.ctx, &f->progress, e);
	struct derived *d = t ? clocks_derive(t, &f->opts, open_settle, &f->progress, e) : NULL;
	if (d)
		derived_gap_count(d); /* found here, not while someone waits for the first key */
	trace_free(t);                /* the derived trace holds its own reference */
	return d;
}

/* A trace that was not taken is replaced: the explorer only wants the newest. */
static void offer(struct feed *f, struct derived *d)
{
	derived_free(f->made);
	f->made = d;
	f->failed = false;
	if (f->wake_fd >= 0 && write(f->wake_fd, "f", 1) < 0)
		return; /* the pipe is full: a wake-up is under way already */
}

static void rest(struct feed *f, int64_t until_ms)
{
	struct timespec at = {.tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
	while (!f->quit && !f->hurry && now_ms() < until_ms)
		pthread_cond_timedwait(&f->wake, &f->lock, &at);
	while (!f->quit && f->held)
		pthread_cond_wait(&f->wake, &f->lock);
	f->hurry = false;
}

static void *work(void *arg)
{
	struct feed *f = arg;
	pthread_mutex_lock(&f->lock);
	while (!f->quit) {
		struct err e = {.at = -1};
		pthread_mutex_unlock(&f->lock);
		int64_t begun_ms = now_ms();
		struct derived *d = make(f, &e);
		int64_t cost_ms = now_ms() - begun_ms;
		pthread_mutex_lock(&f->lock);
		if (d)
			offer(f, d);
		if (!d && *e.msg) {
			f->err = e;
			f->failed = true;
		}
		int64_t pause_ms = cost_ms * REST > LEAST_MS ? cost_ms * REST : LEAST_MS;
		rest(f, now_ms() + (d ? pause_ms : POLL_MS));
	}
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

bool feed_start(struct feed *f, int wake_fd, struct err *e)
{
	f->wake_fd = wake_fd;
	f->started = thread_start(&f->thread, work, f);
	return f->started || err_usage(e, "cannot start a thread");
}

void feed_stop(struct feed *f)
{
	atomic_store(&f->progress.cancel, true);
	pthread_mutex_lock(&f->lock);
	f->quit = true;
	pthread_cond_signal(&f->wake);
	pthread_mutex_unlock(&f->lock);
	if (f->started)
		pthread_join(f->thread, NULL);
	f->started = false;
}

void feed_free(struct feed *f)
{
	if (!f)
		return;
	feed_stop(f);
	derived_free(f->made);
	pthread_cond_destroy(&f->wake);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* ---- the explorer's side ------------------------------------------------------------------------------------------ */

struct derived *feed_take(struct feed *f)
{
	pthread_mutex_lock(&f->lock);
	struct derived *d = f->made;
	f->made = NULL;
	pthread_mutex_unlock(&f->lock);
	return d;
}

void feed_hold(struct feed *f, bool held)
{
	pthread_mutex_lock(&f->lock);
	f->hurry = f->held && !held;
	f->held = held;
	pthread_cond_signal(&f->wake);
	pthread_mutex_unlock(&f->lock);
}

void feed_tell(struct feed *f, struct feed_status *out)
{
	*out = (struct feed_status){0};
	pthread_mutex_lock(&f->lock);
	bool failed = f->failed;
	if (failed) {
		char text[640];
		snprintf(out->text, sizeof out->text, "%.*s", (int)sizeof out->text - 1,
			 err_text(&f->err, text, sizeof text));
		out->mood = FEED_BAD;
	}
	pthread_mutex_unlock(&f->lock);
	if (!failed)
		f->source.status(f->source.ctx, out);
}
