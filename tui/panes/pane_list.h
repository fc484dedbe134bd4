/* tui/panes/pane_list.h - what panes share that are a list with one item selected. */
#ifndef STEPSCOPE_PANE_LIST_H
#define STEPSCOPE_PANE_LIST_H
#include "tui/explorer/pane.h"

/* Moves the selection among the items of the pane (struct pane_ops); false when the action is another one. */
bool list_move(struct state *st, enum action a);
/* What every list does beside: moves, turns to its plain table, searches; false when the action is another one. */
bool list_act(struct state *st, enum action a);
/* A text over the pane: what the columns of the table mean that it is a picture of; NULL: none is ready. */
void list_columns_told(struct state *st, const char *title, const struct table *t);
/* A click selects the row-th line shown, the wheel moves; row < 0: no line. */
void list_mouse(struct state *st, enum mouse_button what, int row);
/* Lines from y to the body's end, at least 1. */
int list_height(struct rect body, int y);
/* Cuts row and top so that the row is seen among h. */
void list_clamp(struct state *st, uint32_t n, int h);
#endif
