/* importers/database/walk.h - a table of a format that comes as a database: its columns, and what becomes of a row. Formats list
 * theirs as data; one walk reads them all and keeps the ledger. */
#ifndef STEPSCOPE_DATABASE_WALK_H
#define STEPSCOPE_DATABASE_WALK_H
#include "database.h"

struct notes;

struct row_table {
	const char *name;
	const char *const
		*columns; /* numbered in this order for rows_int and its like; those that a file lacks are unknown */
	int n_columns;
	void (*take)(void *reader, const struct rows *r); /* one row; of what reads the format */
	const char *only; /* which rows, as for rows_begin; `take` may be given others, too */
};
#define ROW_TABLE(name, columns, take) ROW_TABLE_ONLY(name, columns, take, NULL)
#define ROW_TABLE_ONLY(name, columns, take, only)                           \
	{                                                                   \
		name, columns, sizeof columns / sizeof *columns, take, only \
	}

/* Gives each row of the file's table `name` to t->take. Rows are entries of `notes`, damage is noted there; NULL: a walk that only looks and
 * leaves the ledger alone. False: no such table, or not a row in it that could be read. */
bool walk_table(struct database *d, const struct row_table *t, const char *name, void *reader, struct notes *notes);
/* Whether there is such a table, with a row that can be read. */
bool table_has_rows(struct database *d, const char *name);
#endif
