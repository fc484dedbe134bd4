/* tui/cli/cli_live.h - of cli_run.c, for the commands that open the explorer. */
#ifndef STEPSCOPE_CLI_LIVE_H
#define STEPSCOPE_CLI_LIVE_H
#include "cli.h"
#include "tui/app/app.h"

/* The options of c as the explorer takes them; `word` receives --window's, --step's or --gap's word. False with a usage error. */
bool cli_app_opts(const struct cli *c, struct app_opts *o, char word[static 128], struct err *e);
bool cli_has_screen(void); /* stdout is a terminal that the explorer can draw on */
/* --screenshot: opens the trace, writes the screen, returns the exit code. Without it: false when an option asks for a part of it. */
int cli_shot(const struct cli *c, struct err *e);
bool cli_shot_alone(const struct cli *c, struct err *e);
#endif
