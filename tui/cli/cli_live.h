/* tui/cli/cli_live.h - the commands about running processes and watched folders. Each returns an exit code; run and record that
 * of their command. */
#ifndef STEPSCOPE_CLI_LIVE_H
#define STEPSCOPE_CLI_LIVE_H
#include "cli.h"
#include "tui/app/app.h"

int cli_watch(const struct cli *c, struct err *e);
int cli_target_run(const struct cli *c, struct err *e);
int cli_record(const struct cli *c, struct err *e);
int cli_attach(const struct cli *c, struct err *e);
int cli_trigger(const struct cli *c, struct err *e);
int cli_doctor(const struct cli *c, struct err *e);

/* Of cli_run.c, for those that open the explorer. */
bool cli_app_opts(const struct cli *c, struct app_opts *o, char word[static 128], struct err *e);
bool cli_has_screen(void);
bool cli_is_utf8(void);
#endif
