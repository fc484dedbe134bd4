/* model/row_maker.h - rows of a table that are made when they are read. Those read lately are kept, so that drawing a
 * screen again makes none. For table.c; everybody else uses table_made and table_cell. */
#ifndef STEPSCOPE_ROW_MAKER_H
#define STEPSCOPE_ROW_MAKER_H
#include "table.h"

/* Valid until another row is read. late: what table_made_late calls the rest, too. */
const struct made_row *row_maker_row(const struct table *t, uint32_t row, bool late);
uint32_t row_maker_source(const struct table *t, uint32_t row); /* which row of its maker stands at `row` */
bool row_maker_is_late(const struct table *t, uint32_t col);
/* Row i becomes what row from[i] was. */
void row_maker_permute(struct table *t, const uint32_t *from);
#endif
