#include "row_pool.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

uint32_t pool_add(struct pool *p, const void *row)
{
	uint32_t hash = row_index_hash(row, p->row_bytes);
	uint32_t found = row_index_find(&p->index, p->rows, p->row_bytes, row, p->row_bytes, hash);
	if (found != ROW_INDEX_ABSENT)
		return found + 1;
	size_t end = (p->n + (size_t)1) * p->row_bytes;
	if (p->n == POOL_MAX || !TRY_GROW_ARRAY(p->rows, end - 1, p->cap_bytes) ||
	    !row_index_add(&p->index, hash, p->n))
		return 0;
	memcpy(p->rows + end - p->row_bytes, row, p->row_bytes);
	return ++p->n;
}

void pool_free(struct pool *p)
{
	free(p->rows);
	row_index_free(&p->index);
	p->rows = NULL;
	p->n = 0;
	p->cap_bytes = 0;
}
