/* tui/report/svg.h - a picture as SVG: alone with a few lines of text above it, or inside an HTML page. */
#ifndef STEPSCOPE_REPORT_SVG_H
#define STEPSCOPE_REPORT_SVG_H
#include "picture.h"
#include <stdio.h>

/* head, foot: lines above and below the lanes (NULL-terminated lists, the second one of head in bold), NULL inside a page. */
void svg_write(FILE *f, const struct picture *p, const char *title, const char *const *head, const char *const *foot,
	       struct arena *mem);
#endif
