/* tui/app/view_transfer.h - carries the user's view from one trace of a capture over to the next one.
 * Times stay the same instants; tracks, events, steps and gaps are found again by what they are; what lies before the new
 * trace's begin is gone, and views of it say so when they are called up. */
#ifndef STEPSCOPE_VIEW_TRANSFER_H
#define STEPSCOPE_VIEW_TRANSFER_H
#include "tui/explorer/state.h"

/* May be called again when the user has moved on. */
void view_transfer(struct state *to, const struct state *from);
void view_transfer_mode(struct state *to, struct state *from); /* last: takes the reader's text away from `from` */
/* The two ask the same things, so that the tables `to` has made are those `from` shows. */
bool state_same_question(const struct state *a, const struct state *b);
/* For traces that have nothing to do with each other: only the pane and the settings. */
void view_transfer_settings(struct state *to, const struct state *from);
#endif
