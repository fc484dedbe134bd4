/* tui/generate/zsh.c - one branch for each command in zsh's completion: what _arguments wants. */
#include "generate.h"
#include <ctype.h>
#include <string.h>

/* A colon separates the parts of a specification, a bracket ends its text. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(":]", *text))
			fputc('\\', out);
		if (*text == '\'')
			fputs("'\\'", out);
		fputc(*text, out);
	}
}

/* The other options of which only one may be given. */
static void put_exclusions(FILE *out, enum cli_option o)
{
	const char *blank = "";
	if (!(cli_option(o)->where & ONE_OF_THESE))
		return;
	fputc('(', out);
	for (int i = 0; i < OPT_COUNT; i++)
		if (i != (int)o && cli_option((enum cli_option)i)->where & ONE_OF_THESE) {
			fprintf(out, "%s--%s", blank, cli_option((enum cli_option)i)->word);
			blank = " ";
		}
	fputc(')', out);
}

static void put_value(FILE *out, enum cli_option o, enum cli_command command)
{
	char words[WORDS_BYTES];
	const struct cli_option_info *info = cli_option(o);
	fputc(':', out);
	for (const char *p = info->arg; isalpha((unsigned char)*p); p++)
		fputc(tolower((unsigned char)*p), out);
	fputc(':', out);
	cli_words(o, command, NULL, words, sizeof words);
	if (info->value == VALUE_FILE)
		fputs("_files", out);
	else if (info->value == VALUE_PROCESS)
		fputs("_pids", out);
	else if (*words) {
		fputc('(', out);
		put_escaped(out, words);
		fputc(')', out);
	}
}

static void put_option(FILE *out, enum cli_option o, enum cli_command command)
{
	const struct cli_option_info *info = cli_option(o);
	fputs(" \\\n\t\t'", out);
	if (info->letter)
		fprintf(out, "(-%c --%s)'{-%c,--%s}'[", info->letter, info->word, info->letter, info->word);
	else {
		put_exclusions(out, o);
		fprintf(out, "--%s[", info->word);
	}
	put_escaped(out, info->brief);
	fputc(']', out);
	if (info->arg)
		put_value(out, o, command);
	fputc('\'', out);
}

static void put_operands(FILE *out, const struct cli_command_info *c)
{
	switch (c->takes) {
	case TAKES_NOTHING:
		break;
	case TAKES_TRACES:
		fputs(" '*:trace:_files'", out);
		break;
	case TAKES_TABLE_AND_TRACES:
		fputs(" \"2:table:($tables)\" '*:trace:_files'", out);
		break;
	case TAKES_FOLDER:
		fputs(" '2:folder:_files -/'", out);
		break;
	case TAKES_COMMAND:
		fputs(" '*::command:_normal'", out);
		break;
	case TAKES_PROCESSES:
		fprintf(out, " \"*:pid:(${(f)\"$(stepscope %s 2>/dev/null | awk '{ print $1 }')\"})\"", c->word);
		break;
	}
}

static void branch(FILE *out, enum cli_command command)
{
	const struct cli_command_info *c = cli_command(command);
	fprintf(out, "\n\t%s) _arguments", *c->word ? c->word : "*");
	for (int i = 0; i < OPT_COUNT; i++)
		if (option_is_of((enum cli_option)i, command))
			put_option(out, (enum cli_option)i, command);
	fputs(" \\\n\t\t", out);
	if (*c->word) {
		fputs("'1:command:'", out);
	} else {
		fputs("'1:command or trace:{ compadd ", out);
		put_commands(out, " ");
		fputs("; _files }'", out);
	}
	put_operands(out, c);
	fputs(" ;;", out);
}

static void branches(struct page *p, const char *word)
{
	(void)word;
	fputs("case ${words[2]} in", p->out);
	for (int i = 1; i < CMD_COUNT; i++)
		branch(p->out, (enum cli_command)i);
	branch(p->out, CMD_OPEN);
	fputs("\n\tesac", p->out);
}

const struct mark zsh_marks[] = {{"zsh-branches", branches, false}, {NULL, NULL, false}};
