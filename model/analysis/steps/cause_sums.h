/* model/analysis/steps/cause_sums.h - the pieces of a line of causes (cause_lines.h), added up in blocks: where many devices wait for one thread
 * each of their idle times holds thousands of them.
 * Life: cause_sums_make for a line -> read -> cause_sums_free. A block of level 0 holds CAUSE_BLOCK pieces, the first from the line's first on,
 * one of any other level CAUSE_BLOCK blocks of the level below; what is behind the last whole block is in none. */
#ifndef STEPSCOPE_CAUSE_SUMS_H
#define STEPSCOPE_CAUSE_SUMS_H
#include "cause_lines.h"

enum { CAUSE_BLOCK = 8, CAUSE_LEVELS = 4 };
/* Of one cause. */
struct cause_sum {
	int64_t ns;
	__int128 trusted; /* trust (percent) x time */
	row_id row;       /* that of the longest piece with one, NONE_ID = none, */
	int64_t row_ns;   /* and how long that is */
	enum cause cause;
};
struct cause_block {
	uint32_t from, n;     /* of `sums` */
	struct interval hole; /* the longest, of equal ones the first; empty: none */
	bool mixed;           /* one of its pieces is */
	bool simple;          /* its time is known, and of its holes none lies right behind another one */
};
struct cause_sums {
	struct cause_block *blocks[CAUSE_LEVELS];
	struct cause_sum *sums;
	uint32_t n[CAUSE_LEVELS], n_sums, cap_sums;
};
/* *out as zeroes or made before. */
void cause_sums_make(const struct cause_line *l, struct cause_sums *out);
/* The largest simple block that begins with piece i and ends by until_ns, NULL = none does; of how many pieces. */
const struct cause_block *cause_block_at(const struct cause_sums *x, const struct cause_line *l, uint32_t i,
					 int64_t until_ns, uint32_t *pieces);
void cause_sums_free(struct cause_sums *x);
#endif
