/* tests/unit/screen_of.h - the explorer over a little trace, without a terminal: keys go in, the screen comes out as text.
 * screen_open -> screen_type, screen_line, screen_cell, ... -> screen_close. One at a time. */
#ifndef SCREEN_OF_H
#define SCREEN_OF_H
#include "tests/unit/derive_trace.h"
#include "tests/unit/surface_dump.h"
#include "tui/explorer/timeline_layout.h"
#include <stdlib.h>

static struct derived *screen_d;
static struct state *screen_st;
static struct surface screen_now;

static inline void screen_open(struct build *b, int rows, int cols)
{
	static const char *const paths[] = {"made.trace"};
	static const struct app_opts opts = {.program = "stepscope", .paths = paths, .n_paths = 1};
	screen_d = derive(b);
	screen_st = state_new(&opts, screen_d, -1, true);
	state_resize(screen_st, rows, cols);
}
static inline void screen_close(void)
{
	state_free(screen_st);
	derived_free(screen_d);
	surface_free(&screen_now);
	screen_now = (struct surface){0};
}
static inline void screen_type(const char *keys)
{
	for (; *keys; keys++)
		state_key(screen_st, (unsigned char)*keys);
}
static inline void screen_draw(void)
{
	surface_resize(&screen_now, screen_st->rows, screen_st->cols);
	state_draw(screen_st, &screen_now);
}
/* Line of the screen from the top; negative counts from the bottom. Without trailing blanks. */
static inline const char *screen_line(int y)
{
	screen_draw();
	return surface_line(&screen_now, y);
}
/* The screen's row of the first lane whose label begins so (a blank in front is left out). */
static inline int screen_lane(const char *label)
{
	struct timeline_layout l = timeline_layout(screen_st);
	for (int y = l.y_lanes; y < l.y_lanes + l.h_lanes; y++) {
		const char *line = screen_line(y);
		if (strncmp(line + (*line == ' '), label, strlen(label)) == 0)
			return y;
	}
	fail_msg("no lane %s on the screen", label);
	return -1;
}
/* Code point of the column of the time axis that shows the moment, in this row. */
static inline uint32_t screen_at(int y, double at_us)
{
	struct timeline_layout l = timeline_layout(screen_st);
	screen_draw();
	return surface_at(&screen_now, y, l.x + (int)viewport_col_of(&screen_st->view.port, US(at_us)))->cp;
}
static inline void screen_select(const char *name)
{
	screen_type("2");
	nav_event(screen_st, row_named(screen_st->t, name));
	state_resize(screen_st, screen_st->rows, screen_st->cols); /* what is selected is followed */
}
#endif
