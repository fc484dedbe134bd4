/* model/analysis/steps/step_parts_table.h - the table of parts of a step, for those that have its sources already. */
#ifndef STEPSCOPE_STEP_PARTS_TABLE_H
#define STEPSCOPE_STEP_PARTS_TABLE_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"

/* How much is told of each part; what is not is unknown. */
enum step_parts_depth {
	STEP_PARTS_MEANS,      /* mean and share; of the parts of a step, which no rule asks for, nothing */
	STEP_PARTS_DEVIATIONS, /* and standard deviation */
	STEP_PARTS_ALL
};
/* steps, idle: the tables of steps and of idle time for one query; irregular: what step_rows_irregular says of the first. The result lies in
 * `mem`; one thread. */
struct table *step_parts_of(const struct derived *d, const struct table *steps, const struct table *idle,
			    bool irregular, enum step_parts_depth depth, struct arena *mem);
#endif
