#include "worker.h"
#include "session_log.h"
#include "model/store/base/clock.h"
#include "model/store/base/memory.h"
#include "model/store/base/thread.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct job {
	char what[48];
	void (*work)(void *ctx);
	void (*done)(void *ctx);
	void *ctx;
};
enum { MAX_JOBS = 64 };

struct worker {
	int wake_fd;
	bool inline_jobs, started, quit, running;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct job todo[MAX_JOBS], finished[MAX_JOBS];
	uint32_t n_todo, n_finished;
};

/* ---- the thread --------------------------------------------------------------------------------------------------- */

static void run_logged(const struct job *j)
{
	int64_t begun_ms = now_ms();
	session_log("worker begins: %s", j->what);
	j->work(j->ctx);
	session_log("worker ends: %s, %lld ms", j->what, (long long)(now_ms() - begun_ms));
}

static void run_job(struct worker *w, struct job j)
{
	run_logged(&j);
	pthread_mutex_lock(&w->lock);
	w->finished[w->n_finished++] = j;
	w->running = false;
	pthread_mutex_unlock(&w->lock);
	if (w->wake_fd >= 0 && write(w->wake_fd, "j", 1) < 0)
		return; /* the pipe is full: a wake-up is under way already */
}

static void *work(void *arg)
{
	struct worker *w = arg;
	pthread_mutex_lock(&w->lock);
	while (!w->quit) {
		if (w->n_todo == 0 || w->n_finished == MAX_JOBS) {
			pthread_cond_wait(&w->wake, &w->lock);
			continue;
		}
		struct job j = w->todo[0];
		memmove(w->todo, w->todo + 1, --w->n_todo * sizeof *w->todo);
		w->running = true;
		pthread_mutex_unlock(&w->lock);
		run_job(w, j);
		pthread_mutex_lock(&w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* ---- the caller's side -------------------------------------------------------------------------------------------- */

struct worker *worker_new(int wake_fd, bool inline_jobs)
{
	struct worker *w = must(calloc(1, sizeof *w));
	w->wake_fd = wake_fd;
	w->inline_jobs = inline_jobs;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	return w;
}

static void stop(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->quit = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	if (w->started)
		pthread_join(w->thread, NULL);
}

/* Done callbacks free what a job was given, so they run for jobs that never started, too. */
void worker_free(struct worker *w)
{
	if (!w)
		return;
	stop(w);
	for (uint32_t i = 0; i < w->n_todo; i++)
		w->todo[i].done(w->todo[i].ctx);
	for (uint32_t i = 0; i < w->n_finished; i++)
		w->finished[i].done(w->finished[i].ctx);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->wake);
	free(w);
}

bool worker_run(struct worker *w, const char *what, void (*job_work)(void *ctx), void (*done)(void *ctx), void *ctx)
{
	struct job j = {.work = job_work, .done = done, .ctx = ctx};
	snprintf(j.what, sizeof j.what, "%s", what);
	if (!w->inline_jobs && !w->started)
		w->started = thread_start(&w->thread, work, w);
	if (!w->started) { /* no thread can be started: the caller runs the job */
		run_logged(&j);
		j.done(j.ctx);
		return true;
	}
	pthread_mutex_lock(&w->lock);
	bool room = w->n_todo < MAX_JOBS;
	if (room)
		w->todo[w->n_todo++] = j;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	return room;
}

bool worker_busy(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	bool busy = w->running || w->n_todo || w->n_finished;
	pthread_mutex_unlock(&w->lock);
	return busy;
}

bool worker_collect(struct worker *w)
{
	struct job done[MAX_JOBS];
	pthread_mutex_lock(&w->lock);
	uint32_t n = w->n_finished;
	memcpy(done, w->finished, n * sizeof *done);
	w->n_finished = 0;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	for (uint32_t i = 0; i < n; i++)
		done[i].done(done[i].ctx);
	return n > 0;
}
