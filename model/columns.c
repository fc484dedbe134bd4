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

/* Of rows that are made when they are read, no more than the one cell. */
const char *column_text(const struct table *t, uint32_t row, uint32_t id)
{
	int col = t && t->maker ? place_of(t, row, id) : -1;
	const char *text = NULL;
	if (col >= 0 && t->cols[col].type == CELL_TEXT) {
		table_texts(t, (uint32_t)col, &row, 1, &text);
		return text;
	}
	const struct cell *c = column_cell(t, row, id);
	return c->null || c->type != CELL_TEXT ? NULL : c->s;
}

int64_t column_int(const struct table *t, uint32_t row, uint32_t id)
{
	const struct cell *c = column_cell(t, row, id);
	return c->null || c->type != CELL_INT ? UNKNOWN_I64 : c->i;
}

bool row_block_next(struct row_block *b)
{
	b->from += b->n;
	b->n = b->t->n_rows - b->from < BLOCK_ROWS ? b->t->n_rows - b->from : BLOCK_ROWS;
	return b->n > 0;
}

/* All of them, whatever the block has: several at once where their number does not change. */
static void count_from(uint32_t from, uint32_t rows[BLOCK_ROWS])
{
	for (uint32_t i = 0; i < BLOCK_ROWS; i++)
		rows[i] = from + i;
}

void row_block_numbers(const struct row_block *b, uint32_t id, int64_t out[BLOCK_ROWS])
{
	uint32_t rows[BLOCK_ROWS];
	int col = table_place(b->t, id);
	for (uint32_t i = 0; col < 0 && i < b->n; i++)
		out[i] = UNKNOWN_I64;
	if (col < 0)
		return;
	count_from(b->from, rows);
	table_numbers(b->t, (uint32_t)col, rows, b->n, out);
}

void row_block_texts(const struct row_block *b, uint32_t id, const char *out[BLOCK_ROWS])
{
	uint32_t rows[BLOCK_ROWS];
	int col = table_place(b->t, id);
	for (uint32_t i = 0; col < 0 && i < b->n; i++)
		out[i] = NULL;
	if (col < 0)
		return;
	count_from(b->from, rows);
	table_texts(b->t, (uint32_t)col, rows, b->n, out);
}

const int64_t *column_all_numbers(const struct table *t, uint32_t id, struct arena *mem)
{
	int64_t *out = arena_alloc(mem, (t->n_rows + (size_t)1) * sizeof *out);
	for (struct row_block b = {.t = t}; row_block_next(&b);)
		row_block_numbers(&b, id, out + b.from);
	return out;
}

const char *const *column_all_texts(const struct table *t, uint32_t id, struct arena *mem)
{
	const char **out = arena_alloc(mem, (t->n_rows + (size_t)1) * sizeof *out);
	for (struct row_block b = {.t = t}; row_block_next(&b);)
		row_block_texts(&b, id, out + b.from);
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
