/* model/store/facts/side_packed.h - rows of a side table (side_tables.h) packed in memory, an eighth of their size: block by block and
 *          column by column as in a saved file. Neighbours in a column resemble each other: totals, sizes, texts.
 * Life:    zero-initialise -> side_packed_add ... -> side_packed_finish -> side_packed_rows -> side_packed_free.
 * Threads: one at a time; where `threads` is more than 1 another one packs some of the blocks meanwhile. They are the same.
 * Errors:  false when memory is out. */
#ifndef STEPSCOPE_SIDE_PACKED_H
#define STEPSCOPE_SIDE_PACKED_H
#include "side_tables.h"
#include "model/store/base/column.h"

struct side_block {
	unsigned char *bytes;
	size_t n, rows;
};
/* For the block being packed, used for the next one again. */
struct side_room {
	struct column flat, bytes;
};
struct side_packed {
	struct column blocks; /* struct side_block */
	struct column tail;   /* rows that no block has yet */
	struct side_room room;
	struct side_helper *helper; /* the other thread; NULL: none yet */
	uint64_t n;                 /* rows */
	unsigned threads;           /* that may be used, the caller's included */
};

/* Tables that are packed until someone asks for them: of those there may be as many rows as events. */
static inline bool side_is_packed(enum side_table i)
{
	return i == SIDE_ALLOCATIONS || i == SIDE_ALLOCATOR_STATES;
}
/* Adds a row, which is copied. */
bool side_packed_add(struct side_packed *p, const struct side_table_info *x, const void *row);
/* Packs the last rows; no more are added. */
bool side_packed_finish(struct side_packed *p, const struct side_table_info *x);
/* Appends all rows to those of `to`, whose element size is set; they stay packed, too. */
bool side_packed_rows(const struct side_packed *p, const struct side_table_info *x, struct column *to);
void side_packed_free(struct side_packed *p);
#endif
