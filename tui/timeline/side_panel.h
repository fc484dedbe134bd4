/* tui/timeline/side_panel.h - statistics of the visible window at the side of wide screens: how busy, top kernels and ops, copies, idle
 * time by class. The numbers are those of the tables for that window (window_stats.h); while new ones are made, those of the
 * view before stay and say so. */
#ifndef STEPSCOPE_SIDE_PANEL_H
#define STEPSCOPE_SIDE_PANEL_H
#include "tui/explorer/timeline_layout.h"

/* Nothing where the layout has no room for it. */
void side_panel_draw(const struct state *st, struct surface *s, const struct timeline_layout *l);
#endif
