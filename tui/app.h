/* tui/app.h - the explorer: one loop, panes, keys. Everything it shows comes from analyses; it decides no number. */
#ifndef STEPSCOPE_APP_H
#define STEPSCOPE_APP_H
#include "../model/analysis/derived.h"

enum color_mode { COLOR_AUTO, COLOR_NEVER, COLOR_8, COLOR_16, COLOR_256, COLOR_TRUECOLOR };
struct feed;
struct app_opts {
	const char *const *paths; /* as the user named them; opened on a worker thread */
	int n_paths;
	struct derived_opts derived;
	enum color_mode color;
	const char *theme; /* NULL: "dark" */
	bool ascii, no_mouse, force, redact;
	bool spreadsheet;         /* CSV that no spreadsheet runs */
	bool cache;               /* see importers/open.h */
	unsigned threads;         /* same */
	struct feed *feed;        /* traces come from here instead of from `paths`; NULL = they do not */
	const char *start_window; /* --window text to begin with, NULL = whole trace */
	/* How the program was called, for "the command to reproduce" in exported reports. */
	const char *program;
};
/* Runs until the user quits. Returns the exit code (0, or 3/4 as the import says); fills e when the import failed. */
int app_run(const struct app_opts *o, struct err *e);
#endif
