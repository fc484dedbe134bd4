/* tui/screen/shot.h - a screen as a file: a picture, coloured text for a terminal, or plain text.
 * SVG:     the theme's colours for 256 and more; what a theme leaves to the terminal is light grey on near black. Bars and lines are
 *          drawn, not typed, so that no font decides what they look like; every text is as wide as its cells. No script, nothing
 *          from elsewhere. The same screen gives the same bytes.
 * Threads: any, one per stream. */
#ifndef STEPSCOPE_SHOT_H
#define STEPSCOPE_SHOT_H
#include "surface.h"
#include "theme.h"

enum shot_form { SHOT_SVG, SHOT_ANS, SHOT_TEXT };

/* By the ending of a file's name: .svg, .ans, .txt. False with a usage error for any other one. */
bool shot_form_parse(const char *file, enum shot_form *out, struct err *e);
/* Writes the whole surface; errors of the stream are the caller's to look for. label: what a screen reader says of the picture. */
void shot_write(FILE *f, const struct surface *s, const struct theme *t, enum shot_form form, const char *label);
/* One form of shot_write. */
void shot_svg(FILE *f, const struct surface *s, const struct theme *t, const char *label);
#endif
