/* tui/cli/cli_watch.c - `stepscope watch DIR`: every new profile opens as soon as it is written. Without a terminal its text
 * overview goes to stdout. */
#include "bundle.h"
#include "cli_live.h"
#include "cli_open.h"
#include "watch.h"
#include "importers/open.h"
#include "model/analysis/comms/clocks.h"
#include "model/store/base/memory.h"
#include "tui/explorer/feed.h"
#include "tui/report/overview_text.h"
#include "tui/text/put.h"
#include "tui/text/words.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct watching {
	const struct cli *c;
	struct watch *w;
	const char *dir;
	bool cache;
	uint32_t threads;
	pthread_mutex_t lock; /* what follows is also read by the user interface */
	unsigned opened, known, growing;
	char last[96];
};

/* What an unfinished file looks like. */
static bool cut_short(const struct trace *t)
{
	const struct notes *n = trace_notes(t);
	return n->at[NOTE_TRUNCATED].count || n->at[NOTE_STREAM_DAMAGED].count || n->at[NOTE_ARRAY_UNCLOSED].count ||
	       n->at[NOTE_CHANGED].count;
}

static void count(struct watching *w, const char *opened)
{
	pthread_mutex_lock(&w->lock);
	watch_counts(w->w, &w->known, &w->growing);
	if (opened) {
		w->opened++;
		snprintf(w->last, sizeof w->last, "%s", words_base(opened));
	}
	pthread_mutex_unlock(&w->lock);
}

/* NULL: nothing new, or (with e) something that cannot be read. A young one is given time to become readable. */
static struct trace *open_next(struct watching *w, struct progress *p, char **path, struct err *e)
{
	const char *found;
	*path = NULL;
	if (!watch_look(w->w, &found)) {
		count(w, NULL);
		return NULL;
	}
	*path = must(strdup(found));
	const char *one[1] = {*path};
	struct open_opts o = {.progress = p, .cache = w->cache, .threads = w->threads};
	struct trace *t = open_trace(one, 1, &o, e);
	if ((!t || cut_short(t)) && watch_doubt(w->w, *path)) {
		trace_free(t);
		*e = (struct err){.at = -1};
		t = NULL;
	}
	count(w, t ? *path : NULL);
	return t;
}

/* ---- in the explorer ---------------------------------------------------------------------------------------------- */

static void look_pause(void)
{
	nanosleep(&(struct timespec){.tv_nsec = WATCH_LOOK_MS / 2 * 1000000L}, NULL);
}

static struct trace *next(void *ctx, struct progress *p, struct err *e)
{
	char *path;
	look_pause();
	struct trace *t = open_next(ctx, p, &path, e);
	free(path);
	return t;
}

static void status(void *ctx, struct feed_status *out)
{
	struct watching *w = ctx;
	pthread_mutex_lock(&w->lock);
	if (w->opened)
		snprintf(out->text, sizeof out->text, "WATCH %u new%s", w->opened,
			 w->growing ? ", one is written" : "");
	else if (w->growing)
		snprintf(out->text, sizeof out->text, "a profile is being written");
	pthread_mutex_unlock(&w->lock);
}

static bool waiting(void *ctx, unsigned i, char *buf, size_t size)
{
	struct watching *w = ctx;
	pthread_mutex_lock(&w->lock);
	if (i == 0)
		snprintf(buf, size, "watching %s: the next profile that is written below it opens here", w->dir);
	else if (i == 1)
		snprintf(buf, size, "%u trace file%s there already", w->known, w->known == 1 ? "" : "s");
	pthread_mutex_unlock(&w->lock);
	return i < 2;
}

static int explore(struct watching *w, struct err *e)
{
	struct app_opts o;
	char word[128];
	struct feed_source s = {.ctx = w, .next = next, .status = status, .waiting = waiting, .title = w->dir};
	if (!cli_app_opts(w->c, &o, word, e))
		return EXIT_USAGE;
	o.feed = feed_new(&s, &o.derived, e);
	if (!o.feed)
		return EXIT_USAGE;
	int code = app_run(&o, e);
	feed_free(o.feed);
	return code;
}

/* ---- as text ------------------------------------------------------------------------------------------------------ */

static bool print_overview(const struct watching *w, struct trace *t, const char *path, struct err *e)
{
	const char *paths[1] = {path};
	struct derived_opts opts = cli_derived_opts(w->c);
	struct derived *d = clocks_derive(t, &opts, open_settle, NULL, e);
	if (!d)
		return false;
	struct overview_req r = {.d = d,
				 .window = window_all(d),
				 .paths = paths,
				 .n_paths = 1,
				 .program = w->c->program,
				 .all_steps = cli_has(w->c, OPT_ALL_STEPS),
				 .ascii = !bundle_locale() || cli_has(w->c, OPT_ASCII)};
	bool ok = overview_text(&r, stdout, e);
	derived_free(d);
	return ok && (fflush(stdout) == 0 || err_unwritten(e, "cannot write to stdout: %s", strerror(errno)));
}

static void say_error(const struct err *e)
{
	char text[640];
	fputs("stepscope: ", stderr);
	put_plain(stderr, err_text(e, text, sizeof text));
	fputc('\n', stderr);
}

/* Until a signal ends it, or stdout is closed. */
static int print_all(struct watching *w, struct err *e)
{
	for (;;) {
		char *path;
		struct err why = {.at = -1};
		struct trace *t = open_next(w, NULL, &path, &why);
		if (t && !print_overview(w, t, path, &why)) {
			free(path);
			trace_free(t);
			*e = why;
			return cli_failed(e);
		}
		if (!t && *why.msg)
			say_error(&why);
		trace_free(t);
		free(path);
		look_pause();
	}
}

static int run_watch(const struct cli *c, struct err *e)
{
	struct watching w = {.c = c, .dir = c->paths[0], .cache = !cli_has(c, OPT_NO_CACHE)};
	if (!cli_number(c, OPT_THREADS, &w.threads, e))
		return EXIT_USAGE;
	w.w = watch_new(w.dir, e);
	if (!w.w)
		return cli_failed(e);
	pthread_mutex_init(&w.lock, NULL);
	count(&w, NULL);
	int code = cli_has_screen() ? explore(&w, e) : print_all(&w, e);
	pthread_mutex_destroy(&w.lock);
	watch_free(w.w);
	return code;
}

const struct cli_command_info cli_watch_command = {
	.word = "watch",
	.operands = "DIR",
	.help = "open every new profile that is written below a folder",
	.takes = TAKES_FOLDER,
	.run = run_watch,
	.examples = "  stepscope watch logs/                         in one terminal, the training in another\n"};
