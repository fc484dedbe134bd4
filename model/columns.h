/* model/columns.h - the columns of a table and how its readers ask for cells.
 * The columns are one list, `#define T_COLUMNS(_)` with a line for each:
 *   _(id, name, type, unit, help)
 * From it come the ids of the readers (COLUMN_ID) and the columns of the descriptor (COLUMN_ROW). Who reads another table
 * includes its list: a column that goes is an error of the compiler, and a new name for it touches its list alone.
 * What a table does not have is unknown, so that readers can do without it. */
#ifndef STEPSCOPE_COLUMNS_H
#define STEPSCOPE_COLUMNS_H
#include "table.h"

#define COLUMN_ID(id, ...)                    id,
#define COLUMN_ROW(id, ...)                   COLUMN_FIELDS(__VA_ARGS__)
#define COLUMN_FIELDS(name, type, unit, help) {name, CELL_##type, UNIT_##unit, help},

/* Columns that some readers ask for in any table: where it has them, they mean the same. */
#define COLUMN_NAME     "name"
#define COLUMN_HOST     "host"
#define COLUMN_RANK     "rank"
#define COLUMN_DEVICE   "device"
#define COLUMN_THREAD   "thread"
#define COLUMN_FILE     "file"
#define COLUMN_CUT      "cut"
#define COLUMN_COUNTED  "counted"
#define COLUMN_KEY      "key"
#define COLUMN_HELP     "help"
#define COLUMN_WHAT     "what"
#define COLUMN_ADVICE   "advice"
#define COLUMN_DETAIL   "detail"
#define COLUMN_SENTENCE "sentence"

/* By the id of a column in the list of the table's descriptor, wherever the column stands in this table. */
const struct cell *column_cell(const struct table *t, uint32_t row, uint32_t id); /* never NULL */
const char *column_text(const struct table *t, uint32_t row, uint32_t id);        /* NULL when unknown */
int64_t column_int(const struct table *t, uint32_t row, uint32_t id);             /* UNKNOWN_I64 when unknown */
/* The column in all rows, in `mem`: of an INT or BOOL column as table_numbers, of a TEXT column as table_texts. For loops over all rows: cell
 * by cell these may have to be made. */
const int64_t *column_all_numbers(const struct table *t, uint32_t id, struct arena *mem);
const char *const *column_all_texts(const struct table *t, uint32_t id, struct arena *mem);
/* The rows of a table some hundred at a time, for loops over all of them that keep none: `struct row_block b = {t}`, then as long as there are
 * more. Of the rows at hand the column as above, row b.from first; b.n of them. */
enum { BLOCK_ROWS = 256 };
struct row_block {
	const struct table *t;
	uint32_t from, n;
};
bool row_block_next(struct row_block *b);
void row_block_numbers(const struct row_block *b, uint32_t id, int64_t out[BLOCK_ROWS]);
void row_block_texts(const struct row_block *b, uint32_t id, const char *out[BLOCK_ROWS]);
/* As a person reads it; "-" when unknown. */
const char *column_words(const struct table *t, uint32_t row, uint32_t id, char *buf, size_t size);

/* Key/value tables: one row per fact. */
enum { KEYED_KEY, KEYED_VALUE, KEYED_UNIT, KEYED_HELP, KEYED_COLUMNS };
/* Row of a key; NONE_ID when t is NULL or the key absent. */
uint32_t row_of_key(const struct table *t, const char *key);
const struct cell *key_cell(const struct table *t, const char *key);
const char *key_words(const struct table *t, const char *key, char *buf, size_t size);
#endif
