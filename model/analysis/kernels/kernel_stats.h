/* model/analysis/kernels/kernel_stats.h - kernels of a window summed up: by kind, and by the groups that the kernel table shows.
 * Kind:   name, op, eligibility: few. Known when the stats are made.
 * Group:  kernels of one kind and launch (grid, block, registers, static and dynamic shared memory): maybe nearly as many as kernels,
 *         so only who wants them makes them. Kept as the rows of their kernels; what else there is to say of one is worked out
 *         when it is asked for. Their order is that of name, launch, eligibility and op.
 * Sums:   total_ns is clipped to the window; everything else speaks of the kernels that start inside, at whole length. */
#ifndef STEPSCOPE_KERNEL_STATS_H
#define STEPSCOPE_KERNEL_STATS_H
#include "launch_shapes.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/rank.h"
#include "model/analysis/query/shared.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/query.h"

struct kernel_kind {
	str_id name, op; /* op: 0 = unknown */
	enum verdict uses_tc : 8, eligible : 8;
	enum precision precision : 8;
	bool collective;
	uint32_t name_rank; /* how names are ordered; while kernels are read, the kind's key among those of its name */
	int64_t total_ns, whole_ns;
	uint32_t count, in_steps; /* of those that start inside; of these, that belong to a step */
};
struct kernel_group {
	const struct kernel_kind *kind;
	const struct kernel_info *info; /* NULL: the trace tells nothing about this launch */
	float occupancy_first;          /* NaN = unknown */
	int64_t total_ns;
	uint32_t count; /* of those that start inside; 0: cut kernels only */
	row_id longest, first, last;
	int64_t whole_ns, min_ns, max_ns;   /* of those that start inside */
	double occupancy_sum, occupancy_ns; /* weighted by duration, kernels with a known one */
	int64_t first_ns, last_end_ns;
};
struct kernel_row {
	row_id row;
	uint32_t kind;
};
struct kernel_stats {
	const struct derived *d;
	struct query q;
	struct kernel_kind *kinds;  /* by name */
	struct kernel_row *kernels; /* all of them, in the order of the trace */
	size_t n_kernels;
	uint32_t n_kinds;
	uint32_t steps;   /* with kernels that start inside */
	int64_t total_ns; /* of all kernels */
	uint64_t count;
	/* groups, when they are made */
	uint32_t *order;   /* longest total first, ties by their order */
	int64_t *group_ns; /* their total, */
	uint32_t *kind_of; /* their kind, */
	uint32_t *from;    /* and rows[from[i] .. from[i + 1]) */
	row_id *rows;      /* in the order of the trace */
	uint32_t n;
	uint32_t *
		top; /* per kind its group with the largest total, of equal ones the first; NONE_ID = none of it was made */
};
/* Without groups. False with `e` on cancel. */
bool kernel_stats_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct kernel_stats *out, struct err *e);
/* The same as parts of answers (query/shared.h): without groups, and with all of them. */
extern const struct shared_part kernel_stats_part, kernel_groups_part;
double kernel_group_occupancy(const struct kernel_group *g, bool first); /* NaN = unknown */

/* ---- groups (kernel_groups.c) */

/* Each kind to its new place, in the memory that they have; `becomes` is used up. */
void kernel_kinds_move(struct kernel_kind *kinds, uint32_t *becomes, uint32_t n);

/* wanted: one byte per kind, 0 = it and its kernels leave `s`, whose kinds are numbered anew; NULL: all stay. */
void kernel_stats_make_groups(struct kernel_stats *s, const uint8_t *wanted, struct arena *mem);
/* The same with shapes met before, which it frees. */
void kernel_stats_group_by(struct kernel_stats *s, struct launch_shapes *shapes, struct arena *mem);
/* Only those that can be the longest group of their class, and all of their kernels. class: of each kind, below `classes`. In
 * kernel_longest.c. */
void kernel_stats_make_longest(struct kernel_stats *s, const uint8_t *class, uint32_t classes, struct arena *mem);
/* The group that stands at this place among the longest. */
static inline uint32_t kernel_stats_at(const struct kernel_stats *s, uint32_t place)
{
	return s->order[place];
}
/* Reads the kernels of the group. */
struct kernel_group kernel_stats_group(const struct kernel_stats *s, uint32_t group);
/* Of a kind; NONE_ID: there is none. */
uint32_t kernel_kind_top(const struct kernel_stats *s, const struct kernel_kind *k);
/* Whichever of two kinds has the group with the larger total, of equal ones the first; x may be NULL. Of kinds without groups: any. */
const struct kernel_kind *kernel_kind_longer(const struct kernel_stats *s, const struct kernel_kind *x,
					     const struct kernel_kind *y);
#endif
