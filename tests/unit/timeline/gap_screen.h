/* tests/unit/timeline/gap_screen.h - the explorer without a terminal over the guide's large gap between steps 8 and 9: keys go in,
 * the screen comes out as text. Device work 7 [0,100) 8 [102,202) 9 [262,362) 10 [364,464), IteratorGetNext [203,258), times in ms.
 * start() and stop() around each test. */
#ifndef GAP_SCREEN_H
#define GAP_SCREEN_H
#include "tests/unit/derive_trace.h"
#include "tests/unit/scenes.h"
#include "tests/unit/surface_dump.h"
#include "tui/explorer/state.h"
#include <stdlib.h>

static struct derived *d;
static struct state *st;
static struct surface screen;
static struct app_opts opts = {.program = "stepscope"};
static const char *const paths[] = {"made.trace"};

static inline int start(void **state)
{
	(void)state;
	struct build b = scene_gap();
	op(&b, 1, "IteratorGetNext", 203 * MILLI, 55 * MILLI);
	d = derive(&b);
	opts.paths = paths;
	opts.n_paths = 1;
	st = state_new(&opts, d, -1, true);
	state_resize(st, 24, 80);
	return 0;
}

static inline int stop(void **state)
{
	(void)state;
	state_free(st);
	derived_free(d);
	return 0;
}

static inline void type(const char *keys)
{
	for (; *keys; keys++)
		state_key(st, (unsigned char)*keys);
}

static inline void draw(void)
{
	surface_resize(&screen, st->rows, st->cols);
	state_draw(st, &screen);
}

static inline char *picture(void)
{
	draw();
	return surface_dump(&screen);
}

static inline void screen_says(const char *text)
{
	draw();
	surface_says(&screen, text);
}

static inline void screen_keeps_quiet_about(const char *text)
{
	draw();
	surface_keeps_quiet_about(&screen, text);
}

#endif
