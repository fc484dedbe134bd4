#include "trace_load.h"
#include "model/analysis/comms/clocks.h"
#include "model/analysis/derived/gaps.h"
#include "model/store/base/clock.h"
#include "model/store/base/thread.h"
#include "model/summary/summary.h"
#include "tui/explorer/session_log.h"
#include "tui/text/open_named.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TRACKS = 64, CANCEL_WAIT_MS = 1000 };

struct load {
	const struct app_opts *opts;
	int wake_fd;
	pthread_t thread;
	bool started;         /* else all was done in load_start */
	pthread_mutex_t lock; /* guards `in`: it may go away between two frames */
	struct ingest *in;
	struct progress progress;
	struct derived *made;
	struct err err;
	_Atomic bool done;
	struct timespec begun;
	int64_t stage_begun_ms; /* the loading thread's own */
	struct coverage_track *tracks;
};

/* A stage has ended and the next begins: how long it took, for the log. */
static void end_stage(struct load *l, const char *stage)
{
	int64_t now = now_ms();
	session_log("load: %s, %lld ms, %lld events", stage, (long long)(now - l->stage_begun_ms),
		    (long long)atomic_load(&l->progress.events));
	l->stage_begun_ms = now;
}

/* With NULL all bytes are read, and what is left of the import is sorting. A saved or cached trace is not ingested. */
static void on_ingest(void *ctx, struct ingest *in)
{
	struct load *l = ctx;
	pthread_mutex_lock(&l->lock);
	l->in = in;
	pthread_mutex_unlock(&l->lock);
	if (!in)
		end_stage(l, "read");
}

static void log_error(const struct err *e)
{
	char text[640];
	session_log("load: failed: %s", err_text(e, text, sizeof text));
}

static struct derived *derive(struct load *l, struct trace *t)
{
	atomic_store(&l->progress.phase, PHASE_DERIVE);
	struct derived *d = clocks_derive(t, &l->opts->derived, open_settle, &l->progress, &l->err);
	if (d)
		derived_gap_count(d); /* found here, not while someone waits for the first key */
	trace_free(t);                /* the derived trace holds its own reference */
	end_stage(l, "derived");
	return d;
}

static void *work(void *arg)
{
	struct load *l = arg;
	struct open_opts o = {.progress = &l->progress,
			      .on_ingest = on_ingest,
			      .ctx = l,
			      .cache = l->opts->cache,
			      .threads = l->opts->threads};
	l->stage_begun_ms = now_ms();
	struct trace *t = l->opts->summary
				  ? summary_trace(l->opts->summary, l->opts->paths, l->opts->n_paths, &l->err)
				  : open_named(l->opts->paths, l->opts->n_paths, l->opts->capture, &o, &l->err);
	end_stage(l, t ? "sorted or loaded" : "given up");
	if (t)
		l->made = derive(l, t);
	if (!l->made)
		log_error(&l->err);
	atomic_store(&l->progress.phase, PHASE_DONE);
	atomic_store(&l->done, true);
	if (write(l->wake_fd, "l", 1) < 0)
		return NULL; /* the pipe is full: the other side wakes up anyway */
	return NULL;
}

struct load *load_start(const struct app_opts *o, int wake_fd, struct err *e)
{
	struct load *l = calloc(1, sizeof *l);
	struct coverage_track *tracks = calloc(MAX_TRACKS, sizeof *tracks);
	if (!l || !tracks) {
		free(l);
		free(tracks);
		err_memory(e, NULL);
		return NULL;
	}
	l->opts = o;
	l->wake_fd = wake_fd;
	l->tracks = tracks;
	l->err.at = -1;
	pthread_mutex_init(&l->lock, NULL);
	clock_gettime(CLOCK_MONOTONIC, &l->begun);
	l->started = thread_start(&l->thread, work, l);
	if (!l->started)
		work(l); /* without a picture meanwhile */
	return l;
}

bool load_done(const struct load *l)
{
	return atomic_load(&l->done);
}

static double seconds_since(const struct timespec *then)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

struct load_picture load_picture(struct load *l)
{
	struct load_picture p = {
		.bytes_done = atomic_load(&l->progress.bytes_done),
		.bytes_total = atomic_load(&l->progress.bytes_total),
		.events = atomic_load(&l->progress.events),
		.phase = (enum progress_phase)atomic_load(&l->progress.phase),
		.seconds = seconds_since(&l->begun),
		.tracks = l->tracks,
	};
	pthread_mutex_lock(&l->lock);
	if (l->in)
		p.n_tracks = ingest_coverage(l->in, l->tracks, MAX_TRACKS, &p.span_ns);
	pthread_mutex_unlock(&l->lock);
	return p;
}

static void release(struct load *l)
{
	pthread_mutex_destroy(&l->lock);
	free(l->tracks);
	free(l);
}

struct derived *load_finish(struct load *l, struct err *e)
{
	if (l->started)
		pthread_join(l->thread, NULL);
	struct derived *d = l->made;
	if (!d && e)
		*e = l->err;
	release(l);
	return d;
}

void load_cancel(struct load *l)
{
	struct timespec until;
	atomic_store(&l->progress.cancel, true);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += CANCEL_WAIT_MS / 1000;
	if (l->started && pthread_timedjoin_np(l->thread, NULL, &until) != 0) {
		pthread_detach(l->thread);
		return;
	}
	derived_free(l->made);
	release(l);
}
