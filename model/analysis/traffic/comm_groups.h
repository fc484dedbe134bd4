/* model/analysis/traffic/comm_groups.h - process groups: what they are for, which of their ranks are recorded, and what they cost; and how
 * much each rank gives and gets in their all-to-alls.
 * A group: the recorded name with its ranks; all calls without a recorded group are one more.
 * Alone:   a call that is not recorded on every rank of its group (of sends and receives: at both ends). SEMANTICS.md, 16. */
#ifndef STEPSCOPE_COMM_GROUPS_H
#define STEPSCOPE_COMM_GROUPS_H
#include "model/analysis/comms/comms.h"
#include "model/query.h"

struct comm_group {
	uint64_t key;      /* 0: not recorded */
	const char *group; /* NULL: not recorded */
	const char *kind;  /* "TP"; NULL: unknown */
	const char *ranks; /* as recorded, "[0, 1]"; NULL */
	int64_t size;      /* UNKNOWN_I64 */
	uint32_t recorded; /* ranks of which calls are recorded */
	uint32_t unlisted; /* those of them that `ranks` leaves out */
	const char *
		missing; /* "3, 5-7 and 34 that are not listed": ranks of the group of which nothing is recorded; NULL: none, or not told */
	int64_t calls, alone, ns, exposed_ns;
	int64_t bytes, wait_ns, transfer_ns; /* bytes: of what is told; wait, transfer: of calls with a match */
};
struct comm_groups {
	struct comm_group *at; /* in order of their first call */
	uint32_t n;
};
/* In `mem`. False with `e` on cancel. */
bool comm_groups_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct comm_groups *out, struct err *e);
#endif
