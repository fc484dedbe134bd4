/* model/analysis/kernels/kernel_items.h - kernels of a window by what they are grouped by, in small numbers, so that groups come
 * from sorting: millions of kernels may fall into nearly as many groups, and sorting does not mind. 16 bytes per kernel. */
#ifndef STEPSCOPE_KERNEL_ITEMS_H
#define STEPSCOPE_KERNEL_ITEMS_H
#include "model/store/trace/trace.h"
#include <stdbool.h>

struct kernel_item {
	uint32_t name, shape, op;
	row_id row;
};
struct kernel_items {
	struct kernel_item *at;
	size_t n, cap;
};
void kernel_items_add(struct kernel_items *v, struct kernel_item x);
/* By name, then shape, then op; equal ones stay in their order. */
void kernel_items_sort(struct kernel_items *v);
static inline bool kernel_items_alike(const struct kernel_item *a, const struct kernel_item *b)
{
	return a->name == b->name && a->shape == b->shape && a->op == b->op;
}
#endif
