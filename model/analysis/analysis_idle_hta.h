/* model/analysis/analysis_idle_hta.h - the table of idle time under `--semantics hta`: of the whole trace, whatever the
 * window and the filter say. */
#ifndef STEPSCOPE_ANALYSIS_IDLE_HTA_H
#define STEPSCOPE_ANALYSIS_IDLE_HTA_H
#include "../query.h"
#include "../table.h"
#include "derived.h"

struct table *idle_hta_table(const struct derived *d, const struct query *q, struct arena *mem);
#endif
