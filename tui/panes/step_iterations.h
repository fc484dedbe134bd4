/* tui/panes/step_iterations.h - iterations of a server as rows: kind, requests, tokens, how long and how much of it on the device; below,
 * what the host does around the selected one. */
#ifndef STEPSCOPE_STEP_ITERATIONS_H
#define STEPSCOPE_STEP_ITERATIONS_H
#include "tui/explorer/pane.h"

int step_iterations_height(struct rect body); /* rows that are seen at once */
/* The heads, the rows and the numbers below them; the first line of the body is left to the caller. */
void step_iterations_draw(const struct state *st, const struct table *t, struct surface *s, struct rect body);
#endif
