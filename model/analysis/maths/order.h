/* model/analysis/maths/order.h - which of two comes first: moments, and numbers for qsort, ascending. */
#ifndef STEPSCOPE_ORDER_H
#define STEPSCOPE_ORDER_H
#include "model/store/trace/trace.h"
#include <stdint.h>
#include <stdlib.h>

static inline int64_t earlier(int64_t x_ns, int64_t y_ns)
{
	return x_ns < y_ns ? x_ns : y_ns;
}
static inline int64_t later(int64_t x_ns, int64_t y_ns)
{
	return x_ns > y_ns ? x_ns : y_ns;
}

static inline int i64_order(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
	return (a > b) - (a < b);
}
static inline int u32_order(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	return (a > b) - (a < b);
}
/* Rows by their start, then as they stand; for qsort_r, whose argument are the columns. */
static inline int row_order(const void *x, const void *y, void *columns)
{
	const struct columns *c = columns;
	row_id a = *(const row_id *)x, b = *(const row_id *)y;
	if (c->start_ns[a] != c->start_ns[b])
		return c->start_ns[a] < c->start_ns[b] ? -1 : 1;
	return (a > b) - (a < b);
}
/* As qsort and qsort_r do; lists that mostly stand in order already cost one look then. */
static inline void sort_if_needed(void *at, size_t n, size_t size, int (*order)(const void *x, const void *y))
{
	const char *x = at;
	for (size_t i = 1; i < n; i++)
		if (order(x + (i - 1) * size, x + i * size) > 0) {
			qsort(at, n, size, order);
			return;
		}
}
static inline void sort_if_needed_r(void *at, size_t n, size_t size,
				    int (*order)(const void *x, const void *y, void *arg), void *arg)
{
	const char *x = at;
	for (size_t i = 1; i < n; i++)
		if (order(x + (i - 1) * size, x + i * size, arg) > 0) {
			qsort_r(at, n, size, order, arg);
			return;
		}
}
#endif
