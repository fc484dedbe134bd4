/* tui/tables/rows_ahead.h - the rows of a table one after the other, as table_cells gives them. Where a long table makes its rows when
 * they are read, a second thread makes them ahead while the caller writes: the order and the cells are the same.
 * Life:    rows_ahead_new -> rows_ahead_next until NULL -> rows_ahead_free. Nobody else may read the table meanwhile.
 * Memory:  a few hundred rows. Threads: one asks. */
#ifndef STEPSCOPE_ROWS_AHEAD_H
#define STEPSCOPE_ROWS_AHEAD_H
#include "model/table.h"

struct rows_ahead;
struct rows_ahead *rows_ahead_new(const struct table *t);
const struct cell *
rows_ahead_next(struct rows_ahead *x); /* valid until the next one is asked for; NULL: there are no more */
void rows_ahead_free(struct rows_ahead *x);
#endif
