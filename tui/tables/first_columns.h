/* tui/tables/first_columns.h - which columns of a table people look at first: where there is little room, these are shown. */
#ifndef STEPSCOPE_FIRST_COLUMNS_H
#define STEPSCOPE_FIRST_COLUMNS_H
#include <stdbool.h>

/* Names separated by blanks, some of which the table may not have; NULL: the table's own order. cut: the window may cut
 * rows, which steps say beside their name. */
const char *first_columns(const char *table, bool cut);
#endif
