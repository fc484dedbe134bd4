/* tui/text/put.h - untrusted text written into each format. All clean on their own (see utf8.h); NULL counts as "". */
#ifndef STEPSCOPE_REPORT_PUT_H
#define STEPSCOPE_REPORT_PUT_H
#include <stdio.h>

void put_plain(FILE *f, const char *s);
void put_html(FILE *f, const char *s); /* text and attribute values of HTML and SVG */
void put_md(FILE *f, const char *s);   /* running text and table cells of Markdown */
void put_json(FILE *f, const char *s); /* with its quotes */
/* Begins a chart inside a page; "</svg>" ends it. */
void put_svg_open(FILE *f, int w, int h, const char *label);
#endif
