/* tui/report/formats.h - one writer per format, all from the same content. */
#ifndef STEPSCOPE_REPORT_FORMATS_H
#define STEPSCOPE_REPORT_FORMATS_H
#include "content.h"

/* Write the whole document to f; errors of f are for the caller to check. */
void report_md(struct content *c, FILE *f);
void report_html(struct content *c, FILE *f);
void report_svg(struct content *c, FILE *f);
void report_json(struct content *c, FILE *f);
void report_text(struct content *c, FILE *f);

/* The lanes as lines of text: a character per column, taller (or denser) = busier. cols: width of the whole line. */
void text_lanes(const struct picture *p, FILE *f, int cols, bool ascii, struct arena *mem);
/* A character per share of 0..1, taller (or denser) = more; above 1 counts as 1. */
void put_levels(FILE *f, const double *share, int cols, bool ascii);
#endif
