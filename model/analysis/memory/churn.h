/* model/analysis/memory/churn.h - calls that ask the driver for memory or give it back. */
#ifndef STEPSCOPE_CHURN_H
#define STEPSCOPE_CHURN_H
#include "model/query.h"
#include "replay.h"

struct churn {
	uint32_t calls, steady_calls; /* steady: in steps that count */
	int64_t ns, steady_ns;        /* clipped to the window */
	row_id longest;               /* of the steady ones where there are any; NONE_ID */
	bool steady;                  /* `longest` is of one */
};
/* By process; NULL where none is recorded. False with `e` when it was cancelled. */
bool churn_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		struct churn **by_process, struct err *e);
#endif
