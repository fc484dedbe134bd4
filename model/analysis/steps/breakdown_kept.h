/* model/analysis/steps/breakdown_kept.h - breakdowns of the steps of one query, kept: steps and input are both made of them.
 * Life:    breakdown_kept_new -> breakdown_of any number of times -> breakdown_kept_free.
 * Threads: any; two that ask for the same step at once both make it. */
#ifndef STEPSCOPE_BREAKDOWN_KEPT_H
#define STEPSCOPE_BREAKDOWN_KEPT_H
#include "breakdown.h"
#include "model/table.h"

struct breakdown_kept;
struct breakdown_kept *breakdown_kept_new(const struct derived *d);
void breakdown_kept_free(struct breakdown_kept *k);
/* As breakdown_pooled with the reference tool's semantics, else as breakdown_step, which is always true. kept: of the same
 * query as `b`; NULL makes it anew. */
bool breakdown_of(struct breakdowns *b, struct breakdown_kept *kept, uint32_t step, uint32_t device,
		  struct breakdown *out);

/* The tables of analysis.h with what they share. kept may be NULL. */
struct table *steps_table(const struct derived *d, const struct query *q, struct breakdown_kept *kept,
			  struct arena *mem, struct progress *p, struct err *e);
struct table *input_table(const struct derived *d, const struct query *q, struct breakdown_kept *kept,
			  struct arena *mem, struct progress *p, struct err *e);
#endif
