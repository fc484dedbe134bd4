/* tui/search.h - a PCRE2 pattern and what it hits: names of events on the timeline, cells of a table.
 * Case:    a pattern without capitals ignores case. Life: search_new -> search_free. One thread. */
#ifndef STEPSCOPE_SEARCH_H
#define STEPSCOPE_SEARCH_H
#include "../model/store/trace.h"

struct search;
struct search *search_new(const char *pattern, struct err *e);
void search_free(struct search *s);
const char *search_text(const struct search *s);
bool search_hits(struct search *s, const char *text);
/* The event after (before) `from` in order of (start, row) whose name is hit, going round at the end; NONE_ID when no
 * event is. from = NONE_ID: start at time ts_ns. */
row_id search_event(struct search *s, const struct trace *t, row_id from, int64_t ts_ns, int direction);
uint64_t search_count(const struct search *s); /* events hit in the trace last searched */
#endif
