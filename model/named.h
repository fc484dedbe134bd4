/* model/named.h - cells by the name of their column. What a table does not have is unknown, so readers of a table can do
 * without it. */
#ifndef STEPSCOPE_NAMED_H
#define STEPSCOPE_NAMED_H
#include "table.h"

const struct cell *named_cell(const struct table *t, uint32_t row, const char *column); /* never NULL */
const char *named_text(const struct table *t, uint32_t row, const char *column);        /* NULL when unknown */
int64_t named_int(const struct table *t, uint32_t row, const char *column);             /* UNKNOWN_I64 when unknown */
/* As a person reads it; "-" when unknown. */
const char *named_words(const struct table *t, uint32_t row, const char *column, char *buf, size_t size);
/* Row of a key/value table; NONE_ID when t is NULL or the key absent. */
uint32_t row_of_key(const struct table *t, const char *key);
const struct cell *key_cell(const struct table *t, const char *key);
const char *key_words(const struct table *t, const char *key, char *buf, size_t size);
#endif
