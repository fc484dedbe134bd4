/* tui/lanes/lanes.h - the timeline from top to bottom as a list: one entry per display row, devices first.
 * Order:   each device: its name with its own busy time, its streams, under each stream lanes of ops and scopes made from its
 *          kernels (op_lane.h), the op and annotation lanes that belong to it, after the last one its memory where allocations of it
 *          are recorded; then each process: the thread that launches most device work first, then the others, after the last one its
 *          memory where the trace has allocations of the host only.
 * Folding: a track shows at most some rows until it is unfolded, its first ones or those around the row that is asked for; they
 *          say how many more there are. Rows of wrappers and specks are summed up (lane_rows.h).
 *          Where the screen has room left, streams are two cells high, all folded tracks show more rows alike, and scopes have
 *          their lanes.
 *          What tells of the recording itself (spans of the profiler, global instants) is one lane at the end.
 * Groups:  more than two devices that work are one row each, which can be selected and unfolded to the streams and the host
 *          threads of its process (lane_groups.h).
 * User:    hides tracks, pins them above all others, moves them among those of their device or process, and devices and
 *          processes among their like.
 * Life:    lanes_init -> lanes_build any number of times -> lanes_free. The trace must outlive it. */
#ifndef STEPSCOPE_LANES_H
#define STEPSCOPE_LANES_H
#include "lane_groups.h"
#include "lane_rows.h"
#include "op_lane.h"

/* LANE_MEMORY: of the device as a whole, of no track; LANE_HOST_MEMORY: of the process. LANE_LOWER: the lower half of the stream's row above it. Rows can be selected, and devices where they are groups: lane_selects. */
enum lane_kind { LANE_DEVICE, LANE_PROCESS, LANE_ROW, LANE_LOWER, LANE_OP, LANE_MEMORY, LANE_HOST_MEMORY };
struct lane {
	enum lane_kind kind : 8;
	enum row_look look : 8;
	bool under;     /* belongs to the stream above it */
	bool tall;      /* two cells high */
	uint32_t owner; /* device or process */
	uint32_t
		track; /* LANE_ROW; LANE_OP: the stream; LANE_DEVICE of a group: the stream whose events are picked there */
	uint32_t disp;     /* LANE_ROW: display row of the track; LANE_OP: level */
	uint16_t hidden;   /* rows of the track that are folded away below this one */
	uint16_t above;    /* rows of the track that are folded away above, told by its second lane */
	uint32_t count;    /* display rows that it stands for */
	uint32_t gathered; /* tracks of the recorder's own that it stands for; 0 = it is its track's */
};
/* A display row that is asked for: where its track is folded, it shows the rows around this one. */
struct lane_ask {
	uint32_t track, disp; /* track NONE_ID: none */
	uint32_t device;      /* this one and the track's process stand first; NONE_ID: all in their order */
};
struct lanes {
	const struct derived *d;
	struct lane *at;
	uint32_t n, cap;
	uint32_t room;   /* rows of the screen that want to be filled */
	uint32_t deeper; /* rows a folded track shows beyond the usual ones */
	uint32_t *first_of_device,
		*first_of_process; /* its first track; the latter with a place for no process at last */
	/* From top to bottom. A device's tracks, and a process's, share the places that the trace has them at. */
	uint32_t *order, *devices, *processes;
	bool moved;        /* the user has changed that */
	bool *unfolded;    /* per track */
	bool *recorders;   /* per track: it tells of the recording itself */
	bool *memory;      /* per device: it has a row of its memory */
	bool *host_memory; /* per process */
	bool apart;        /* specks are not summed up */
	bool left_out;     /* lanes of ops that there was no room for */
	bool tall;         /* streams are two cells high */
	int64_t col_ns;    /* what a column of the screen holds; 0: nothing is a speck */
	bool *shut;        /* per track: hidden by the user */
	uint32_t *pins;    /* tracks that stand above all others, in this order */
	uint32_t n_pins;
	struct lane_ask ask, built; /* what is asked for, and what was when they were built */
	struct frame_rules *frames;
	struct lane_rows rows;
	struct shown_row *shown; /* room for the rows of any track */
	double *sample_max;   /* per track; 0 where there are no samples above it; NULL where no track is a counter's */
	struct op_lanes *ops; /* per track up to the last stream: lanes_ops */
	uint32_t n_ops;
	struct phases *phases;
	struct lane_groups groups;
};
enum { DISP_GROUP = UINT16_MAX }; /* as display row: the row of the group that the track belongs to */
static inline bool lane_selects(const struct lane *l)
{
	return l->kind == LANE_ROW || (l->kind == LANE_DEVICE && l->track != NONE_ID);
}

