/* model/analysis/analysis_steps_kineto.h - the table of steps under `--semantics kineto`. A filter keeps the steps whose
 * marker it matches; parts are those of whole steps. */
#ifndef STEPSCOPE_ANALYSIS_STEPS_KINETO_H
#define STEPSCOPE_ANALYSIS_STEPS_KINETO_H
#include "../query.h"
#include "../table.h"
#include "derived.h"

struct table *steps_kineto_table(const struct derived *d, const struct query *q, struct arena *mem);
#endif
