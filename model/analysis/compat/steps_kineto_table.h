/* model/analysis/compat/steps_kineto_table.h - the table of steps under `--semantics kineto`. A filter keeps the steps whose
 * marker it matches; parts are those of whole steps. */
#ifndef STEPSCOPE_STEPS_KINETO_TABLE_H
#define STEPSCOPE_STEPS_KINETO_TABLE_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

/* as: name and title of the table. */
struct table *steps_kineto_table(const struct derived *d, const struct query *q, const struct table_desc *as,
				 struct arena *mem);
#endif
