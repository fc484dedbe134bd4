/* model/analysis/derived/device_steps.h - the steps of one device that meet a window, as small numbers. */
#ifndef STEPSCOPE_DEVICE_STEPS_H
#define STEPSCOPE_DEVICE_STEPS_H
#include "derived.h"

struct device_steps {
	const struct derived *d;
	uint32_t device;
	const struct step_device *parts; /* from the first to the last that meets the window */
	uint32_t n, met;                 /* parts; how many of them meet it */
	int64_t a_ns, b_ns;              /* extent of those that do */
	uint32_t last;                   /* where the last question was answered: neighbours are of one step */
};
struct device_steps device_steps_find(const struct derived *d, uint32_t device, int64_t a_ns, int64_t b_ns);
/* Place in `parts` of the step the event belongs to; NONE_ID = none. */
uint32_t device_steps_of(struct device_steps *x, row_id r);
#endif
