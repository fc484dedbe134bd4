/* tui/cli/watch.h - a folder in which a framework writes profiles: tells each new one as soon as it is finished.
 * New:      what was not there, or not finished, when the watch began; a file that changes later counts again.
 * Finished: not empty and unchanged between two looks. A caller that finds a recent one truncated calls watch_doubt, and it is
 *           reported again later.
 * Unit:     a run folder (its *.xplane.pb, one per host) is one profile; every other trace file is one.
 * Depth:    WATCH_MAX_DEPTH folders below the one watched; links to folders are not followed.
 * Threads:  one at a time. */
#ifndef STEPSCOPE_WATCH_H
#define STEPSCOPE_WATCH_H
#include "model/store/base/err.h"
#include <stddef.h>

enum { WATCH_MAX_DEPTH = 8, WATCH_LOOK_MS = 400, WATCH_YOUNG_S = 10 };
struct watch;
struct watch *watch_new(const char *dir, struct err *e); /* dir must be a folder that can be read */
void watch_free(struct watch *w);
/* Looks once. True: *path (valid until the next call) is a new profile, the oldest that was not told yet. */
bool watch_look(struct watch *w, const char **path);
/* The profile looks unfinished: true when it is young enough for that to be so, and it will be told once more. */
bool watch_doubt(struct watch *w, const char *path);
/* Files of traces seen so far, and those that are still being written. */
void watch_counts(const struct watch *w, unsigned *known, unsigned *growing);
#endif
