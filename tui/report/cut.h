/* tui/report/cut.h - a table made fit for a report: fewer columns, fewer rows, shorter names, redacted.
 * The result lives in `mem`; the table it came from stays as it is. */
#ifndef STEPSCOPE_REPORT_CUT_H
#define STEPSCOPE_REPORT_CUT_H
#include "tui/tables/scrub.h"

/* Which rows stay: one look through the table, however many versions of it a report shows. */
struct cut_choice {
	struct column_list
		sort; /* of its descriptor: column to rank by, largest first, when rows must go; none = the first ones stay */
	uint32_t max;                                                        /* rows of the longest version, 0 = all */
	bool (*keep)(const struct table *t, uint32_t row, const char *word); /* NULL = every row */
	const char *word;                                                    /* handed to keep */
	/* Columns of its descriptor of which somebody will ask whether they are unknown in every row; none = all. */
	struct column_list columns;
	bool all_columns; /* nobody will ask */
};
struct cut_rows; /* the choice, in `mem` */
const struct cut_rows *cut_rows(const struct table *t, const struct cut_choice *c, struct arena *mem);
bool cut_any(const struct table *t, const struct cut_choice *c); /* some row is kept */
uint32_t cut_total(const struct cut_rows *rows);                 /* before rows went because there are too many */
/* Names of those columns that are unknown in every row that is kept, with commas; "" = none. None named: of all; else some of those of
 * the choice. */
const char *cut_unknown(const struct cut_rows *rows, struct column_list columns, struct arena *mem);

struct cut {
	struct column_list columns; /* of its descriptor, in this order; none = all. Absent ones are passed over */
	uint32_t rows;              /* at most so many, 0 = all that were chosen */
	int text_cols;              /* texts wider than this lose their middle, 0 = keep */
	const struct scrub *scrub;  /* names become hashes; NULL: they stay as recorded */
	bool drop_unknown;          /* leave out columns that are unknown in every row */
};
/* rows: of `t`, or of a table with the same rows in the same order. The result needs `t` no more. */
struct table *cut_table(const struct table *t, const struct cut_rows *rows, const struct cut *c, struct arena *mem);
/* The cell of a key/value table, NULL when absent or null. */
const struct cell *cut_value(const struct table *t, const char *key);
#endif
