/* model/analysis/overview/slow_steps.h - steps that take much longer than the others again and again, like those that save a checkpoint
 * or evaluate: means leave them out as outliers, the program pays for them. SEMANTICS.md, 4. */
#ifndef STEPSCOPE_SLOW_STEPS_H
#define STEPSCOPE_SLOW_STEPS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

enum { SLOW_STEPS_NAMED = 4, SLOW_STEPS_TELL_PCT = 10 };
struct slow_steps {
	uint32_t n, of; /* long outliers, and steps of their host and name without the warm-up; n 0: less than two */
	uint32_t every; /* each so many steps, three times or more; 0: at no even distance */
	uint32_t steps[SLOW_STEPS_NAMED]; /* the first ones */
	uint32_t host;
	int64_t mean_ns, usual_ns; /* of these; median of the steady ones */
	int64_t extra_ns, all_ns;  /* sum of what they take beyond usual_ns; all steps counted in `of` */
	row_id event; /* the longest in one of them of the name that tells most of it; NONE_ID: none does */
	/* The optimizer, where only some steps run it and each of these does or comes right after: then how long it takes, and no
	 * calls. */
	int64_t event_ns; /* what events of that name take there more than in steady steps, per slow step */
	double event_calls, usual_calls; /* of that name in a slow step and in a steady one, nested ones not counted */
};
/* None where half of the steps or more are slow, or nearly all from one step on (or up to one): the pace changes once, and in a window of those they
 * are what is usual. None where steps are inferred from repeating work alone and they come evenly: so many of these may be one step.
 * Slow: long outliers that take a quarter or more of what the longest takes beyond the usual. Of the host and name of which most time is lost so, among steps that lie in the window as a whole. The event is sought where extra_ns is
 * SLOW_STEPS_TELL_PCT of all_ns or more: of the names of one thread whose events hold two thirds of extra_ns more in slow steps
 * than in steady ones (outermost of a name, nested ones not twice) the one that holds least, so the innermost; where none does, the one
 * that holds most, from a half on; of either the steps but the one with most of it must hold a quarter. The thread of the steps goes first; of others, where that one tells nothing, what waits tells nothing. Cost: of the steps, then of the events. Any thread. */
struct slow_steps slow_steps_find(const struct derived *d, const struct query *q);
#endif
