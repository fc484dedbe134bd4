/* tui/timeline/iteration_row.h - the row of steps where a server's iterations are the steps: each in the colour of its kind, with the
 * kind's letter. */
#ifndef STEPSCOPE_ITERATION_ROW_H
#define STEPSCOPE_ITERATION_ROW_H
#include "tui/explorer/pane.h"
#include "tui/explorer/timeline_layout.h"

/* False: there are none to draw, or steps are shown instead (nav_iterations_shown). */
bool iteration_row_draw(const struct state *st, struct surface *s, const struct timeline_layout *l);
#endif
