/* model/analysis/compat/idle_hta_table.h - the table of idle time under `--semantics hta`: of the whole trace, whatever the
 * window and the filter say. */
#ifndef STEPSCOPE_IDLE_HTA_TABLE_H
#define STEPSCOPE_IDLE_HTA_TABLE_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

/* as: name and title of the table. */
struct table *idle_hta_table(const struct derived *d, const struct query *q, const struct table_desc *as,
			     struct arena *mem);
#endif
