/* tui/timeline/upright.h - what goes through all lanes: the chosen range as a tint between two edges, the start of each step as a
 * dotted line, the cursor as a line. They show on blank cells, the cursor also on solid bars; names and pieces of bars stay
 * as they are. Cost: rows times columns. */
#ifndef STEPSCOPE_UPRIGHT_H
#define STEPSCOPE_UPRIGHT_H
#include "tui/explorer/timeline_layout.h"

void upright_draw(const struct state *st, struct surface *s, const struct timeline_layout *l);
/* A cell that holds a name, which lines pass after. */
bool upright_is_name(const struct surface_cell *c);
/* A cell of one of these lines that would be blank without it. */
bool upright_is_line(const struct surface_cell *c);
#endif
