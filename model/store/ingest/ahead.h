/* model/store/ingest/ahead.h - takes the memory of growing columns a little before it is written, on a thread that is idle
 * otherwise: the kernel clears each page when it is first touched, which is a third of what an import costs.
 * Threads: calls from one; without a second thread, or on kernels before Linux 5.14, they do nothing. */
#ifndef STEPSCOPE_AHEAD_H
#define STEPSCOPE_AHEAD_H
#include "model/store/base/column.h"

enum { AHEAD_COLUMNS = 12 };
struct ahead;
struct ahead *ahead_new(unsigned threads); /* NULL: not now */
/* The first n elements of the column are in use, and it grows: what comes next is taken. which: below AHEAD_COLUMNS, the same
 * for the same column at each call. A column may be moved or freed at any time: memory that is not there is not taken. */
void ahead_column(struct ahead *a, int which, const struct column *c, size_t n);
/* Whole pages that will be written soon. What was asked for last is not asked for again. */
void ahead_pages(struct ahead *a, void *from, size_t bytes);
/* Fresh large memory (large_alloc, spare_alloc) that is about to be written, mostly from its front on: from the middle on it is taken
 * meanwhile, then the rest. NULL is fine; what is small is left alone. */
void ahead_middle(struct ahead *a, void *from, size_t bytes);
void ahead_free(struct ahead *a); /* NULL is fine */
#endif
