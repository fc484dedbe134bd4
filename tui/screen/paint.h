/* tui/screen/paint.h - the bytes that turn what a terminal shows into another surface, as few as may be.
 * Terminal: one that speaks ECMA-48 (ESC [ ...); `paint_caps` tells what of it. No curses and no file in here: bytes come out.
 * Ways:     cells that stay are skipped; runs of blanks are erased; rows, and columns within rows, that only moved are shifted by the
 *           terminal where that takes fewer bytes.
 * Life:     zero-initialise -> paint_start -> paint_frame any number of times -> paint_free. One thread. */
#ifndef STEPSCOPE_PAINT_H
#define STEPSCOPE_PAINT_H
#include "surface.h"
#include "theme.h"

enum term_depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_RGB };
struct paint_caps {
	enum term_depth depth;
	bool erases_colored;  /* what is erased gets the background of the moment */
	bool erase_cells;     /* ECH */
	bool shift_cells;     /* ICH and DCH */
	bool shift_lines;     /* DECSTBM with IL and DL */
	bool sync;            /* mode 2026: a frame appears at once */
	bool last_cell_wraps; /* writing the last cell of the last row scrolls: it stays empty */
};
/* A cell as the terminal shows it. */
struct painted {
	uint64_t marks;
	uint32_t cp;
	uint32_t look; /* number of a style in `paint.styles` */
};
enum { PAINT_LOOKS = 640 };
struct paint {
	struct paint_caps caps;
	char *out; /* the bytes of this frame: n of them */
	size_t n, cap;
	int rows, cols;
	struct painted *shown, *wanted; /* rows x cols */
	struct painted *moved;          /* the same, and one row more, to try shifts */
	bool known;                     /* `shown` is what the terminal shows */
	int y, x;                       /* the terminal's cursor; y < 0: not known */
	struct style pen;               /* the style it writes in, when pen_known */
	bool pen_known;
	struct style styles[PAINT_LOOKS];
	uint32_t n_styles;
	uint32_t look_of[INK_COUNT][16], blank_of[INK_COUNT][16]; /* by ink and pen */
	bool looks_ready;
};

void paint_start(struct paint *p, struct paint_caps caps);
void paint_free(struct paint *p);
/* Other colours from now on; the next frame is sent whole. */
void paint_theme_changed(struct paint *p);
void paint_forget(struct paint *p); /* the next frame is sent whole */
/* Makes `out` the bytes for this surface; none when nothing changed. */
void paint_frame(struct paint *p, const struct surface *s, const struct theme *t);

/* ---- for paint_shift.c ---- */
bool painted_same(const struct painted *a, const struct painted *b);
/* By how many rows which part of the screen has moved; at = -1: none did that is worth it. Lines [at, at + h) move up by d, or down
 * by -d. */
struct row_shift {
	int at, h, d;
};
struct row_shift paint_row_shift(const struct paint *p);
/* By how many columns the contents of rows have moved to the left (negative: to the right), 0 = not. */
int paint_column_shift(const struct paint *p);
#endif
