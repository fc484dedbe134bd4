/* tui/explorer/timeline_layout.h - where the parts of the timeline stand, shared by its drawing, its keys and the mouse. */
#ifndef STEPSCOPE_TIMELINE_LAYOUT_H
#define STEPSCOPE_TIMELINE_LAYOUT_H
#include "state.h"

enum { TIMELINE_MAX_COLS = 4096 };
struct timeline_layout {
	int gutter;  /* columns of lane names, the time axis begins after them */
	int x, cols; /* time axis */
	int x_side,
		w_side; /* statistics of the visible window, beside all above the panel; w_side 0 = there are none */
	int y_map, y_ruler, y_steps;
	int y_lanes, h_lanes;
	int y_legend; /* line of the categories in view, below the lanes; 0 = there is no row for it */
	int h_filled; /* rows of lanes while something is selected: as many are made ready, so that none moves when it is */
	int y_panel, h_panel; /* details of what is selected, two rows when nothing is; the first one is its heading */
};
struct timeline_layout timeline_layout(const struct state *st);
/* Where a lane stands: its row of the screen, or the first or last row of the lanes when it is scrolled away; *off then says
 * to which side: -1 above, 1 below, 0 = it is on the screen. */
int timeline_lane_y(const struct state *st, const struct timeline_layout *l, uint32_t lane, int *off);
#endif
