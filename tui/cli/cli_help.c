/* tui/cli/cli_help.c - --help and --version, written from the lists in cli.h. */
#include "cli.h"
#include "importers/importer.h"
#include "model/analysis/analysis.h"
#include "model/analysis/findings/findings.h"
#include "tui/text/put.h"
#include <string.h>

enum { HELP_COLS = 80, OPTION_COLS = 22 };

/* Words of `text` from column `indent` on, wrapped at HELP_COLS; the cursor stands at column `at`. */
static void put_wrapped(FILE *out, const char *text, int at, int indent)
{
	while (*text) {
		int n = (int)strcspn(text, " ");
		if (at > indent && at + 1 + n > HELP_COLS) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
		} else if (at > indent) {
			fputc(' ', out);
			at++;
		}
		fprintf(out, "%.*s", n, text);
		at += n;
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void put_entry(FILE *out, const char *left, const char *help)
{
	int n = fprintf(out, "  %-*s", OPTION_COLS - 2, left);
	if (n > OPTION_COLS) {
		fprintf(out, "\n%*s", OPTION_COLS, "");
		n = OPTION_COLS;
	}
	fprintf(out, "%*s", OPTION_COLS - n, "");
	put_wrapped(out, help, OPTION_COLS, OPTION_COLS);
}

static void put_option(FILE *out, const struct cli_option_info *o)
{
	char left[64], help[320];
	int n = 0;
	if (o->letter)
		n = snprintf(left, sizeof left, "-%c, ", o->letter);
	snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", o->word, o->arg ? " " : "", o->arg ? o->arg : "");
	bool closed = o->value == VALUE_CHOICE;
	snprintf(help, sizeof help, "%s%s%s", o->help, closed ? "; one of: " : "", closed ? o->words : "");
	put_entry(out, left, help);
}

static void put_options(FILE *out, enum cli_command command)
{
	fputs("\nOptions:\n", out);
	for (int i = 0; i < OPT_COUNT; i++)
		if (cli_option((enum cli_option)i)->where & (1u << command | WITH_VERSION))
			put_option(out, cli_option((enum cli_option)i));
}

static void put_commands(FILE *out, const char *program)
{
	for (int i = 0; i < CMD_COUNT; i++) {
		const struct cli_command_info *c = cli_command((enum cli_command)i);
		fprintf(out, "%s %s%s%s [OPTION]...%s%s\n", i ? "      " : "Usage:", program, *c->word ? " " : "",
			c->word, *c->operands ? " " : "", c->operands);
		fprintf(out, "           %s\n", c->help);
	}
}

static void put_tables(FILE *out)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	fputs("\nTables:\n", out);
	for (uint32_t i = 0; i < n; i++)
		put_entry(out, list[i]->name, list[i]->help);
}

static void put_rules(FILE *out)
{
	uint32_t n;
	const struct finding_rule *rules = finding_rules(&n);
	fputs("\nRules:\n", out);
	for (uint32_t i = 0; i < n; i++)
		put_entry(out, rules[i].word, rules[i].help);
}