/* What the track's kernels say of their ops; nothing where it is no stream. */
const struct op_lanes *lanes_ops(const struct lanes *l, uint32_t track);
/* Rules of the user that are wrong leave the built-in ones, with false and the line in `e`. */
bool lanes_init(struct lanes *l, const struct derived *d, struct err *e);
void lanes_build(struct lanes *l);
void lanes_fill(struct lanes *l, uint32_t room); /* builds for a screen of another height */
void lanes_free(struct lanes *l);
/* Builds for columns of another length, or another row that is asked for; false: nothing changes by that. */
bool lanes_look(struct lanes *l, int64_t col_ns, struct lane_ask ask);
bool lanes_recorders_open(const struct lanes *l); /* tracks that tell of the recording itself are shown one by one */
void lanes_toggle(struct lanes *l, uint32_t track);
/* Hides a track, or all that share its device or process; false: it would leave no lane. */
bool lanes_hide(struct lanes *l, uint32_t track, bool all_of_owner);
uint32_t lanes_show_all(struct lanes *l); /* how many tracks were hidden */
/* Puts a track above all others, after those that are there already; takes it back when it is one. True: it is pinned now. */
bool lanes_pin(struct lanes *l, uint32_t track);
bool lanes_pinned(const struct lanes *l, uint32_t track);
enum lanes_moved { MOVED_NOTHING, MOVED_TRACK, MOVED_OWNER };
/* Moves a track by one (direction 1: down) among those of its device or process that are shown, else, or when `whole` says so, that device
 * or process; a pinned track among the pins. What was brought together for a gap stands in its order again. */
enum lanes_moved lanes_move(struct lanes *l, uint32_t track, bool whole, int direction);
/* Orders by rank, the lowest first; where ranks are equal nothing changes. NULL: as they are. Not those of groups. */
void lanes_sort(struct lanes *l, const uint32_t *tracks, const uint32_t *devices, const uint32_t *processes);
/* The order they have at first; lanes_init calls it. */
void lanes_sort_anew(struct lanes *l);
/* As at first: nothing hidden, pinned, moved or unfolded. */
void lanes_forget(struct lanes *l);
bool lanes_folds(const struct lanes *l, uint32_t track); /* has rows that `z` would show or fold */
/* The entry that shows a display row; asks for the row when it is hidden. NONE_ID when the track is empty. */
uint32_t lanes_find(struct lanes *l, uint32_t track, uint32_t disp);
/* The entry that stands for a display row, as the lanes are; else the nearest one of its track; NONE_ID when it has none. */
uint32_t lanes_cover(const struct lanes *l, uint32_t track, uint32_t disp);
/* Unfolds the group that the track belongs to; true: it was folded. */
bool lanes_open_group(struct lanes *l, uint32_t track);
/* The number of the display row by which the entry is found again: its own, or DISP_GROUP. */
uint32_t lanes_disp(const struct lanes *l, uint32_t at);
/* Next entry that can be selected from `at` in direction +1 or -1; `at` itself when there is none. */
uint32_t lanes_step(const struct lanes *l, uint32_t at, int direction);
/* What stands in front of the lane, in buf. */
const char *lane_label(const struct lanes *l, uint32_t at, char *buf, size_t size);
/* The same in at most `cols` columns: of a label that is cut, the part stays that tells it from the lanes beside it. */
const char *lane_label_fit(const struct lanes *l, uint32_t at, int cols, char *buf, size_t size);
#endif
