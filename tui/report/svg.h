/* tui/report/svg.h - a picture as SVG: alone with a few lines of text above it, or inside an HTML page. */
#ifndef STEPSCOPE_REPORT_SVG_H
#define STEPSCOPE_REPORT_SVG_H
#include "picture.h"
#include <stdio.h>

/* head: lines above the lanes (NULL-terminated list, the second one in bold), or NULL inside a page. */
void svg_write(FILE *f, const struct picture *p, const char *title, const char *const *head, struct arena *mem);
#endif
