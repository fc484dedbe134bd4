/* model/analysis/analysis_step_parts.h - the table of parts of a step, for those that have its sources already. */
#ifndef STEPSCOPE_ANALYSIS_STEP_PARTS_H
#define STEPSCOPE_ANALYSIS_STEP_PARTS_H
#include "../table.h"
#include "derived.h"

/* steps, idle: the tables of steps and of idle time for one query. The result lies in `mem`; one thread. */
struct table *step_parts_of(const struct derived *d, struct table *steps, struct table *idle, struct arena *mem);
#endif
