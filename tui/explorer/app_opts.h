/* tui/explorer/app_opts.h - what the command line asks of the explorer. Texts belong to the caller and outlive it. */
#ifndef STEPSCOPE_APP_OPTS_H
#define STEPSCOPE_APP_OPTS_H
#include "model/analysis/derived/derived.h"
#include "tui/screen/theme.h"

struct feed;
struct summary;
struct app_opts {
	const char *const *paths; /* as the user named them; opened on a worker thread */
	int n_paths;              /* 0: the user chooses one first */
	const char *capture;      /* the trace that names their graphs, NULL = none was given */
	struct derived_opts derived;
	enum color_mode color;
	const char *theme; /* NULL: "dark" */
	bool ascii, no_mouse, force, redact;
	bool remember;                 /* hints of the first start, list of what was opened: remember.h */
	bool all_steps;                /* means are of all steps, not of the steady ones alone */
	bool spreadsheet;              /* CSV that no spreadsheet runs */
	bool cache;                    /* see importers/open.h */
	unsigned threads;              /* same */
	const struct summary *summary; /* shown instead of a trace: a few tables and no timeline; NULL = none */
	struct feed *feed;             /* traces come from here instead of from `paths`; NULL = they do not */
	const char *start_window;      /* --window text to start with, NULL = whole trace */
	/* How the program was called, for "the command to reproduce" in exported reports. */
	const char *program;
};
#endif
