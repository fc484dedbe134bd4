/* tui/screen/wrap.h - long texts broken into rows at blanks, but not between a number and its unit, and where there is none in the middle of a word: after a slash, dot
 * or another joint of names, and never before its last letter. */
#ifndef STEPSCOPE_WRAP_H
#define STEPSCOPE_WRAP_H
#include "surface.h"

/* Writes text from (r.y, r.x) on in rows of r.w columns and returns how many rows it takes (at least 1). Only rows in
 * [top, bottom) are drawn; s may be NULL to measure. r.h is not looked at. */
int wrap_text(struct surface *s, struct rect r, int ink, const char *text, int top, int bottom);
#endif
