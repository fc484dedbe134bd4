/* tui/generate/bash.c - the branches of bash's completion. */
#include "generate.h"
#include "model/analysis/analysis.h"
#include <string.h>

static void put_offer(FILE *out, const char *words, const char *more)
{
	fprintf(out, "COMPREPLY=($(compgen %s%s%s%s -- \"$cur\"))", *words ? "-W '" : "", words, *words ? "'" : "",
		more);
}

static void command_pattern(struct page *p, const char *word)
{
	(void)word;
	put_commands(p->out, " | ");
}

/* Options whose value is the next word. */
static void valued(struct page *p, const char *word)
{
	(void)word;
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct cli_option_info *o = cli_option((enum cli_option)i);
		if (o->arg)
			fprintf(p->out, " --%s", o->word);
		if (o->arg && o->letter)
			fprintf(p->out, " -%c", o->letter);
	}
}

static void formats(FILE *out, enum cli_option o)
{
	char words[WORDS_BYTES];
	fputs("\n\t\tcase $command in", out);
	for (int i = 0; i < CMD_COUNT; i++)
		if (option_is_of(o, (enum cli_command)i)) {
			fprintf(out, "\n\t\t%s) ", cli_command((enum cli_command)i)->word);
			put_offer(out, cli_words(o, (enum cli_command)i, NULL, words, sizeof words), "");
			fputs(" ;;", out);
		}
	fputs("\n\t\tesac\n\t\treturn", out);
}

static void groupings(FILE *out, enum cli_option o)
{
	char words[WORDS_BYTES];
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	fputs("\n\t\tcase $first in", out);
	for (uint32_t i = 0; i < n; i++)
		if (*cli_words(o, CMD_TABLE, list[i]->name, words, sizeof words)) {
			fprintf(out, "\n\t\t%s) ", list[i]->name);
			put_offer(out, words, "");
			fputs(" ;;", out);
		}
	fputs("\n\t\tesac\n\t\treturn", out);
}

static void value(FILE *out, enum cli_option o)
{
	char words[WORDS_BYTES];
	const struct cli_option_info *info = cli_option(o);
	cli_words(o, CMD_OPEN, NULL, words, sizeof words);
	fprintf(out, "\n\t--%s", info->word);
	if (info->letter)
		fprintf(out, " | -%c", info->letter);
	fputc(')', out);
	if (info->value == VALUE_FORMAT) {
		formats(out, o);
	} else if (info->value == VALUE_BY) {
		groupings(out, o);
	} else {
		if (*words || info->value == VALUE_FILE) {
			fputc(' ', out);
			put_offer(out, words, info->value == VALUE_FILE ? (*words ? " -f" : "-f") : "");
			fputc(';', out);
		}
		fputs(" return", out);
	}
	fputs(" ;;", out);
}

static void values(struct page *p, const char *word)
{
	(void)word;
	fputs("case $prev in", p->out);
	for (int i = 0; i < OPT_COUNT; i++)
		if (cli_option((enum cli_option)i)->arg)
			value(p->out, (enum cli_option)i);
	fputs("\n\tesac", p->out);
}

static void options_of(FILE *out, enum cli_command command)
{
	const char *word = cli_command(command)->word, *blank = "";
	fprintf(out, "\n\t\t%s) COMPREPLY=($(compgen -W '", *word ? word : "*");
	for (int i = 0; i < OPT_COUNT; i++)
		if (option_is_of((enum cli_option)i, command)) {
			fprintf(out, "%s--%s", blank, cli_option((enum cli_option)i)->word);
			blank = " ";
		}
	fputs("' -- \"$cur\")) ;;", out);
}

static void options(struct page *p, const char *word)
{
	(void)word;
	fputs("case $command in", p->out);
	for (int i = 1; i < CMD_COUNT; i++)
		options_of(p->out, (enum cli_command)i);
	options_of(p->out, CMD_OPEN);
	fputs("\n\t\tesac", p->out);
}

/* What is no trace and stands after a command. */
static void operands(struct page *p, const char *word)
{
	(void)word;
	fputs("case $command in", p->out);
	for (int i = 1; i < CMD_COUNT; i++) {
		const struct cli_command_info *c = cli_command((enum cli_command)i);
		if (c->takes == TAKES_TABLE_AND_TRACES)
			fprintf(p->out,
				"\n\t%s) ((operands == 0)) && { COMPREPLY=($(compgen -W \"$tables\" -- \"$cur\")); "
				"return; } ;;",
				c->word);
		else if (c->takes == TAKES_PROCESSES)
			fprintf(p->out,
				"\n\t%s) COMPREPLY=($(compgen -W \"$(stepscope %s 2>/dev/null | awk '{ print $1 }')\" "
				"-- "
				"\"$cur\")); return ;;",
				c->word, c->word);
		else if (c->takes == TAKES_FOLDER)
			fprintf(p->out, "\n\t%s) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;", c->word);
	}
	fputs("\n\tesac", p->out);
}

const struct mark bash_marks[] = {{"bash-pattern", command_pattern, false}, {"bash-valued", valued, false},
				  {"bash-values", values, false},           {"bash-options", options, false},
				  {"bash-operands", operands, false},       {NULL, NULL, false}};
