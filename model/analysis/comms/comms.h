/* model/analysis/comms/comms.h - what all tables of this room are made of: the collectives with their matches, and how much devices compute.
 * Found by the first table that asks, whatever its window, and kept with the overlay (derived_kept); read-only, any thread. */
#ifndef STEPSCOPE_COMMS_H
#define STEPSCOPE_COMMS_H
#include "collectives.h"
#include "exposed.h"
#include "exposed_by.h"

/* Of the time of a step on a device. */
struct step_compute {
	int64_t compute_ns;
	int64_t lead_ns; /* from its start to its first compute, below 0 where that began before; without any all of it */
};
struct comms {
	struct collectives x;
	const struct exposure *exposed; /* by place in x.at */
	const struct step_compute
		*steps; /* by place in derived_step_devices; NULL: no collective was found, and nobody asked */
};
/* NULL with `e` when it was cancelled. */
const struct comms *comms_of(const struct derived *d, struct progress *p, struct err *e);
/* Their `steps`, found now in `mem` where there are no collectives. NULL with `e` when it was cancelled. */
const struct step_compute *comms_steps(const struct derived *d, const struct comms *c, struct arena *mem,
				       struct progress *p, struct err *e);
#endif
