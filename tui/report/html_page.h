/* tui/report/html_page.h - what every page written by this program has: its head with the policy that keeps it alone, its look, tables
 * that sort, and its end. */
#ifndef STEPSCOPE_REPORT_HTML_PAGE_H
#define STEPSCOPE_REPORT_HTML_PAGE_H
#include "model/table.h"
#include <stdio.h>

void html_open(FILE *f, const char *title); /* up to <main> */
void html_close(FILE *f, const char *said); /* said: of this page, after who wrote it */
/* open and close are markup, the text between them is not. */
void html_element(FILE *f, const char *open, const char *text, const char *close);
/* All rows, as people read them; exact values are kept for sorting. caption: for who listens; total: how many rows there were before it was
 * cut, which its last line says where they are more. */
void html_table(FILE *f, const struct table *t, const char *caption, uint32_t total);
/* The same; of a longer one the first rows, and all of them in a fold below, which takes their place. */
void html_folded_table(FILE *f, const struct table *t, const char *caption, uint32_t total);
/* What the columns of a table mean, in a fold below it. */
void html_columns(FILE *f, const struct table *t);
#endif
