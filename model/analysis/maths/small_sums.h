/* model/analysis/maths/small_sums.h - sums of times of many groups, most of them short: 32 bits each, until one of a group's does not fit. Then
 * all of that group's are kept in 64 bits elsewhere.
 * Rows:    a group's own row holds `uint32_t ns[each]`, zeroed when it begins, with each >= 2. The row may be moved and copied, as long
 *          as one of its copies is added to.
 * Life:    {.each = N} -> small_sums_add ... small_sums_get -> small_sums_own or small_sums_free.
 * Limits:  what exceeds 64 bits stays at the largest. */
#ifndef STEPSCOPE_SMALL_SUMS_H
#define STEPSCOPE_SMALL_SUMS_H
#include <stdint.h>
#include "model/store/base/arena.h"

#define SMALL_SUMS_WIDE UINT32_MAX /* as the first sum of a group; the second one is then its place in `wide` */
struct small_sums {
	uint32_t each;
	int64_t *wide; /* from malloc: `each` of every group that has outgrown its row */
	uint32_t n, cap;
};

/* To a sum that is kept in 64 bits. */
static inline void small_sums_add_to(int64_t *wide_ns, int64_t more_ns)
{
	if (__builtin_add_overflow(*wide_ns, more_ns, wide_ns))
		*wide_ns = more_ns < 0 ? INT64_MIN : INT64_MAX;
}

/* Makes room for what does not fit into the row any more, and adds. */
void small_sums_add_wide(struct small_sums *s, uint32_t *ns, uint32_t i, int64_t more_ns);
/* What has outgrown its row belongs to the arena from now on: nothing can be added any more. */
void small_sums_own(struct small_sums *s, struct arena *mem);
void small_sums_free(struct small_sums *s);

/* The i-th sum of the group with these. */
static inline int64_t small_sums_get(const struct small_sums *s, const uint32_t *ns, uint32_t i)
{
	return ns[0] == SMALL_SUMS_WIDE ? s->wide[(uint64_t)ns[1] * s->each + i] : ns[i];
}

static inline void small_sums_add(struct small_sums *s, uint32_t *ns, uint32_t i, int64_t more_ns)
{
	if (ns[0] == SMALL_SUMS_WIDE)
		small_sums_add_to(&s->wide[(uint64_t)ns[1] * s->each + i], more_ns);
	else if (more_ns >= 0 && more_ns < SMALL_SUMS_WIDE - ns[i])
		ns[i] += (uint32_t)more_ns;
	else
		small_sums_add_wide(s, ns, i, more_ns);
}
#endif
