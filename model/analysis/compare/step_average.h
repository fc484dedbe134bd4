/* model/analysis/compare/step_average.h - the one step that stands for the steps of a query, and what its time is made of.
 * Which:   the mean of the steps that carry means (see steps/steps_summary.h: the longest device of each rank, then the mean of the
 *          ranks); where these are irregular, the step of median length; of an even number the mean of the two in the middle.
 * Numbers: whole ns; the parts add up to the length, which is step_mean_ns (step_median_ns) of the overview, rounded.
 * Cost:    one breakdown for each step and device. */
#ifndef STEPSCOPE_STEP_AVERAGE_H
#define STEPSCOPE_STEP_AVERAGE_H
#include "model/analysis/steps/breakdown.h"
#include "model/store/base/arena.h"

enum step_stands { STEP_STANDS_NONE, STEP_STANDS_MEAN, STEP_STANDS_MEDIAN };
enum { STEP_AVERAGE_PARTS = TIME_COUNT + 1 }; /* enum time_class, and what is none of these */
struct step_average {
	enum step_stands stands; /* NONE: the query has no whole step */
	uint32_t n;              /* steps of the job that carry it */
	double *lengths_ns;      /* n of them, in their order */
	int64_t ns, part_ns[STEP_AVERAGE_PARTS];
};
/* In `mem`. median: of median length, however alike they are. False with `e` when cancelled. */
bool step_average_of(const struct derived *d, const struct query *q, bool median, struct arena *mem, struct progress *p,
		     struct step_average *out, struct err *e);
#endif
