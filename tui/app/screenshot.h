/* tui/app/screenshot.h - the explorer without a terminal: some keys, then the screen as a file. */
#ifndef STEPSCOPE_SCREENSHOT_H
#define STEPSCOPE_SCREENSHOT_H
#include "tui/explorer/app_opts.h"

struct screenshot {
	const char *file; /* .svg, .ans or .txt, see shot.h */
	const char *
		keys; /* key words of keymap.h separated by blanks; other words are typed into an input line; NULL = none */
	int rows, cols;
	bool mono;
};
/* "100x30" into columns and rows; false with a usage error when it is no size or one that no screen has. */
bool screenshot_size(struct screenshot *s, const char *text, struct err *e);
/* Draws d as o says, after the keys. Tables are made at once, by this thread. A usage error when a word names no key and no input
 * line is open, or a key does nothing where it is pressed. */
bool screenshot_write(const struct screenshot *s, const struct app_opts *o, const struct derived *d, struct err *e);
#endif
