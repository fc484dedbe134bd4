/* model/row_maker.h - rows of a table that are made when they are read. Those read lately are kept, so that drawing a
 * screen again makes none. For table.c; everybody else uses table_made, table_over and table_cell. */
#ifndef STEPSCOPE_ROW_MAKER_H
#define STEPSCOPE_ROW_MAKER_H
#include "table.h"

/* What is returned is valid until another row is read. */
const struct cell *row_maker_cell(const struct table *t, uint32_t row, uint32_t col);
/* table_numbers, table_texts */
void row_maker_numbers(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out);
void row_maker_texts(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, const char **out);
/* table_ranks where the maker knows them, else false */
bool row_maker_ranks(const struct table *t, uint32_t col, const uint32_t *rows, uint32_t n, int64_t *out);
bool row_maker_is_zero(const struct table *t, uint32_t col); /* table_is_zero */
const struct cell *row_maker_cells(const struct table *t, uint32_t row);
void row_maker_read(const struct table *t, uint32_t row, struct cell *cells); /* table_read */
const struct evidence *row_maker_evidence(const struct table *t, uint32_t row);
bool row_maker_is_late(const struct table *t, uint32_t col);
uint32_t row_maker_source(const struct table *t, uint32_t row); /* which row of its maker stands at `row` */
/* Row i becomes what row from[i] was. */
void row_maker_permute(struct table *t, const uint32_t *from);
#endif
