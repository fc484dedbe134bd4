#include "columns.h"
#include <string.h>

static const struct cell unknown = {.null = true};

/* Where the column stands in the table, -1: there is no such cell. */
static int place_of(const struct table *t, uint32_t row, uint32_t id)
{
	return t && row < t->n_rows ? table_place(t, id) : -1;
}

const struct cell *column_cell(const struct table *t, uint32_t row, uint32_t id)
{
	if (t && row < t->n_rows && id < t->n_cols && !t->maker && t->desc && t->cols == t->desc->cols)
		return &t->cells[(size_t)row * t->n_cols +
				 id]; /* as most tables are, whose cells are read by the million */
	int col = place_of(t, row, id);
	return col < 0 ? &unknown : table_cell(t, row, (uint32_t)col);
}

const char *column_text(const struct table *t, uint32_t row, uint32_t id)
{
	const struct cell *c = column_cell(t, row, id);
	return c->null || c->type != CELL_TEXT ? NULL : c->s;
}

int64_t column_int(const struct table *t, uint32_t row, uint32_t id)
{
	const struct cell *c = column_cell(t, row, id);
	return c->null || c->type != CELL_INT ? UNKNOWN_I64 : c->i;
}

enum { ROWS_AT_ONCE = 256 };

static void count_from(uint32_t from, uint32_t n, uint32_t *rows)
{
	for (uint32_t i = 0; i < n; i++)
		rows[i] = from + i;
}

static uint32_t rows_at_once(const struct table *t, uint32_t from)
{
	return t->n_rows - from < ROWS_AT_ONCE ? t->n_rows - from : ROWS_AT_ONCE;
}

const int64_t *column_all_numbers(const struct table *t, uint32_t id, struct arena *mem)
{
	uint32_t rows[ROWS_AT_ONCE];
	int64_t *out = arena_alloc(mem, (t->n_rows + (size_t)1) * sizeof *out);
	int col = table_place(t, id);
	for (uint32_t i = 0; col < 0 && i < t->n_rows; i++)
		out[i] = UNKNOWN_I64;
	for (uint32_t i = 0, n; col >= 0 && i < t->n_rows; i += n) {
		count_from(i, n = rows_at_once(t, i), rows);
		table_numbers(t, (uint32_t)col, rows, n, out + i);
	}
	return out;
}

const char *const *column_all_texts(const struct table *t, uint32_t id, struct arena *mem)
{
	uint32_t rows[ROWS_AT_ONCE];
	const char **out = arena_alloc(mem, (t->n_rows + (size_t)1) * sizeof *out);
	int col = table_place(t, id);
	for (uint32_t i = 0, n; col >= 0 && i < t->n_rows; i += n) {
		count_from(i, n = rows_at_once(t, i), rows);
		table_texts(t, (uint32_t)col, rows, n, out + i);
	}
	return out;
}

const char *column_words(const struct table *t, uint32_t row, uint32_t id, char *buf, size_t size)
{
	int col = place_of(t, row, id);
	return col < 0 ? "-" : cell_format(t, row, (uint32_t)col, buf, size);
}

uint32_t row_of_key(const struct table *t, const char *key)
{
	for (uint32_t r = 0; t && r < t->n_rows; r++) {
		const char *found = column_text(t, r, KEYED_KEY);
		if (found && strcmp(found, key) == 0)
			return r;
	}
	return NONE_ID;
}

const struct cell *key_cell(const struct table *t, const char *key)
{
	return column_cell(t, row_of_key(t, key), KEYED_VALUE);
}

const char *key_words(const struct table *t, const char *key, char *buf, size_t size)
{
	return column_words(t, row_of_key(t, key), KEYED_VALUE, buf, size);
}
