/* tui/tables/memory_curve.h - the table memory_curve as curves, one per allocator, for the Memory pane and the reports. */
#ifndef STEPSCOPE_TABLES_MEMORY_CURVE_H
#define STEPSCOPE_TABLES_MEMORY_CURVE_H
#include "model/table.h"

/* The rows of one allocator. */
struct curve_part {
	uint32_t first, n;
};
/* That which begins at row `first`; n is 0 after the last one. */
struct curve_part curve_part_at(const struct table *t, uint32_t first);

enum { CURVE_COLS = 512 };
struct curve {
	int64_t used[CURVE_COLS], held[CURVE_COLS]; /* bytes by column; UNKNOWN_I64: nothing is known */
	char phase[CURVE_COLS];                     /* first letter of what the host does, 0: nothing is known */
	int64_t most;                               /* bytes of the full height, 0: nothing to draw */
	int64_t peak_bytes, held_bytes; /* the most of each; held_bytes: UNKNOWN_I64 where it is not recorded */
	int64_t capacity;               /* bytes, UNKNOWN_I64 */
	int cols, peak;                 /* peak: the last column with the most in use */
};
/* In `cols` columns, CURVE_COLS at most. The capacity is the full height where a quarter of it is in use or held; else the
 * curve would be flat. */
void curve_fill(struct curve *c, const struct table *t, struct curve_part p, int cols);

/* What tells allocators apart, as people read it; "-": none. */
struct curve_who {
	char rank[24], device[40];
	const char *allocator; /* of the table */
};
/* Of a row of any table that has these three columns. */
struct curve_who curve_who_of(const struct table *t, uint32_t row, uint32_t rank, uint32_t device, uint32_t allocator);
struct curve_who curve_who(const struct table *t, struct curve_part p);
const char *curve_who_words(const struct curve_who *who, char *buf, size_t size); /* "GPU 0 cuda"; returns buf */
#endif
