/* tui/tables/table_text.h - a table for reading: aligned text and Markdown. Called through table_write and table_screen. */
#ifndef STEPSCOPE_TABLE_TEXT_H
#define STEPSCOPE_TABLE_TEXT_H
#include "model/table.h"
#include <stdio.h>

enum { TABLE_TEXT_BETWEEN = 2 }; /* blanks between columns */
/* How wide each column is in full. */
void table_text_widths(const struct table *t, unsigned *widths);
/* width: 0 = as wide as it gets; else the widest text columns are shortened until the lines fit. */
void table_text(const struct table *t, FILE *out, unsigned width);
void table_text_md(const struct table *t, FILE *out);
#endif
