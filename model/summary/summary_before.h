/* model/summary/summary_before.h - what went before a collective, as one short text: "compute=1200|launch=30|idle.launch_latency=20,12,cudaLaunchKernel".
 * Time by class (steps/breakdown.h), the rest is in none; idle time by cause, with the event that holds most of it at a stretch, for how long
 * and its name, if one is known. In the name \\ and \p stand for \ and |. What is not there is 0. */
#ifndef STEPSCOPE_SUMMARY_BEFORE_H
#define STEPSCOPE_SUMMARY_BEFORE_H
#include "model/analysis/comms/lateness.h"

struct before_told {
	double ns[TIME_COUNT];
	struct before_idle {
		int64_t ns, main_ns;
		const char *main; /* as it stands in the text, NULL: none is known; */
		size_t n_main;    /* so long */
	} idle[CAUSE_COUNT];
};
/* In `mem`. */
const char *before_write(const struct trace *t, const double ns[TIME_COUNT], const struct idle_split *idle,
			 struct arena *mem);
/* Adds to `sum` what the text tells, of the longest main events one; NULL tells nothing. Texts may be anybody's, and stay where they are:
 * false where it is none of ours. */
bool before_add(struct before_told *sum, const char *text);
const char *before_name(const struct before_idle *x, struct arena *mem); /* of its main event */
#endif
