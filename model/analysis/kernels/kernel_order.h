/* model/analysis/kernels/kernel_order.h - kernels in the order of their groups: by the text of their name, launch, kind, and as in the
 * trace. What groups are made of stands beside each, so that who goes through them in this order does not look all over the trace.
 * How:    dealt by kind, which are few and in the order of names, then by launch among those of one name: two threads share either. */
#ifndef STEPSCOPE_KERNEL_ORDER_H
#define STEPSCOPE_KERNEL_ORDER_H
#include "kernel_stats.h"

/* Whether kernels are counted there: not what the producer derived. */
static inline bool track_has_kernels(const struct trace *t, uint32_t track)
{
	const struct track_info *info = trace_track(t, track);
	return info->device != NONE_ID && !info->derived_by_producer;
}

enum { NS_TOO_LONG = UINT32_MAX };
struct ordered_kernel {
	row_id row;
	uint32_t kind, shape; /* shape: its place among all of them */
	uint32_t ns;          /* clipped to the window; NS_TOO_LONG: as long or longer */
};
/* *n of them, to be freed; out of memory ends the program. */
struct ordered_kernel *kernels_ordered(const struct kernel_stats *s, struct launch_shapes *shapes, uint32_t *n);
#endif
