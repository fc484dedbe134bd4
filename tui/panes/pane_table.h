/* tui/panes/pane_table.h - what other panes need of the table pane. */
#ifndef STEPSCOPE_PANE_TABLE_H
#define STEPSCOPE_PANE_TABLE_H
#include "tui/explorer/pane.h"

/* Enter on a row of a table: selects the gap or step it names, else shows its evidence. */
void table_open_row(struct state *st, const struct table *t, uint32_t row);
#endif
