/* model/analysis/input/input_steps.h - what input costs the steps: wait and copies that nothing more important hides.
 * Share:   sums over all steps and devices. Best case: the mean over the steps of the slowest device's step without the
 *          part that waits; then also without the part that copies to the device. Steps that the window cuts count for the
 *          share only. */
#ifndef STEPSCOPE_INPUT_STEPS_H
#define STEPSCOPE_INPUT_STEPS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

struct input_sums {
	int64_t step_ns, wait_ns, copy_ns, other_ns; /* over (step, device) pairs */
};
struct input_steps {
	struct input_sums all;
	struct input_sums *devices; /* per device of the trace */
	uint32_t n_devices;         /* with steps */
	uint32_t most;              /* device with the largest input share, NONE_ID = none */
	uint32_t n;                 /* whole steps */
	double mean_ns, no_wait_ns, prefetched_ns, wait_mean_ns,
		copy_mean_ns; /* NaN without whole steps, and where steady ones are irregular (steps_summary.h) */
};
double input_share_pct(const struct input_sums *s); /* NaN without step time */
/* "highly input-bound", ... by the thresholds of X8.5: 20 %, 5 %, then 3 % of unexplained time. */
const char *input_verdict(const struct input_sums *s);
/* Of the steps' share copies to the device are all that counts, and most of their exposed time is of copies that lie between kernels: they
 * bring no input. False with *ok set to false on cancel. */
bool input_is_other_copies(const struct input_sums *s, const struct derived *d, const struct query *q,
			   struct arena *mem, struct progress *p, bool *ok);
extern const char input_of_copies[]; /* the verdict then */
/* False with `e` when cancelled. */
bool input_steps_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct input_steps *out, struct err *e);
#endif
