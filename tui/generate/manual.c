/* tui/generate/manual.c - what the manual page has from the lists: synopsis, heads of commands and options, keys, tables.
 * The words below a head stand in the template; what has no place there comes with @other-commands@ and @other-options@, with
 * the words of the help. */
#include "generate.h"
#include "model/filter.h"
#include "model/analysis/analysis.h"
#include "tui/explorer/state.h"
#include <ctype.h>
#include <string.h>

/* Text as troff takes it, also at the beginning of a line. */
static void put_roff(FILE *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++)
		if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '\'')
			fputs("\\(aq", out);
		else
			fputc(*text, out);
}

/* The help as a sentence. */
static void put_sentence(FILE *out, const char *help)
{
	char first[2] = {(char)toupper((unsigned char)*help), '\0'};
	put_roff(out, first);
	put_roff(out, help + 1);
	fputs(".\n", out);
}

/* ---- commands ----------------------------------------------------------------------------------------------------- */

/* "-o OUT -- COMMAND...": what the user chooses in italics, what stands there as it is in bold. */
static void put_operands(FILE *out, const char *text)
{
	while (*text) {
		size_t capitals = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
		       option = strspn(text, "-abcdefghijklmnopqrstuvwxyz");
		size_t n = capitals ? capitals : option ? option : 1;
		char word[64];
		snprintf(word, sizeof word, "%.*s", (int)n, text);
		fputs(capitals ? "\\fI" : option ? "\\fB" : "", out);
		put_roff(out, word);
		fputs(capitals || option ? "\\fR" : "", out);
		text += n;
	}
}

static void synopsis(struct page *p, const char *word)
{
	(void)word;
	for (int i = 0; i < CMD_COUNT; i++) {
		const struct cli_command_info *c = cli_command((enum cli_command)i);
		fprintf(p->out, "%s\\fBstepscope%s%s\\fR [\\fIOPTION\\fR]...%s", i ? ".br\n" : "", *c->word ? " " : "",
			c->word, *c->operands ? " " : "");
		put_operands(p->out, c->operands);
		fputc('\n', p->out);
	}
}

static void command_head(struct page *p, int command)
{
	fprintf(p->out, ".TP\n.B %s\n", cli_command((enum cli_command)command)->word);
	p->has_command[command] = true;
}

static void command(struct page *p, const char *word)
{
	for (int i = 1; i < CMD_COUNT; i++)
		if (!p->has_command[i] && strcmp(cli_command((enum cli_command)i)->word, word) == 0) {
			command_head(p, i);
			return;
		}
	snprintf(p->why, sizeof p->why, "there is no command '%s', or it stands here twice", word);
}

static void other_commands(struct page *p, const char *word)
{
	(void)word;
	for (int i = 1; i < CMD_COUNT; i++)
		if (!p->has_command[i]) {
			command_head(p, i);
			put_sentence(p->out, cli_command((enum cli_command)i)->help);
		}
}

static void examples(struct page *p, const char *word)
{
	(void)word;
	for (int i = 0; i < CMD_COUNT; i++)
		for (const char *line = cli_command((enum cli_command)i)->examples; *line;) {
			char text[160];
			size_t n = strcspn(line, "\n");
			snprintf(text, sizeof text, "%.*s", (int)n, line);
			put_roff(p->out, text + strspn(text, " "));
			fputc('\n', p->out);
			line += n + (line[n] == '\n');
		}
}

/* ---- options ------------------------------------------------------------------------------------------------------ */

static void option_head(struct page *p, int option)
{
	const struct cli_option_info *o = cli_option((enum cli_option)option);
	fputs(".TP\n", p->out);
	if (o->letter)
		fprintf(p->out, "\\fB\\-%c\\fR%s%s%s, ", o->letter, o->arg ? " \\fI" : "", o->arg ? o->arg : "",
			o->arg ? "\\fR" : "");
	fputs("\\fB\\-\\-", p->out);
	put_roff(p->out, o->word);
	fprintf(p->out, "\\fR%s%s%s\n", o->arg ? " \\fI" : "", o->arg ? o->arg : "", o->arg ? "\\fR" : "");
	p->has_option[option] = true;
}

