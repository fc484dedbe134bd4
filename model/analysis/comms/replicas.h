/* model/analysis/comms/replicas.h - what each device does per step, beside the others: do all replicas do the same work, at the same
 * time? SEMANTICS.md, 16. */
#ifndef STEPSCOPE_REPLICAS_H
#define STEPSCOPE_REPLICAS_H
#include "lateness.h"
#include "pace.h"

struct replica {
	uint32_t device, steps;
	double step_ns, wait_ns, compute_ns, kernels, calls; /* means per step; NaN without steps */
	int64_t steps_ns, steps_wait_ns;                     /* of all these steps */
	int64_t steps_exposed_ns;                            /* of these waits: without compute beside them */
	int64_t busy_ns, shared_ns;                          /* of the window; shared: another device works, too */
	int64_t first_ns, last_ns;                           /* of its work, on the common axis */
	bool together; /* recorded at the same time as another device: for half of the shorter span at least */
	struct lateness late;
	struct pace pace; /* of the one that computes longest and of the one that is waited for, else NAN */
};
struct replicas {
	struct replica *at; /* devices with work in the window */
	uint32_t n;
	double compute_mean_ns; /* over the devices recorded together; NaN */
};
/* Why the device of a row is late, and by how much, but for the event: null where its collectives are matched with none, or a summary does
 * not tell. */
struct cell;
void replica_late_cells(struct cell *row, const struct lateness *l);
/* Over the window; false with `e` when it was cancelled. */
bool replicas_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		   struct replicas *out, struct err *e);
#endif
