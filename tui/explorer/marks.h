/* tui/explorer/marks.h - views remembered under the letters a to z: set, gone to, named, listed, drawn on the ruler. */
#ifndef STEPSCOPE_MARKS_H
#define STEPSCOPE_MARKS_H
#include "state.h"

void marks_key(struct state *st, int key); /* the letter behind m and ' */
/* "a 12.5 ms, b warm-up": those that are set, in at most size bytes. */
const char *marks_text(const struct state *st, char *buf, size_t size);
bool marks_name(struct state *st, const char *text, struct err *e); /* "a warm-up"; "a" takes the name away */
void marks_list(struct state *st);                                  /* as text over the pane */
/* The letters at their times, on the ruler's row y from column x on. */
void marks_draw(const struct state *st, struct surface *s, int y, int x);
#endif
