/* tui/explorer/search.h - a PCRE2 pattern or conditions of the filter language, and what they hit: events on the timeline, texts of a
 * table (patterns only).
 * Case:    a pattern without capitals ignores case.
 * Which:   conditions where a field is named (kind=memcpy dur>1ms), else a pattern.
 * Life:    search_new -> search_free; search_keep makes one more owner. Threads: matching is one thread's at a time, and runs
 *          on a worker (seek.h); search_text is anyone's, keep and free are the user interface's.
 * Limits:  those of pattern.h, for each question anew. */
#ifndef STEPSCOPE_SEARCH_H
#define STEPSCOPE_SEARCH_H
#include "model/analysis/derived/derived.h"
#include "model/hits.h"

struct search;
struct search *search_new(const char *pattern, struct err *e);
struct search *search_keep(struct search *s);
void search_free(struct search *s);
const char *search_text(const struct search *s);
bool search_is_filter(const struct search *s);
/* Events of the trace that are hit, once they were looked for; NULL before that. For the user interface's thread. */
const struct hits *search_shown(const struct search *s);

/* Texts: search_open, then search_hits of one after the other, then search_sound: false with a usage error when a limit was
 * hit, "no hit" means nothing then. */
void search_open(struct search *s, struct progress *p);
bool search_hits(struct search *s, const char *text);
bool search_sound(const struct search *s, struct err *e);

/* Events: the `steps`th one after `from` (before it when negative) in order of (start, row) whose name is hit, going round at
 * the end. from = NONE_ID: start at time ts_ns. */
struct search_place {
	row_id from;
	int64_t ts_ns;
	int64_t steps;
};
struct search_found {
	row_id row;     /* NONE_ID: no event is hit */
	uint64_t count; /* events hit in the whole trace */
	uint64_t place; /* of the row among them in order of time, from 1 */
};
/* False with `e` when a limit was hit, or p says cancel. */
bool search_events(struct search *s, const struct derived *d, const struct search_place *at, struct progress *p,
		   struct search_found *out, struct err *e);
#endif
