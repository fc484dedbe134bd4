/* model/hits.h - which events of a trace pass a filter or are hit by a search, so that pictures can ask about their columns.
 * Cost:    made once, by asking about every event; afterwards each question costs O(log hits).
 * Life:    hits_new -> any number of questions from any number of threads -> hits_free. The trace outlives it. */
#ifndef STEPSCOPE_HITS_H
#define STEPSCOPE_HITS_H
#include "model/store/base/progress.h"
#include "model/store/trace/trace.h"

struct hits;
/* NULL when p says cancel, after no further event is asked about: what is asked may be a costly pattern. p may be NULL. */
struct hits *hits_new(const struct trace *t, bool (*hit)(void *ctx, row_id r), void *ctx, struct progress *p);
void hits_free(struct hits *h); /* NULL is fine */
uint64_t hits_count(const struct hits *h);
bool hits_has(const struct hits *h, row_id r);
/* The first hit of a display row that touches [a, b); NONE_ID = none. */
row_id hits_within(const struct hits *h, uint32_t track, uint32_t disp, int64_t a_ns, int64_t b_ns);
/* Any of the track, whatever its display row. */
bool hits_touch(const struct hits *h, uint32_t track, int64_t a_ns, int64_t b_ns);
/* Neighbours on a display row, as trace_next_on_row and trace_prev_on_row mean it. NONE_ID = none. */
row_id hits_next(const struct hits *h, uint32_t track, uint32_t disp, int64_t ts_ns);
row_id hits_prev(const struct hits *h, uint32_t track, uint32_t disp, int64_t ts_ns);
/* How many begin in [a, b), on all tracks, to about a thousandth of the trace; 0 only where none does. For maps of the trace. */
uint64_t hits_begin_in(const struct hits *h, int64_t a_ns, int64_t b_ns);
/* Number of the hit among all in order of (start, row), from 1. O(hits). */
uint64_t hits_place(const struct hits *h, row_id r);
#endif
