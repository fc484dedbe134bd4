/* model/analysis/kernels/kernel_stats.h - kernels of a window grouped as the kernel table shows them; the overview adds them up.
 * Key:    name, grid, block, registers, static and dynamic shared memory, Tensor Core use, eligibility, op.
 * Sums:   total_ns is clipped to the window; everything else speaks of the kernels that start inside, at whole length. */
#ifndef STEPSCOPE_KERNEL_STATS_H
#define STEPSCOPE_KERNEL_STATS_H
#include "kernel_spread.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/query.h"

struct kernel_group {
	const struct kernel_info *info; /* NULL: the trace tells nothing about this launch */
	str_id name, op;                /* op: 0 = unknown */
	enum verdict uses_tc : 8, eligible : 8;
	enum precision precision : 8;
	bool collective;
	uint8_t tc_trust;
	const char *tc_rule;   /* the rule that told uses_tc; lives as long as the rules */
	float occupancy_first; /* NaN = unknown */
	int64_t total_ns;
	uint32_t count; /* of those that start inside; 0: cut kernels only */
	row_id longest, first, last;
	int64_t whole_ns, min_ns, max_ns;   /* of those that start inside */
	double occupancy_sum, occupancy_ns; /* weighted by duration, kernels with a known one */
	int64_t first_ns, last_end_ns;
};
struct kernel_stats {
	struct kernel_group *groups;  /* by the key */
	struct rank *order;           /* of the groups: longest total first, ties by the key */
	struct kernel_spread *spread; /* of the groups; NULL when not requested */
	uint32_t n;
	uint32_t steps;   /* with kernels that start inside; known with the spread */
	int64_t total_ns; /* of all groups */
	uint64_t count;
};
/* False with `e` on cancel. */
bool kernel_stats_make(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
		       struct arena *mem, struct progress *p, struct kernel_stats *out, struct err *e);
/* The same with the spread of each group. */
bool kernel_stats_spread(const struct derived *d, const struct query *q, const struct kernel_rules *rules,
			 struct arena *mem, struct progress *p, struct kernel_stats *out, struct err *e);
static inline const struct kernel_group *kernel_stats_at(const struct kernel_stats *s, uint32_t place)
{
	return &s->groups[s->order[place].id];
}
double kernel_group_occupancy(const struct kernel_group *g, bool first); /* NaN = unknown */
#endif
