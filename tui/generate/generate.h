/* tui/generate/generate.h - the manual page and the completions of the shells, made at build time from templates and the
 * program's own lists (commands, options, tables, keys, formats, what can be recorded). Only the build runs it.
 * Template: text with marks, @NAME@ or @NAME WORD@; where one stands, what its function writes takes its place. Anything else
 *           between two @ is text.
 * Errors:   a function that finds no such command or option fills `why`; the build then stops. */
#ifndef STEPSCOPE_GENERATE_H
#define STEPSCOPE_GENERATE_H
#include "tui/cli/cli.h"

struct page {
	FILE *out;
	bool has_option[OPT_COUNT], has_command[CMD_COUNT]; /* those that have their place in the manual */
	char why[160];
};
struct mark {
	const char *name;
	void (*write)(struct page *p, const char *word); /* word: "" when the mark has none */
	bool lines; /* writes whole lines, or none: the end of its own line goes with the mark */
};
/* Each list ends with a row without a name. */
extern const struct mark manual_marks[], shell_marks[], bash_marks[], zsh_marks[], fish_marks[];

enum { WORDS_BYTES = 1024 };
/* The option means something after this command; OPEN also has what goes with --version. */
bool option_is_of(enum cli_option o, enum cli_command command);
/* "report table": the commands of a template's list, OPEN left out. */
void put_commands(FILE *out, const char *between);
#endif
