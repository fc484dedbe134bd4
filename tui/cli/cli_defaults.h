/* tui/cli/cli_defaults.h - options that a user wants every time: the file `options` of the directory of configuration (text/config.h).
 * A line is "[COMMAND] OPTION [VALUE]": "theme light", "table names full", "report ascii"; blank lines and those that begin with # count for
 * nothing. What is typed comes before it; a line for another command is passed over. */
#ifndef STEPSCOPE_CLI_DEFAULTS_H
#define STEPSCOPE_CLI_DEFAULTS_H
#include "cli.h"

/* Fills values of `c` that nobody typed; they stay as long as the program runs. False with a usage error that names file and line. No file: nothing. */
bool cli_defaults(struct cli *c, struct err *e);
#endif
