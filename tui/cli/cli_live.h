/* tui/cli/cli_live.h - of cli_run.c, for the commands that open the explorer. */
#ifndef STEPSCOPE_CLI_LIVE_H
#define STEPSCOPE_CLI_LIVE_H
#include "cli.h"
#include "tui/app/app.h"

bool cli_app_opts(const struct cli *c, struct app_opts *o, char word[static 128], struct err *e);
bool cli_has_screen(void);
bool cli_is_utf8(void);
#endif
