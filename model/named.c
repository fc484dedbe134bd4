#include "named.h"
#include <string.h>

static const struct cell unknown = {.null = true};

const struct cell *named_cell(const struct table *t, uint32_t row, const char *column)
{
	int col = t && row < t->n_rows ? table_column(t, column) : -1;
	return col < 0 ? &unknown : table_cell(t, row, (uint32_t)col);
}

const char *named_text(const struct table *t, uint32_t row, const char *column)
{
	const struct cell *c = named_cell(t, row, column);
	return c->null || c->type != CELL_TEXT ? NULL : c->s;
}

int64_t named_int(const struct table *t, uint32_t row, const char *column)
{
	const struct cell *c = named_cell(t, row, column);
	return c->null || c->type != CELL_INT ? UNKNOWN_I64 : c->i;
}

const char *named_words(const struct table *t, uint32_t row, const char *column, char *buf, size_t size)
{
	int col = t && row < t->n_rows ? table_column(t, column) : -1;
	return col < 0 ? "-" : cell_format(t, row, (uint32_t)col, buf, size);
}

uint32_t row_of_key(const struct table *t, const char *key)
{
	for (uint32_t r = 0; t && r < t->n_rows; r++) {
		const char *found = named_text(t, r, "key");
		if (found && strcmp(found, key) == 0)
			return r;
	}
	return NONE_ID;
}

const struct cell *key_cell(const struct table *t, const char *key)
{
	return named_cell(t, row_of_key(t, key), "value");
}

const char *key_words(const struct table *t, const char *key, char *buf, size_t size)
{
	return named_words(t, row_of_key(t, key), "value", buf, size);
}
