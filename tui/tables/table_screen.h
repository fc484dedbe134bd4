/* tui/tables/table_screen.h - a table as text on a terminal: the columns people look at first, as many as fit, and one last
 * paragraph that names the others. Lines are never wider than the terminal unless one column alone is. */
#ifndef STEPSCOPE_TABLE_SCREEN_H
#define STEPSCOPE_TABLE_SCREEN_H
#include "model/table.h"
#include <stdio.h>

/* cut: the window may cut rows. Everything stands in the table's own order where all of it fits. */
void table_screen(struct table *t, bool cut, unsigned width, FILE *out);
#endif
