/* model/analysis/comms/comm_steps.h - what communication costs each step on each device: joining gradients, the collectives, splitting
 * what came back. SEMANTICS.md, 16.
 * Joining and splitting: work whose op joins or splits tensors (ConcatV2, aten::cat, ...: comm_steps.c) and that is the last before a
 *          collective of the step on its device, or the first after one; and such work in a row with it.
 * After:   what is exposed with no compute left, beyond that of the device that has least of it in the same step of the job (which waits least),
 *          at most the waiting that compute hides: had nobody been late, that compute would have run beside the transfer.
 * Overhead: joining + exposed time + splitting. At twice the batch forward and backward double and the rest stays. */
#ifndef STEPSCOPE_COMM_STEPS_H
#define STEPSCOPE_COMM_STEPS_H
#include "comms.h"
#include "model/analysis/query/shared.h"
#include "model/query.h"

struct comm_step {
	uint32_t step, device, calls;
	int64_t start_ns, dur_ns;              /* step time on this device */
	int64_t bytes;                         /* of all messages; UNKNOWN_I64 where one is not told */
	int64_t smallest_bytes, largest_bytes; /* UNKNOWN_I64 as bytes */
	int64_t sum_ns;                        /* of the collectives: the time of all */
	struct exposure exposed;
	int64_t behind_ns; /* of exposed.ns[EXPOSED_COMPUTE], what compute would have hidden that ran while it waited for others; UNKNOWN_I64 as wait_ns */
	const struct collective *most; /* the call that is exposed longest; NULL: none is */
	int64_t wait_ns, transfer_ns;  /* UNKNOWN_I64 where a call has no match */
	int64_t late_ns;               /* by how much it was last at its calls, added up */
	int64_t joining_ns, splitting_ns;
	int64_t expected_ns; /* UNKNOWN_I64 */
	int64_t reduce_ns;   /* of its longest reduction whose bytes --parameters x 4 stands for */
	const char
		*dtype; /* of that reduction, where its elements have not 4 bytes; NULL: they have, or nothing tells */
	double doubling_ns; /* forward and backward; NaN where nothing tells the phases */
};
struct comm_steps {
	struct comm_step
		*at; /* of steps that lie in the window as a whole and have a collective; by step, then device */
	uint32_t n;
};
/* behind_ns of each, once all others are known; `job` tells of their steps which are one of the job. */
struct job_steps;
void comm_steps_behind(struct comm_steps *all, const struct job_steps *job);
/* twice: with doubling_ns, for which all work of the devices is looked through; else that is NaN. */
bool comm_steps_find(const struct derived *d, const struct query *q, bool twice, struct arena *mem, struct progress *p,
		     struct comm_steps *out, struct err *e);
/* The table 'collective_steps' without what needs doubling_ns. */
extern const struct shared_part collective_steps_part;
/* Its share of the step at that many times the batch, 1 or 2; NaN when unknown. */
double comm_step_overhead_pct(const struct comm_step *s, int batch);
#endif
