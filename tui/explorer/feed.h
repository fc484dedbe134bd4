/* tui/explorer/feed.h - traces that come one after the other while the explorer runs: of a running process, of a watched folder.
 * Life:    a command fills in a feed_source -> feed_new -> app_run with app_opts.feed -> feed_free, by the command.
 * Threads: one worker asks the source for the next trace, derives it and offers it; it never makes two at a time, and rests
 *          five times as long as the last one took. Everything below returns at once, so panes never wait.
 * Memory:  the trace on the screen, the one that gets ready to replace it, and the one being made. */
#ifndef STEPSCOPE_FEED_H
#define STEPSCOPE_FEED_H
#include "model/analysis/derived/derived.h"

enum feed_mood { FEED_FINE, FEED_WARNS, FEED_BAD };
struct feed_status {
	char text[160]; /* for the status bar: rate, losses, what is kept */
	enum feed_mood mood;
};
struct feed_source {
	void *ctx;
	/* The next trace, NULL while there is nothing new (or with e filled: an error, told once). Worker's thread. */
	struct trace *(*next)(void *ctx, struct progress *p, struct err *e);
	/* Any thread. */
	void (*status)(void *ctx, struct feed_status *out);
	/* What the screen says until the first trace is there: line i, false after the last one. */
	bool (*waiting)(void *ctx, unsigned i, char *buf, size_t size);
	bool grows;         /* the next trace is the same one, later: times, marks and selections are carried over */
	const char *output; /* the file that holds what the target prints; NULL = none */
	const char *title;
};

struct feed;
struct feed *feed_new(const struct feed_source *s, const struct derived_opts *o, struct err *e);
void feed_free(struct feed *f); /* stops the worker; a blocked source must return when its progress says cancel */
bool feed_start(struct feed *f, int wake_fd, struct err *e);
void feed_stop(struct feed *f); /* no byte is written to wake_fd from now on */
const struct feed_source *feed_source(const struct feed *f);

/* The newest trace not taken yet; the caller owns it. NULL = none. */
struct derived *feed_take(struct feed *f);
/* While held, none are made; released, the next one is made at once. */
void feed_hold(struct feed *f, bool held);
/* The source's words, or its last error. */
void feed_tell(struct feed *f, struct feed_status *out);
#endif
