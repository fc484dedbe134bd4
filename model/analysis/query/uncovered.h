/* model/analysis/query/uncovered.h - events of a thread that have a moment to themselves: most of what a host does lies wholly in time that
 * its device's work covers, and a few instructions pass over each event of that. One thread; nothing is kept. */
#ifndef STEPSCOPE_UNCOVERED_H
#define STEPSCOPE_UNCOVERED_H
#include "model/analysis/derived/rows.h"
#include "model/analysis/maths/intervals.h"
#include "model/analysis/maths/order.h"

/* What is covered of [a, b), in order of time and cut to it; `at` goes on with the starts of events. */
struct cover {
	const struct interval *at, *end;
	int64_t a_ns, b_ns;
};

static inline bool cover_holds(struct cover *x, int64_t a_ns, int64_t b_ns)
{
	a_ns = later(a_ns, x->a_ns);
	while (x->at < x->end && x->at->b_ns <= a_ns)
		x->at++;
	return x->at < x->end && x->at->a_ns <= a_ns && earlier(b_ns, x->b_ns) <= x->at->b_ns;
}

/* The first of the rows [r, end), which begin at a or later, that is not covered. */
static inline uint64_t uncovered_from(const struct columns *c, uint64_t r, uint64_t end, struct cover *x)
{
	while (r < end && cover_holds(x, c->start_ns[r], c->start_ns[r] + c->dur_ns[r])) {
		int64_t until_ns = x->at->b_ns == x->b_ns ? INT64_MAX : x->at->b_ns;
		do
			r++;
		while (r < end && c->start_ns[r] < x->at->b_ns && c->start_ns[r] + c->dur_ns[r] <= until_ns);
	}
	return r;
}

/* As event_next of a walk over [a, b); events come in order of their start. */
static inline bool uncovered_next(const struct columns *c, struct event_iter *it, struct cover *x)
{
	do {
		uint64_t at = it->begun ? uncovered_from(c, it->at, it->end, x) : it->end;
		it->at = it->begun ? at : it->at;
		if (!event_next(it))
			return false;
		if (it->row == at)
			return true;
	} while (cover_holds(x, c->start_ns[it->row], row_end(c, it->row)));
	return true;
}
#endif
