/* live/row_pool.h - distinct rows of one size, each with a number from 1 on. A number once given keeps its row.
 * Limit:   POOL_MAX rows; what comes then gets 0, "none". */
#ifndef STEPSCOPE_ROW_POOL_H
#define STEPSCOPE_ROW_POOL_H
#include "model/store/base/row_index.h"
#include <stddef.h>
#include <stdint.h>

enum { POOL_MAX = 1 << 22 };
struct pool {
	size_t row_bytes;
	unsigned char *rows;
	uint32_t n; /* rows are 1 .. n */
	size_t cap_bytes;
	struct row_index index;
};
uint32_t pool_add(struct pool *p, const void *row); /* finds or adds; 0 when there is no room */
void pool_free(struct pool *p);
#endif
