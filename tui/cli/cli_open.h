/* tui/cli/cli_open.h - from the command line to a trace with its overlay: opens, derives, says on stderr how far it is. */
#ifndef STEPSCOPE_CLI_OPEN_H
#define STEPSCOPE_CLI_OPEN_H
#include "cli.h"
#include "model/analysis/compare/job_rank.h"
#include "model/store/files/output.h"
#include "tui/tables/table_write.h"
#include "tui/text/window.h"

#define CLI_TABLE_FORMATS "text csv json jsonl md"
struct opened {
	struct derived *d;     /* owns the trace */
	struct derived *whole; /* with --rank: what d is one rank of; else NULL */
	struct job_rank rank;
	bool shares; /* d and whole belong to another one */
	struct window window;
	struct filter *filter; /* NULL = all */
	char window_word[128];
};
/* Wrong options are found before the import starts wherever they can be. */
bool opened_new(struct opened *o, const struct cli *c, struct err *e);
void opened_free(struct opened *o);
/* What stands beside it: --vs, or of the same trace --vs-rank, --vs-step, --vs-window. */
bool cli_has_after(const struct cli *c);
/* That: the trace that --vs names, else `before` again, which must stay open longer. */
bool opened_after(struct opened *o, const struct opened *before, const struct cli *c, struct err *e);
bool cli_same_trace(const struct cli *c); /* it is of the same trace */
/* The command as it is for the run after, of that path. */
struct cli cli_for_after(const struct cli *c, const char *const *path);
/* What people call it: the file, its rank, its window. In `mem`. */
const char *opened_label(const struct opened *o, const char *path, struct arena *mem);
/* Options that only make sense together; before the import. */
bool cli_after_fits(const struct cli *c, struct err *e);
struct derived_opts cli_derived_opts(const struct cli *c);
/* --window, or --step and --gap as a window's word; NULL = the whole trace. buf: at least 128 bytes. */
const char *cli_window_word(const struct cli *c, char *buf, size_t size);
/* The trace alone, and what every command ends with. */
struct trace *cli_open_trace(const struct cli *c, struct err *e);
int cli_settle(const struct cli *c, const struct trace *t); /* exit code; tells on stderr when something was lost */
/* cli_export.c: `table --all`; gives the exit code */
int cli_all_tables(const struct cli *c, struct err *e);
/* --format and --spreadsheet of `what` ("a table"); without them *f stays. */
bool cli_table_format(const struct cli *c, const char *what, enum table_format *f, struct err *e);
/* Every operand is a summary (summarize); and its table of that name, merged where there are several. human: as a person reads it. */
bool cli_of_summary(const struct cli *c);
int cli_summary_open(const struct cli *c, struct err *e); /* in the explorer; exit code */
struct table *cli_summary_table(const struct cli *c, const char *name, bool human, struct arena *mem, struct err *e);
unsigned cli_output_flags(const struct cli *c); /* of output.h, for when cli_may_write has agreed */
/* Before minutes of work: -o, when given, can be written, as output_check has it, and is no file that is read; flags: more of
 * output.h. */
bool cli_may_write(const struct cli *c, unsigned flags, struct err *e);
bool cli_may_replace(const struct cli *c, unsigned flags, struct err *e); /* or is: for what keeps all that it reads */
/* The second half of it: `file` is neither a trace that is opened nor one beside it, by whatever name. NULL = none. */
bool cli_spares_input(const struct cli *c, const char *file, struct err *e);
bool cli_number(const struct cli *c, enum cli_option o, uint32_t *out,
		struct err *e); /* 1 .. UINT32_MAX; absent: as is */
#endif
