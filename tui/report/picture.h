/* tui/report/picture.h - the lanes of a window as boxes in time, before anybody decides on pixels or characters.
 * Lanes:   of more than two devices that work one row each, and of one of them what follows; step markers; per device its steps, streams and the op lanes under them; the launching threads with their
 *          nesting; in a gap the busiest other threads. What was left out is said in `left_out`.
 * Size:    never more than PICTURE_BOXES boxes: what is narrower than a column is folded into runs that carry how much of
 *          them is covered and how many events they stand for; columns get coarser until the budget holds.
 * Python frames are left out of nesting when a thread has anything else: they would push the ops out of sight. */
#ifndef STEPSCOPE_REPORT_PICTURE_H
#define STEPSCOPE_REPORT_PICTURE_H
#include "tui/tables/scrub.h"
#include "tui/text/window.h"

/* clang-format off */
/*   id         css  colour    legend */
#define PAINTS(_) \
	_(COMPUTE,    "k", 0x3f74b5, "kernel") \
	_(COLLECTIVE, "l", 0x8a55b3, "collective") \
	_(H2D,        "i", 0x2e9363, "copy host to device") \
	_(D2H,        "o", 0xcf7a22, "copy device to host") \
	_(COPY,       "d", 0xa8902a, "other copy") \
	_(MEMSET,     "m", 0x75808d, "memset") \
	_(RANGE,      "g", 0x5f86b3, "range on the device") \
	_(OP,         "p", 0x26868c, "framework op") \
	_(RUNTIME,    "r", 0xb8586c, "CUDA/HIP call") \
	_(ANNOTATION, "a", 0x667a96, "annotation") \
	_(PYTHON,     "y", 0x97894b, "Python") \
	_(OTHER,      "t", 0x7c7f86, "other host event") \
	_(STEP,       "s", 0x58677a, "step")
/* clang-format on */
enum paint {
#define PAINT_ENUM(id, css, colour, legend) PAINT_##id,
	PAINTS(PAINT_ENUM)
#undef PAINT_ENUM
		PAINT_COUNT
};
struct paint_info {
	const char *css; /* class of its boxes */
	uint32_t colour; /* 0xRRGGBB, carries white text on light and dark pages */
	const char *legend;
};
/* The row of the paint in the list. */
const struct paint_info *paint_info(enum paint p);

enum { PICTURE_BOXES = 4000, PICTURE_COLS = 800, FINE_COLS = 6400, LANE_ROWS = 6, PICTURE_LANES = 40 };
#define STEP_WORD "step " /* before the number, in names of boxes */
struct box {
	int64_t a_ns, b_ns; /* clipped to the picture */
	const char *name;   /* of the event, or of the longest one of a run; clean text */
	int64_t dur_ns;     /* whole duration of the event; covered time of a run */
	uint32_t count;     /* 1: an event; more: a run of folded ones; 0: a stretch of which dur_ns is covered */
	uint8_t paint, shade,
		level; /* shade 0..3 by name; level 1..4: quarters of the run that are covered, 4 for events */
};
struct boxes {
	struct box *at;
	uint32_t n;
};
struct lane {
	const char *group, *label; /* "GPU 0", "stream 7": the group is set on its first lane only */
	uint32_t n_rows, hidden_rows;
	struct boxes rows[LANE_ROWS];
	bool host;
};
struct picture {
	int64_t a_ns, b_ns; /* what is drawn */
	uint32_t cols;      /* events narrower than one of these are folded */
	bool marked;
	int64_t mark_a_ns, mark_b_ns; /* the focus gap, clipped to what is drawn */
	const char *mark[2];          /* its length; its cause */
	const struct lane *lanes;
	uint32_t n_lanes;
	bool paints[PAINT_COUNT]; /* those that occur */
	const char *left_out;     /* one sentence, "" = nothing */
};
struct picture_req {
	const struct derived *d;
	const struct window *window;
	const struct gap *focus;   /* the gap to mark, NULL = none */
	const char *mark[2];       /* what to write on it, NULL = nothing */
	const struct scrub *scrub; /* names become hashes; NULL: they stay as recorded */
	bool zooms;                /* somebody can look closer: finer columns where they are few boxes */
};
/* The lanes of the window; everything lies in `mem`. */
struct picture *picture_new(const struct picture_req *r, struct arena *mem);
#endif
