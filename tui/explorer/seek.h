/* tui/explorer/seek.h - what patterns are asked beside the user interface: searches, and filters before they hold. Patterns may be
 * costly and traces long, so all of it runs on a worker of the state's own and the frame never waits.
 * Keys:    n and N while a search runs are added up and answered at once when it ends; Esc stops it.
 * Threads: the worker reads the trace, which does not change. Of a table on the screen it reads one row at a time, only while
 *          the user interface waits for keys: that is what seek_let and seek_hold are for. */
#ifndef STEPSCOPE_SEEK_H
#define STEPSCOPE_SEEK_H
#include "model/store/base/err.h"
#include <stdbool.h>
#include <stddef.h>

struct state;
struct seeker;
struct seeker *seeker_new(struct state *st, int wake_fd, bool inline_jobs); /* held by the caller's thread */
/* Stops what runs; it ends within one match, see pattern.h. */
void seeker_free(struct seeker *k);

/* Around every wait for keys, by the thread that made it. */
void seek_let(struct seeker *k);
void seek_hold(struct seeker *k);

/* To the next (1) or previous (-1) event or table row that st->search hits, when it is found and the pane is still the same. */
void seek_event(struct state *st, int direction);
void seek_row(struct state *st, int direction);
/* Says which one of the search's hits is selected, if one is. */
void seek_tell(struct state *st);
/* Makes st->filter of the text ("" = none) as soon as its patterns are known to end, and says so, or what keeps it from that:
 * the filter before it holds on then. False with `e` when it is wrong at first sight. */
bool seek_filter(struct state *st, const char *text, struct err *e);
/* The same for the filter of the trace before this one: a word is said only when it cannot be had here; there is none then. */
void seek_transfer_filter(struct state *st, const char *text);

/* Stops the search and the filter under way; false when there are none. */
bool seek_stop(struct state *st);
/* "searching /x/ ..." while something is under way; false else. */
bool seek_tells(const struct seeker *k, char *buf, size_t size);
bool seek_busy(struct seeker *k);
bool seek_collect(struct seeker *k); /* takes over what is found; true when there was something */
#endif
