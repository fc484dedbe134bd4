/* model/store/base/column.h - a growing array that is never copied: pages are remapped, fresh ones cost nothing until touched. From
 *          2 MiB on they are large pages where the machine has them.
 * Life:    zero-initialise with the element size -> column_push ... -> column_free. Pointers move when it grows.
 * Errors:  column_push returns NULL when memory is out; n stays as it was. */
#ifndef STEPSCOPE_COLUMN_H
#define STEPSCOPE_COLUMN_H
#include <stdbool.h>
#include <stddef.h>

struct column {
	void *p;
	size_t n, cap; /* elements */
	size_t size;   /* bytes per element */
};

bool column_grow(struct column *c, size_t want); /* room for at least `want` elements; fresh bytes are zero */
void column_free(struct column *c);
/* Pages of it that were not touched yet are small ones: what is filled here and there would take large ones for a few bytes each. */
void column_in_small_pages(struct column *c);

/* Fresh memory for an array of known size, to be given to free; not zeroed. In large pages where it fills some: going through
 * a million events is a third page faults otherwise. NULL when memory is out. */
void *large_alloc(size_t bytes);

/* Memory of columns that are done with, for arrays and columns that would take fresh pages otherwise: the kernel clears those. Its
 * pages are moved, not copied, and hold what they held. Life: zero-initialise -> spare_column, spare_alloc ... -> spare_free. One thread. */
enum { SPARE_COLUMNS = 8 };
struct spare {
	struct column of[SPARE_COLUMNS]; /* those that are not used up */
	size_t n;
};
void spare_column(struct spare *s, struct column *c); /* instead of column_free */
void *spare_alloc(struct spare *s, size_t bytes);     /* as large_alloc */
void spare_free(struct spare *s);
/* As column_grow, but large pages that are added may be spare ones, whose bytes are not zero. */
bool column_grow_from(struct column *c, size_t want, struct spare *s);

/* Room for one more element; its bytes are zero the first time. */
static inline void *column_push(struct column *c)
{
	if (c->n == c->cap && !column_grow(c, c->n + 1))
		return NULL;
	return (char *)c->p + c->n++ * c->size;
}
#endif