static void put_what_traces_are(FILE *out)
{
	char text[512];
	unsigned n;
	const struct importer *const *list = importer_list(&n);
	int used = snprintf(text, sizeof text, "A trace is ");
	for (unsigned i = 0; i < n && used < 256; i++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%s, ", list[i]->what);
	snprintf(text + used, sizeof text - (size_t)used,
		 "%s of them packed with gzip or zstd, a directory or a zip or tar archive of such files, a file that "
		 "pack wrote, or - for "
		 "stdin. "
		 "A file named like a command is opened as ./table.",
		 n == 2 ? "either" : "any");
	fputc('\n', out);
	put_wrapped(out, text, 0, 0);
}

/* What each exit code means; NULL: not one of this command. The whole program's help tells all. */
static void put_exit_codes(FILE *out, enum cli_command command)
{
	char text[320];
	const struct cli_command_info *info = cli_command(command);
	bool is_target = info->takes == TAKES_COMMAND;
	snprintf(text, sizeof text, "Exit code: %s%s%s, 2 wrong usage%s%s.",
		 is_target ? "that of the command" : "0 fine", info->exit_1 ? ", " : "",
		 info->exit_1 ? info->exit_1 : "",
		 1u << command & IN_TRACES ? ", 3 unreadable input, 4 read only in part" : "",
		 command == CMD_OPEN || 1u << command & cli_option(OPT_OUTPUT)->where
			 ? ", 5 output not written as asked"
			 : "");
	fputc('\n', out);
	put_wrapped(out, text, 0, 0);
}

/* ---- who asks -------------------------------------------------------------------------------------------------------- */

static void help_all(FILE *out, const struct cli *c)
{
	const struct cli_command_info *info = cli_command(CMD_OPEN);
	put_commands(out, c->program);
	put_options(out, CMD_OPEN);
	put_tables(out);
	fprintf(out, "\nExamples:\n%s", info->examples);
	put_what_traces_are(out);
	put_exit_codes(out, CMD_OPEN);
}

/* What one begins with; the other tables and options are named, not told. */
static void help_first(FILE *out, const struct cli *c)
{
	static const char *const tables[] = {"overview", "steps", "idle_causes", "gaps",   "gap_groups",
					     "kernels",  "ops",   "launches",    "copies", "input"};
	static const enum cli_option first[] = {OPT_WINDOW, OPT_STEP,   OPT_GAP,  OPT_FORMAT,
						OPT_TOP,    OPT_OUTPUT, OPT_QUIET};
	const char *p = c->program;
	uint32_t n;
	analysis_list(&n);
	fprintf(out,
		"Usage: %s [OPTION]... [TRACE|DIR...]\n           %s\n       %s COMMAND [OPTION]... "
		"TRACE...\n\nCommands:\n",
		p, cli_command(CMD_OPEN)->help, p);
	for (int i = 1; i < CMD_DUMP; i++)
		put_entry(out, cli_command((enum cli_command)i)->word, cli_command((enum cli_command)i)->help);
	fprintf(out, "\nTables to begin with, of %u; '%s help NAME' explains the columns of one:\n", (unsigned)n, p);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		put_entry(out, tables[i], analysis_find(tables[i])->help);
	fputs("\nOptions of most commands:\n", out);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		put_option(out, cli_option(first[i]));
	fprintf(out,
		"\nExamples:\n  %s brief TRACE                    the main causes, what to do, and what to ask next\n  "
		"%s findings TRACE                 all findings, worst first, with advice\n  %s table gaps TRACE "
		"--sort -dur_ns --top 5   the longest idle times and their causes\n  %s report TRACE -o report.html    "
		"for a colleague\n\nMore: '%s help COMMAND', '%s help TABLE'; '%s --help all' lists everything.\n",
		p, p, p, p, p, p, p);
	put_exit_codes(out, CMD_OPEN);
}

static void help_table(FILE *out, const struct cli *c)
{
	const struct table_desc *t = analysis_find(c->name);
	const char *word;
	fprintf(out, "Usage: %s table %s [OPTION]... TRACE...\n\n", c->program, t->name);
	put_wrapped(out, t->help, 0, 0);
	for (unsigned i = 0; (word = analysis_by(t->name, i)); i++)
		fprintf(out, "%s%s", i ? ", " : "\n--by ", word);
	fputs(analysis_by(t->name, 0) ? "\n\nColumns:\n" : "\nColumns:\n", out);
	for (uint32_t i = 0; i < t->n_cols; i++)
		put_entry(out, t->cols[i].name, t->cols[i].help);
	fprintf(out, "\nOptions: '%s help table'.\n", c->program);
}

static void help_command(FILE *out, const struct cli *c)
{
	const struct cli_command_info *info = cli_command(c->command);
	fprintf(out, "Usage: %s %s [OPTION]...%s%s\n\n", c->program, info->word, *info->operands ? " " : "",
		info->operands);
	put_wrapped(out, info->help, 0, 0);
	put_options(out, c->command);
	if (c->command == CMD_TABLE)
		put_tables(out);
	if (c->command == CMD_FINDINGS)
		put_rules(out);
	fprintf(out, "\nExamples:\n%s", info->examples);
	if (info->takes == TAKES_TRACES || info->takes == TAKES_TABLE_AND_TRACES)
		put_what_traces_are(out);
	put_exit_codes(out, c->command);
}

void cli_help(FILE *out, const struct cli *c)
{
	if (c->name && analysis_find(c->name))
		help_table(out, c);
	else if (c->command != CMD_OPEN)
		help_command(out, c);
	else if (c->name)
		help_all(out, c);
	else
		help_first(out, c);
}

static void put_list(FILE *out, const char *key, const char *const *words, uint32_t n)
{
	fprintf(out, ",\"%s\":[", key);
	for (uint32_t i = 0; i < n; i++) {
		fputs(i ? "," : "", out);
		put_json(out, words[i]);
	}
	fputc(']', out);
}

/* words: separated by blanks */
static void put_words(FILE *out, const char *key, const char *words)
{
	char text[64];
	const char *list[16];
	uint32_t n = 0;
	snprintf(text, sizeof text, "%s", words);
	for (char *rest = NULL, *word = strtok_r(text, " ", &rest); word && n < 16; word = strtok_r(NULL, " ", &rest))
		list[n++] = word;
	put_list(out, key, list, n);
}

static void put_version_json(FILE *out)
{
	const char *tables[TABLE_COUNT], *formats[16];
	uint32_t n = analysis_names(tables, TABLE_COUNT);
	unsigned n_formats;
	const struct importer *const *importers = importer_list(&n_formats);
	for (unsigned i = 0; i < n_formats && i < 16; i++)
		formats[i] = importers[i]->name;
	fputs("{\"schema\":\"stepscope.version/1\",\"name\":\"stepscope\",\"version\":", out);
	put_json(out, VERSION);
	put_list(out, "import_formats", formats, n_formats < 16 ? n_formats : 16);
	put_words(out, "report_formats", cli_command(CMD_REPORT)->formats);
	put_list(out, "tables", tables, n);
	fputs("}\n", out);
}

void cli_version(FILE *out, const struct cli *c)
{
	if (cli_has(c, OPT_JSON))
		put_version_json(out);
	else
		fputs("stepscope " VERSION "\n", out);
}
