/* tui/app/start.h - the first screen when no trace was named: which one? State and picture; app.c has keys and terminal. */
#ifndef STEPSCOPE_START_H
#define STEPSCOPE_START_H
#include "found.h"
#include "tui/keys/keymap.h"
#include "tui/screen/mouse.h"
#include "tui/screen/surface.h"

struct start {
	const struct found_list *list;
	size_t row, top; /* the chosen one, and the first one on the screen */
};
/* What a key of SCOPE_START does. The path to open, NULL while none is chosen; *leave when that was asked for. */
const char *start_act(struct start *s, enum action a, bool *leave);
/* A click chooses the row at y, a second one opens it, the wheel goes up and down; answers like start_act. */
const char *start_mouse(struct start *s, enum mouse_what what, int y);
/* Brings the chosen row into view, too. */
void start_draw(struct start *s, struct surface *screen);
#endif
