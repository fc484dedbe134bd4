/* model/analysis/traffic/pipeline.h - stages of a pipeline: devices that hand tensors on by sends and receives.
 * A stage: a device with a matched send or receive in each of its steps on average, unless they go round in a ring (each device sends to
 *          one and receives from another one, and there are three or more), or their process group is one of context parallelism.
 * Bubble:  time of the step in which the device does nothing, or only waits in a call for its other ends; in the rest it computes, copies
 *          or transfers. SEMANTICS.md, 16.
 * Windows: whole steps inside, those that carry means. */
#ifndef STEPSCOPE_PIPELINE_H
#define STEPSCOPE_PIPELINE_H
#include "model/analysis/comms/comms.h"
#include "model/query.h"

struct stage {
	uint32_t device, steps;
	int64_t steps_ns, compute_ns, bubble_ns; /* added up */
	int64_t lead_ns;                         /* from the start of the steps to their first compute, added up */
	int64_t sends, receives, sent_bytes;     /* sent_bytes: UNKNOWN_I64 where one is not told */
};
struct stages {
	struct stage *at; /* in the order in which they begin to compute */
	uint32_t n;
};
/* In `mem`. False with `e` on cancel. */
bool stages_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		 struct stages *out, struct err *e);
#endif
