/* tui/screen/surface.h - a screen without a terminal: a grid of cells that panes draw into and tests read as text.
 * Cells:   one code point with up to three combining marks, an ink (colour role, see theme.h) and pen flags. A wide character
 *          owns the cell after it. A mark that nothing stands before gets a dotted circle to stand on.
 * Clip:    everything outside the grid is dropped silently; panes may draw without checking.
 * Safety:  text goes through utf8.h, so no control character or broken UTF-8 can get in.
 * Life:    zero-initialise -> surface_resize -> surface_free. One thread. */
#ifndef STEPSCOPE_SURFACE_H
#define STEPSCOPE_SURFACE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum pen {
	PEN_BOLD = 1,
	PEN_REVERSE = 2,
	PEN_UNDERLINE = 4,
	PEN_SHAPE = 8, /* the glyph is a piece of a bar: drawn in the ink's background colour on the screen's ground */
};
struct rect {
	int y, x, h, w;
};
struct surface_cell {
	uint64_t marks; /* combining marks, 21 bits each, the first one lowest */
	uint32_t cp;    /* 0 = right half of a wide character */
	uint8_t ink, pen;
	uint16_t press; /* the key that a click here presses, see surface_button; 0 = none */
};
enum { MARK_BITS = 21, CELL_TEXT_BUF = 17 };
struct surface {
	int rows, cols;
	bool ascii; /* replace what is not ASCII by stand-ins */
	struct surface_cell *cells;
};

void surface_resize(struct surface *s, int rows, int cols); /* also clears */
void surface_free(struct surface *s);
void surface_clear(struct surface *s);
const struct surface_cell *surface_at(const struct surface *s, int y, int x); /* NULL outside */

/* A character and its marks as UTF-8, "" for the right half of a wide one; returns bytes. */
size_t cell_utf8(uint32_t cp, uint64_t marks, char out[CELL_TEXT_BUF]);

void surface_put(struct surface *s, int y, int x, uint32_t cp, int ink, int pen);
/* At most `w` columns from (y, x); a text that does not fit ends in an ellipsis. Returns the columns used. */
int surface_text(struct surface *s, int y, int x, int w, int ink, int pen, const char *text);
/* The same, flush right: the text ends at column x + w - 1. */
int surface_text_right(struct surface *s, int y, int x, int w, int ink, int pen, const char *text);
int surface_printf(struct surface *s, int y, int x, int w, int ink, int pen, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
void surface_fill(struct surface *s, struct rect r, uint32_t cp, int ink, int pen);
/* What is drawn in r can be clicked: the key that it stands for (keys.h). Drawing there again takes that away. */
void surface_button(struct surface *s, struct rect r, int key);
int surface_key_at(const struct surface *s, int y, int x);              /* 0 where nothing can be clicked */
void surface_paint(struct surface *s, struct rect r, int ink, int pen); /* colours only, glyphs stay */
#endif
