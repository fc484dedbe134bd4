/* tui/report/cut.h - a table made fit for a report: fewer columns, fewer rows, shorter names, redacted.
 * The result lives in `mem`; the table it came from stays as it is. */
#ifndef STEPSCOPE_REPORT_CUT_H
#define STEPSCOPE_REPORT_CUT_H
#include "model/table.h"

struct cut {
	struct column_list columns; /* of its descriptor, in this order; none = all. Absent ones are passed over */
	struct column_list sort; /* column to sort by, largest first; none = leave the order. Only when rows must go */
	uint32_t rows;           /* at most so many, 0 = all */
	int text_cols;           /* texts wider than this lose their middle, 0 = keep */
	bool redact;             /* names of hosts and threads become hashes */
	bool drop_unknown;       /* leave out columns that are unknown in every row */
	bool (*keep)(const struct table *t, uint32_t row, const char *word); /* NULL = every row */
	const char *word;                                                    /* handed to keep */
};
struct table *cut_table(const struct table *t, const struct cut *c, struct arena *mem, uint32_t *rows_total);
/* Names of the columns that are unknown in every row, with commas; "" = none. */
const char *cut_unknown(const struct table *t, struct arena *mem);
/* The cell of a key/value table, NULL when absent or null. */
const struct cell *cut_value(const struct table *t, const char *key);
#endif
