/* importers/database/database.h - tables of an SQLite file that anybody may have made, row by row, columns by name.
 * Trust:   none. Only ordinary tables are seen: no view, no virtual table, no trigger, no function, no extension, nothing but
 *          this file; texts up to 16 MiB. A value of another type than asked for is unknown.
 * Damage:  a table ends where it is damaged: rows_end tells.
 * Threads: one at a time; `progress` may be cancelled from any. */
#ifndef STEPSCOPE_DATABASE_H
#define STEPSCOPE_DATABASE_H
#include "importers/source.h"
#include "model/store/base/strings.h"

struct database;
/* NULL: the bytes cannot be had, or are no database at all. A cut one is opened: database_cut. */
struct database *database_open(struct source *src, struct progress *p, struct err *e);
void database_close(struct database *d); /* NULL is fine */
bool database_cut(const struct database *d);
bool database_cancelled(const struct database *d); /* by its progress */
int64_t database_bytes(const struct database *d);  /* of the file as it is */
bool database_has(const struct database *d, const char *table);
/* Names of the ordinary tables, in the order of the file; NULL after the last. They live as long as the database. */
const char *database_table(const struct database *d, uint32_t i);

enum { ROWS_MOST_COLUMNS = 40 };
/* Rows of one table. Zero-initialise; rows_begin -> rows_next ... -> rows_end. */
struct rows {
	struct database *of;
	void *statement; /* NULL = no such table */
	bool damaged;
	uint32_t has; /* bits of the columns that the table has, up to 32 */
	uint64_t n;   /* rows so far */
};
/* Columns that the table lacks are unknown in every row. `only`: a condition in SQL, of ours and never from a file, on what is wanted; NULL,
 * or one on a column that the table lacks: all rows. False, and no rows: there is no such table, or it cannot be read. */
bool rows_begin(struct rows *r, struct database *d, const char *table, const char *const *columns, int n,
		const char *only);
bool rows_next(struct rows *r); /* false: no more, damaged, or cancelled */
/* Frees. False when the table is damaged: rows may be missing. */
bool rows_end(struct rows *r);
/* Of the row at hand. Integers: UNKNOWN_I64 is given back as false. Text: valid until rows_next; p NULL = no text. */
bool rows_int(const struct rows *r, int column, int64_t *out);
int64_t rows_int_or(const struct rows *r, int column, int64_t otherwise);
bool rows_real(const struct rows *r, int column, double *out); /* integers count; what is not finite does not */
struct span rows_text(const struct rows *r, int column);
struct span rows_blob(const struct rows *r, int column); /* the same, of bytes that are no text */

/* The number of the row whose column is this one, for tables that are looked up: a row at a time, through its rowid.
 * NULL: no such table. */
struct lookup;
struct lookup *lookup_new(struct database *d, const char *table, const char *key, const char *value);
void lookup_free(struct lookup *l);                           /* NULL is fine */
uint64_t lookup_rows(const struct lookup *l);                 /* rows of the table */
struct span lookup_text(struct lookup *l, int64_t key);       /* until the next call; p NULL = absent, or no text */
bool lookup_int(struct lookup *l, int64_t key, int64_t *out); /* false: absent, or no integer; *out is left alone */
#endif
