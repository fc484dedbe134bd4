/* model/analysis/comms/comms.h - what all tables of this room are made of: the collectives with their matches, and when devices compute.
 * Found by the first table that asks, whatever its window, and kept with the overlay (derived_kept); read-only, any thread. */
#ifndef STEPSCOPE_COMMS_H
#define STEPSCOPE_COMMS_H
#include "collectives.h"
#include "exposed.h"
#include "exposed_by.h"

struct comms {
	struct collectives x;
	struct computing computing;
	const struct exposure *exposed; /* by place in x.at */
};
/* NULL with `e` when it was cancelled. */
const struct comms *comms_of(const struct derived *d, struct progress *p, struct err *e);
#endif
