/* tui/app/app.h - the explorer: one loop, panes, keys. Everything it shows comes from analyses; it decides no number. */
#ifndef STEPSCOPE_APP_H
#define STEPSCOPE_APP_H
#include "tui/explorer/app_opts.h"

/* Runs until the user quits. Returns the exit code (0, or 3/4 as the import says); fills e when the import failed. */
int app_run(const struct app_opts *o, struct err *e);
/* The same with two runs beside each other. Their traces are the caller's and outlive it. */
struct diff_run;
int app_compare(const struct app_opts *o, const struct diff_run *a, const struct diff_run *b, struct err *e);
#endif
