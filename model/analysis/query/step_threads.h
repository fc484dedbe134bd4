/* model/analysis/query/step_threads.h - whose threads work for a step on a device: that of its marker, or whose ops it was inferred from, and
 * those that launched its work there; of a step without device work every one that the file ties to it.
 * Life: step_threads_new -> step_threads_of any number of times -> step_threads_free. One thread. */
#ifndef STEPSCOPE_STEP_THREADS_H
#define STEPSCOPE_STEP_THREADS_H
#include "model/analysis/derived/derived.h"

/* Events whose time tells what a host does; Python frames tell where it is. */
#define KINDS_HOST_TIME                                                                                  \
	(KIND_BIT(KIND_OTHER) | KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION) | KIND_BIT(KIND_RUNTIME) | \
	 KIND_BIT(KIND_ASYNC))

struct step_threads;
struct step_threads_found {
	const uint32_t *tracks; /* until the next question */
	uint32_t n;
	row_id launch; /* the last one of the step's work, NONE_ID where none was looked at */
};
struct step_threads *step_threads_new(const struct derived *d);
void step_threads_free(struct step_threads *x);
/* device: NONE_ID for a step without device work. part: the step's there, as derived_step_device has it. again: what is found is
 * kept, as more may be asked about this step before another one of the device. */
struct step_threads_found step_threads_of(struct step_threads *x, uint32_t step, uint32_t device,
					  const struct step_device *part, bool again);
#endif
