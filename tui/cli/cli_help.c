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
		 "%s of them packed with gzip or zstd, a directory of such files, a file that pack wrote, or - for "
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
		 1u << command & cli_option(OPT_OUTPUT)->where ? ", 5 output not written as asked" : "");
	fputc('\n', out);
	put_wrapped(out, text, 0, 0);
}

void cli_help(FILE *out, const struct cli *c)
{
	const struct cli_command_info *info = cli_command(c->command);
	if (c->command == CMD_OPEN) {
		put_commands(out, c->program);
	} else {
		fprintf(out, "Usage: %s %s [OPTION]...%s%s\n\n", c->program, info->word, *info->operands ? " " : "",
			info->operands);
		put_wrapped(out, info->help, 0, 0);
	}
	put_options(out, c->command);
	if (c->command == CMD_OPEN || c->command == CMD_TABLE)
		put_tables(out);
	if (c->command == CMD_FINDINGS)
		put_rules(out);
	fprintf(out, "\nExamples:\n%s", info->examples);
	if (info->takes == TAKES_TRACES || info->takes == TAKES_TABLE_AND_TRACES)
		put_what_traces_are(out);
	put_exit_codes(out, c->command);
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
	const char *tables[64], *formats[16];
	uint32_t n = analysis_names(tables, 64);
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
