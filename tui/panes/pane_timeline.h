/* tui/panes/pane_timeline.h - the timeline: its picture, the panel below it, and what is told of events and gaps. */
#ifndef STEPSCOPE_PANE_TIMELINE_H
#define STEPSCOPE_PANE_TIMELINE_H
#include "tui/explorer/timeline_layout.h"

void timeline_draw(const struct state *st, struct surface *s, struct rect body);
/* selection_details.c: the panel below the lanes */
void timeline_panel(const struct state *st, struct surface *s, struct rect r);
const char *gap_name(const struct derived *d, const struct gap *g, char *buf, size_t size); /* "8->9", "in step 4" */
/* Fills the reader with everything known about an event. */
void event_reader(struct state *st, row_id r);
void gap_reader(struct state *st, const struct gap *g);
void step_reader(struct state *st, uint32_t step);
#endif
