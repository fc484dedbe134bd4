#include "largest.h"
#include <stdlib.h>
#include <string.h>

struct largest largest_new(struct arena *mem, uint32_t max, size_t size, int (*order)(const void *x, const void *y))
{
	return (struct largest){
		.at = arena_alloc(mem, (max + (size_t)1) * size), .max = max, .size = size, .order = order};
}

static void *item_at(const struct largest *l, uint32_t i)
{
	return l->at + i * l->size;
}

/* Of the items that are full at[0] is the last one, as in any heap; item `i` sinks to its place. The room after the last
 * item holds it meanwhile. */
static void sink(struct largest *l, uint32_t i)
{
	void *x = item_at(l, l->max);
	memcpy(x, item_at(l, i), l->size);
	for (uint32_t child; (child = 2 * i + 1) < l->n; i = child) {
		if (child + 1 < l->n && l->order(item_at(l, child + 1), item_at(l, child)) > 0)
			child++;
		if (l->order(x, item_at(l, child)) >= 0)
			break;
		memcpy(item_at(l, i), item_at(l, child), l->size);
	}
	memcpy(item_at(l, i), x, l->size);
}

void largest_offer(struct largest *l, const void *item)
{
	if (l->n < l->max) {
		memcpy(item_at(l, l->n++), item, l->size);
		for (uint32_t i = l->n == l->max ? l->n / 2 : 0; i-- > 0;)
			sink(l, i);
	} else if (l->max && l->order(item, item_at(l, 0)) < 0) {
		memcpy(item_at(l, 0), item, l->size);
		sink(l, 0);
	}
}

void *largest_sorted(struct largest *l)
{
	if (l->n)
		qsort(l->at, l->n, l->size, l->order);
	return l->at;
}
