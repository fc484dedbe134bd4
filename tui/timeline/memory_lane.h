/* tui/timeline/memory_lane.h - the row of a device, or of a process where the host's memory alone is recorded, that tells how much of it
 * is in use: a curve, and in words the value at the cursor and what the full height stands for. Cost: per column two searches among the allocations and the runs between. */
#ifndef STEPSCOPE_MEMORY_LANE_H
#define STEPSCOPE_MEMORY_LANE_H
#include "tui/explorer/timeline_layout.h"

/* Asks for what the rows need, when the timeline is shown: a worker replays the allocations. More of them than a screen should cost
 * are left to who opens the Memory pane. */
void memory_lane_want(struct state *st);
void memory_lane_draw(const struct state *st, struct surface *s, const struct timeline_layout *l, int y,
		      const struct lane *lane);
#endif
