/* model/analysis/steps/breakdown_kept.h - breakdowns of the steps of one query, kept: steps and input are both made of them.
 * Threads: any; two that ask for the same step at once both make it. */
#ifndef STEPSCOPE_BREAKDOWN_KEPT_H
#define STEPSCOPE_BREAKDOWN_KEPT_H
#include "breakdown.h"

/* sizeof(struct breakdown) per step and device while the query keeps what answers are made of (query/shared.h); NULL when it does not. */
struct breakdown_kept;
struct breakdown_kept *breakdown_kept_of(const struct derived *d, const struct query *q);
/* As breakdown_pooled with the reference tool's semantics, else as breakdown_step, which is always true. kept: of the same
 * query as `b`; NULL makes it anew. */
bool breakdown_of(struct breakdowns *b, struct breakdown_kept *kept, uint32_t step, uint32_t device,
		  struct breakdown *out);
#endif
