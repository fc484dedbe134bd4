/* tui/report/lane.h - the events of one track, or the steps, as rows of boxes. */
#ifndef STEPSCOPE_REPORT_LANE_H
#define STEPSCOPE_REPORT_LANE_H
#include "picture.h"

struct lane_view {
	const struct derived *d;
	struct arena *mem;
	int64_t a_ns, b_ns;
	const struct scrub *scrub; /* NULL: names as recorded */
	uint32_t cols;             /* events narrower than a column are folded */
};
/* Fill *out with the events of a track (at most max_rows display rows), the step markers of a host, or the parts of
 * steps on a device; boxes lie in v->mem. */
void lane_of_track(const struct lane_view *v, uint32_t track, uint32_t max_rows, struct lane *out);
void lane_of_markers(const struct lane_view *v, uint32_t host, struct lane *out);
/* All of a device in one row: how busy it is, where its steps begin, which stretches are collectives. */
void lane_of_device(const struct lane_view *v, uint32_t device, struct lane *out);
void lane_of_device_steps(const struct lane_view *v, uint32_t device, struct lane *out);
/* How many boxes the lane has, over all rows. */
uint32_t lane_boxes(const struct lane *l);
#endif
