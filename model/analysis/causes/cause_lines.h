/* model/analysis/causes/cause_lines.h - what threads do, as one line per thread: the cause from each moment on until the next.
 * Life: cause_lines_new -> lines, each drawn when asked for -> cause_lines_free. One thread.
 * Span: a line covers the time that is asked for and some way around, never twice while the questions go forwards, and is drawn as
 *       far as they went and on to the next change: where few idle times need it, little of a thread is read. What was drawn holds
 *       until the next question about the same line.
 * Cost: of the events of the threads asked about that meet that time; 16 bytes per change of the cause. */
#ifndef STEPSCOPE_CAUSE_LINES_H
#define STEPSCOPE_CAUSE_LINES_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/cause.h"
#include "model/store/base/grow.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

struct cause_at {
	int64_t at_ns; /* until the next one's */
	row_id row;    /* the event that tells, NONE_ID = none */
	uint8_t cause, trust;
	bool frame : 1; /* only a Python frame tells, */
	bool hole : 1;  /* nothing is recorded: another thread may do the work meanwhile */
	bool mixed : 1; /* `row` is one of several that tell the same, one after the other */
};
struct query;
struct cause_line {
	struct cause_at *at; /* the last one is a hole, without end */
	uint32_t n, cap;
	bool joined; /* of several threads: a stretch of one of them may go on where another one tells more */
};
struct cause_lines;
/* [a_ns, b_ns): nothing outside of it will be asked for. q: of what idle times are asked about in it; NULL: nothing is drawn for all. */
struct cause_lines *cause_lines_new(const struct derived *d, const struct query *q, int64_t a_ns, int64_t b_ns);
/* Lines are drawn as far beyond a question: further than pieces are long whose length matters (thread_causes.h). */
enum { CAUSE_LINES_BEYOND_NS = 2000000 };
/* The question and as far around it. */
struct interval cause_lines_reach(struct interval about);
/* Where very many idle times ask about the same time lines are drawn once and for all, and what launching threads do is added up. */
bool cause_lines_at_once(const struct derived *d);
void cause_lines_free(struct cause_lines *x);
/* Where each of very many threads was asked about: gives up what was drawn of them. Nobody reads a line of `x` meanwhile. */
void cause_lines_drop_many(struct cause_lines *x);
/* A thread that launches work. This and the next two hold in `about`. */
const struct cause_line *cause_line_of(struct cause_lines *x, uint32_t track, struct interval about);
/* The line that was asked for last of this track is the caller's from now on, to be freed; the next question draws another one. */
struct cause_line cause_line_take(struct cause_lines *x, uint32_t track);
/* All other threads of its process that prepare no input: the most trusted of what rules know. */
const struct cause_line *cause_line_beside(struct cause_lines *x, uint32_t track, struct interval about);
/* All threads of a host, where nothing tells which one launches: the most trusted of whatever they do. */
const struct cause_line *cause_line_host(struct cause_lines *x, uint32_t host, struct interval about);
/* The profiler's own cost on any thread of the host. */
const struct cause_line *cause_line_profiler(struct cause_lines *x, uint32_t host);

/* A reader of one line that only moves on. */
struct cause_walk {
	const struct cause_line *line;
	uint32_t i;
};
struct cause_walk cause_walk_at(const struct cause_line *line, int64_t ts_ns);
/* The same, found sooner where `hint` is the place of a reader that stood shortly before ts_ns; any hint will do. */
struct cause_walk cause_walk_from_afar(const struct cause_line *line, uint32_t hint, int64_t ts_ns);
/* The same, mostly that place or one soon after it. */
static inline struct cause_walk cause_walk_from(const struct cause_line *line, uint32_t hint, int64_t ts_ns)
{
	enum { NEAR = 3 };
	const struct cause_at *at = line->at;
	if (hint < line->n && at[hint].at_ns <= ts_ns)
		for (uint32_t i = hint + 1; i < line->n && i <= hint + NEAR; i++)
			if (at[i].at_ns > ts_ns)
				return (struct cause_walk){line, i - 1};
	return cause_walk_from_afar(line, hint, ts_ns);
}
/* What holds at ts_ns, which must not be smaller than before, as long as nobody asks for the line; *until_ns becomes the earlier of itself
 * and its end. */
static inline const struct cause_at *cause_walk_to(struct cause_walk *w, int64_t ts_ns, int64_t *until_ns)
{
	const struct cause_at *at = w->line->at;
	uint32_t last = w->line->n - 1;
	while (w->i < last && at[w->i + 1].at_ns <= ts_ns)
		w->i++;
	if (w->i < last && at[w->i + 1].at_ns < *until_ns)
		*until_ns = at[w->i + 1].at_ns;
	return &at[w->i];
}
/* Since when what the reader stands on holds. */
static inline int64_t cause_walk_since(const struct cause_walk *w)
{
	return w->i < w->line->n ? w->line->at[w->i].at_ns : INT64_MIN;
}
/* What both readers stand on holds together for more than that. */
bool cause_walks_last(const struct cause_walk *x, const struct cause_walk *y, int64_t ns);
/* Whether the row told where the reader stands was chosen among some outside of [a, b). */
static inline bool cause_walk_reaches_out(const struct cause_walk *w, int64_t a_ns, int64_t b_ns)
{
	const struct cause_line *l = w->line;
	if (w->i >= l->n || !l->at[w->i].mixed)
		return false;
	return l->joined || l->at[w->i].at_ns < a_ns || w->i + 1 == l->n || l->at[w->i + 1].at_ns > b_ns;
}

/* Appends: from at_ns on; what only goes on is no new piece. */
void cause_line_append(struct cause_line *l, struct cause_at what, int64_t at_ns);
void cause_line_grow(struct cause_line *l); /* by one piece or more */
/* The same of what is known to be a new piece, with its start. */
static inline void cause_line_put(struct cause_line *l, struct cause_at what)
{
	if (l->n == l->cap)
		cause_line_grow(l);
	l->at[l->n++] = what;
}
/* Nothing more comes: of a million threads each has a line. */
void cause_line_trim(struct cause_line *l);
/* Several threads as one: at each moment the most trusted, of equals the earlier thread's. x: that of the threads before, a hole at first;
 * each costs the changes of all before it. */
void cause_line_join(struct cause_line *x, const struct cause_line *y);
/* The same of very many, from zeroes, in one walk over the pieces of all: of a stretch that several tell alike `row` may be another one's
 * than one by one. cause_joining_end appends to `out`, a hole, and frees `j`. */
struct joined_piece;
struct cause_joining {
	struct joined_piece *at;
	uint32_t n, cap, threads;
};
/* One more thread; the end of it. */
void cause_joining_add(struct cause_joining *j, const struct cause_line *line);
void cause_joining_end(struct cause_joining *j, struct cause_line *out);

struct drawn_line; /* cause_sums.h */
/* The pieces that a reader would be told one after the other, if they were drawn because threads launch for many devices, which is so when
 * there are CAUSE_LINES_OFTEN questions, else NULL; `mixed` of what is joined as beside_mixed. */
enum { CAUSE_LINES_OFTEN = 3 };
const struct drawn_line *cause_line_launcher(struct cause_lines *x, uint32_t track);
/* The same where it was drawn already. */
const struct drawn_line *cause_line_drawn(struct cause_lines *x, uint32_t track);
#endif
