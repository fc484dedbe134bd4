/* tui/explorer/lanes.h - the timeline from top to bottom as a list: one entry per display row, devices first.
 * Order:   each device: its name with its own busy time, its streams, under each stream lanes of ops and scopes made from its
 *          kernels (op_lane.h), the op and annotation lanes that belong to it; then each process: the thread that launches most device work first, then the others.
 * Folding: a track shows at most its first rows until it is unfolded; the last one shown says how many more there are.
 *          Where the screen has room left, all folded tracks show more rows alike, and scopes have their lanes.
 * Life:    lanes_init -> lanes_build any number of times -> lanes_free. The trace must outlive it. */
#ifndef STEPSCOPE_LANES_H
#define STEPSCOPE_LANES_H
#include "op_lane.h"

enum lane_kind { LANE_DEVICE, LANE_PROCESS, LANE_ROW, LANE_OP };
struct lane {
	enum lane_kind kind;
	uint32_t owner;  /* device or process */
	uint32_t track;  /* LANE_ROW; LANE_OP: the stream */
	uint32_t disp;   /* LANE_ROW: display row of the track; LANE_OP: level */
	uint32_t hidden; /* rows of the track that are folded away below this one */
	bool under;      /* belongs to the stream above it */
};
struct lanes {
	const struct derived *d;
	struct lane *at;
	uint32_t n, cap;
	uint32_t room;        /* rows of the screen that want to be filled */
	uint32_t deeper;      /* rows a folded track shows beyond the usual ones */
	bool *unfolded;       /* per track */
	bool left_out;        /* lanes of ops that there was no room for */
	double *sample_max;   /* per track; 0 where there are no samples above it */
	struct op_lanes *ops; /* per track */
	struct phases *phases;
};

void lanes_init(struct lanes *l, const struct derived *d);
void lanes_build(struct lanes *l);
void lanes_fill(struct lanes *l, uint32_t room); /* builds for a screen of another height */
void lanes_free(struct lanes *l);
void lanes_toggle(struct lanes *l, uint32_t track);
/* The entry that shows a display row; unfolds the track when it is hidden. NONE_ID when the track is empty. */
uint32_t lanes_find(struct lanes *l, uint32_t track, uint32_t disp);
/* Next entry of kind LANE_ROW from `at` in direction +1 or -1; `at` itself when there is none. */
uint32_t lanes_step(const struct lanes *l, uint32_t at, int direction);
/* What stands in front of the lane, in buf. */
const char *lane_label(const struct lanes *l, uint32_t at, char *buf, size_t size);
#endif
