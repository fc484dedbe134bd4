/* tui/explorer/timeline_layout.h - where the parts of the timeline stand, shared by its drawing, its keys and the mouse. */
#ifndef STEPSCOPE_TIMELINE_LAYOUT_H
#define STEPSCOPE_TIMELINE_LAYOUT_H
#include "state.h"

enum { TIMELINE_MAX_COLS = 4096 };
struct timeline_layout {
	int gutter;  /* columns of lane names, the time axis begins behind them */
	int x, cols; /* time axis */
	int y_map, y_ruler, y_steps;
	int y_lanes, h_lanes;
	int y_panel, h_panel; /* details of what is selected; the first row is its heading */
};
struct timeline_layout timeline_layout(const struct state *st);
/* Where a lane stands: its row of the screen, or the first or last row of the lanes when it is scrolled away; *off then says
 * to which side: -1 above, 1 below, 0 = it is on the screen. */
int timeline_lane_y(const struct state *st, const struct timeline_layout *l, uint32_t lane, int *off);
#endif
