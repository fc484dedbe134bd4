/* model/analysis/launches/launch_groups.h - device work with its launches, grouped as the query says: by op (work without a known op:
 * by its name), kernel, thread, api (the call's name) or device.
 * Life:    launch_groups_make -> launch_spread any number of times. All of it lies in `mem`: 4 bytes per work.
 * Windows: sums of time are clipped; counts and spreads are of work that starts inside. */
#ifndef STEPSCOPE_LAUNCH_GROUPS_H
#define STEPSCOPE_LAUNCH_GROUPS_H
#include "launch_walk.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/maths/small_sums.h"
#include "model/analysis/ops/op_index.h"

enum { LAUNCH_MIXED = UINT32_MAX, LAUNCH_NONE = UINT32_MAX - 1 };
enum launch_ns {
	LAUNCH_BLOCKED_NS, /* of the calls' time: calls that began with a queue nearly full */
	LAUNCH_LATENCY_NS,
	LAUNCH_CALL_NS,
	LAUNCH_WORK_NS,
	LAUNCH_BOUND_NS,
	LAUNCH_NOT_LAUNCHED_NS,
	LAUNCH_NS_COUNT
};
/* There may be as many as kernels. */
struct launch_group {
	uint32_t op, kernel, api, thread, device; /* what all of them share, LAUNCH_MIXED; LAUNCH_NONE = unknown */
	uint32_t count, calls, graph, no_launch, early;
	uint32_t shorter; /* calls longer than their work */
	uint32_t queue_max;
	row_id longest;               /* the work with the longest latency */
	uint32_t ns[LAUNCH_NS_COUNT]; /* read with launch_group_ns */
};
struct launch_groups {
	struct launch_group *at;
	const struct op_entry *ops; /* by the number that groups have of them */
	uint32_t n_ops;
	uint32_t *order; /* most LAUNCH_BOUND_NS first, then LAUNCH_CALL_NS, then count */
	uint32_t n;
	struct small_sums sums;
	int64_t launch_bound_ns; /* of all */
	const struct columns *c;
	row_id *rows;   /* work that starts inside, by group */
	uint32_t *from; /* rows[from[group] .. from[group + 1]) */
};
static inline int64_t launch_group_ns(const struct launch_groups *all, const struct launch_group *g,
				      enum launch_ns which)
{
	return small_sums_get(&all->sums, g->ns, which);
}
/* "op", "kernel", "thread", "api", "device" for 0, 1, ...; NULL after the last. */
const char *launch_by_word(unsigned i);
/* False with `e` on cancel, and when query.by is no word of this table. */
bool launch_groups_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			struct launch_groups *out, struct err *e);

/* The same beside others that are told of the same walk: launch_groups_open, NULL with `e` when `by` is no word of this table ->
 * launch_walk with queue_read and the taker -> launch_groups_close; told: the walk came to its end. */
struct launch_groups_reader;
struct launch_groups_reader *launch_groups_open(const struct derived *d, const char *by, const struct halves *h,
						struct err *e);
struct launch_taker launch_groups_taker(struct launch_groups_reader *x);
void launch_groups_close(struct launch_groups_reader *x, bool told, struct arena *mem, struct launch_groups *out);

enum launch_measure { LAUNCH_LATENCY, LAUNCH_CALL, LAUNCH_WORK };
/* All UNKNOWN_I64 when nothing was measured. far_ns: by how much those beyond LAUNCH_FAR medians exceed the median, added up. */
enum { LAUNCH_FAR = 10 };
struct launch_spread {
	int64_t min_ns, p50_ns, p95_ns, p99_ns, max_ns, far_ns;
};
struct launch_spread launch_spread(const struct launch_groups *all, uint32_t group, enum launch_measure m);
/* What the measure says about a work; false: nothing (no launch, or not the first work of its call). */
bool launch_measured(const struct columns *c, row_id work, enum launch_measure m, int64_t *ns);
#endif