static void option(struct page *p, const char *word)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (!p->has_option[i] && strcmp(cli_option((enum cli_option)i)->word, word) == 0) {
			option_head(p, i);
			return;
		}
	snprintf(p->why, sizeof p->why, "there is no option '%s', or it stands here twice", word);
}

static void other_options(struct page *p, const char *word)
{
	(void)word;
	for (int i = 0; i < OPT_COUNT; i++)
		if (!p->has_option[i]) {
			option_head(p, i);
			put_sentence(p->out, cli_option((enum cli_option)i)->help);
		}
}

/* ---- keys, tables, version ------------------------------------------------------------------------------------------ */

static void put_entry(FILE *out, const char *left, const char *help)
{
	fputs(".TP\n.B ", out);
	put_roff(out, left);
	fputc('\n', out);
	put_roff(out, help);
	fputc('\n', out);
}

static void keys_of(FILE *out, enum scope scope)
{
	size_t n;
	const struct key_binding *b = keymap(&n);
	const char *title = scope_title(scope);
	fprintf(out, ".SS %c%s\n.PD 0\n", toupper((unsigned char)*title), title + 1);
	for (size_t i = 0; i < n; i++)
		if (b[i].scope == scope && *b[i].help)
			put_entry(out, b[i].keys, b[i].help);
}

static void keys(struct page *p, const char *word)
{
	(void)word;
	keys_of(p->out, SCOPE_GLOBAL);
	for (int s = 0; s < SCOPE_COUNT; s++)
		if (s != SCOPE_GLOBAL)
			keys_of(p->out, (enum scope)s);
	fputs(".PD\n", p->out);
}

static void put_typed(void *out, const char *left, const char *help)
{
	put_entry(out, left, help);
}

/* What can be typed after ":" in the explorer. */
static void typed_commands(struct page *p, const char *word)
{
	(void)word;
	struct arena mem = {0};
	fputs(".PD 0\n", p->out);
	command_help(&mem, put_typed, p->out);
	fputs(".PD\n", p->out);
	arena_free(&mem);
}

static void settings(struct page *p, const char *word)
{
	(void)word;
	struct arena mem = {0};
	fputs(".PD 0\n", p->out);
	settings_help(&mem, put_typed, p->out);
	fputs(".PD\n", p->out);
	arena_free(&mem);
}

static void tables(struct page *p, const char *word)
{
	(void)word;
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		put_entry(p->out, list[i]->name, list[i]->help);
}

/* The fields of the filter language, with the words that they know. */
static void filter_entries(struct page *p, const char *word)
{
	(void)word;
	uint32_t n;
	const struct filter_field *f = filter_fields(&n);
	fputs(".PD 0\n", p->out);
	for (uint32_t i = 0; i < n; i++) {
		struct arena mem = {0};
		const char *help = arena_printf(&mem, "%s: %s", f[i].values, f[i].help), *value;
		for (uint32_t k = 0; (value = filter_value(i, k)); k++)
			help = arena_printf(&mem, "%s%s%s", help, k ? ", " : ". Words: ", value);
		put_entry(p->out, f[i].name, help);
		arena_free(&mem);
	}
	fputs(".PD\n", p->out);
}

static void version(struct page *p, const char *word)
{
	(void)word;
	fputs(VERSION, p->out);
}

const struct mark manual_marks[] = {{"version", version, false},
				    {"synopsis", synopsis, true},
				    {"command", command, true},
				    {"other-commands", other_commands, true},
				    {"examples", examples, true},
				    {"option", option, true},
				    {"other-options", other_options, true},
				    {"keys", keys, true},
				    {"typed-commands", typed_commands, true},
				    {"settings", settings, true},
				    {"filter-entries", filter_entries, true},
				    {"table-entries", tables, true},
				    {NULL, NULL, false}};
