/* tui/report/overview_text.h - a trace on one screen of text: busy share, steps, gaps, kernels, notes, and what to do next.
 * At most 80 columns. Same numbers as the tables, printed by the same functions. */
#ifndef STEPSCOPE_OVERVIEW_TEXT_H
#define STEPSCOPE_OVERVIEW_TEXT_H
#include "tui/text/window.h"
#include <stdio.h>

struct overview_req {
	const struct derived *d;
	struct window window;
	const char *const *paths;
	int n_paths;
	const char *program;
	bool ascii;
	bool all_steps; /* means are of all steps, not of the steady ones alone */
};
bool overview_text(const struct overview_req *r, FILE *out, struct err *e);
#endif
