/* model/query.h - what part of the trace a question is about. Plain values; NULL pointers mean "no restriction". */
#ifndef STEPSCOPE_QUERY_H
#define STEPSCOPE_QUERY_H
#include "filter.h"
#include <stdint.h>

struct query {
	int64_t a_ns, b_ns; /* window [a, b) in trace time; whole trace: INT64_MIN .. INT64_MAX */
	bool windowed;      /* the user chose a window (events cut at its edges are marked) */
	bool by_step;       /* the window was named by steps: `steps` lists just these, not what they overlap */
	uint32_t step_first, step_last;
	const struct filter *filter; /* NULL = all */
	int64_t min_gap_ns;          /* idle intervals shorter than this are not listed (default 0: all) */
	uint32_t every_k;            /* gap_groups: what if work between steps ran every k steps; 0 = 10 */
	bool idle;                   /* ops: with rows for idle time */
	bool all_steps;              /* means, shares and what-ifs are of all steps, not of the steady ones alone */
	const char *by;              /* how to group: a word that the table knows, NULL = its own way */
	bool all_columns;            /* events: every attribute as a column */
	struct shared *shared; /* what answers to it are made of, see analysis/query/shared.h; NULL: nothing is kept */
};
struct query query_all(void);
/* The window cut to the trace: what tables name as the window they answer for. */
void query_bounds(const struct query *q, const struct trace *t, int64_t *a_ns, int64_t *b_ns);

/* Whether the window holds a moment. */
static inline bool query_holds(const struct query *q, int64_t ts_ns)
{
	return ts_ns >= q->a_ns && ts_ns < q->b_ns;
}
/* Cuts [a, b) to the window; b <= a where the window has none of it. */
static inline void query_clip(const struct query *q, int64_t *a_ns, int64_t *b_ns)
{
	*a_ns = *a_ns > q->a_ns ? *a_ns : q->a_ns;
	*b_ns = *b_ns < q->b_ns ? *b_ns : q->b_ns;
}
/* How much of [a, b) lies in the window. */
static inline int64_t query_clipped_ns(const struct query *q, int64_t a_ns, int64_t b_ns)
{
	query_clip(q, &a_ns, &b_ns);
	return b_ns > a_ns ? b_ns - a_ns : 0;
}
#endif
