/* tui/generate/fish.c - the lines of fish's completion: one for each option, and one for what stands after a command. */
#include "generate.h"
#include <string.h>

/* Where a line holds: commands is a bit for each. */
static void put_condition(FILE *out, unsigned commands)
{
	bool open = commands & 1u << CMD_OPEN;
	unsigned named = (open ? ~commands : commands) & ((1u << CMD_COUNT) - 2);
	if (!named)
		return; /* everywhere: no command is seen when none is named */
	fprintf(out, " -n \"%s__fish_seen_subcommand_from", open ? "not " : "");
	for (int i = 1; i < CMD_COUNT; i++)
		if (named & 1u << i)
			fprintf(out, " %s", cli_command((enum cli_command)i)->word);
	fputc('"', out);
}

static void put_option(FILE *out, enum cli_option o, unsigned commands, const char *words)
{
	const struct cli_option_info *info = cli_option(o);
	fputs("complete -c stepscope", out);
	put_condition(out, commands);
	if (info->letter)
		fprintf(out, " -s %c", info->letter);
	fprintf(out, " -l %s", info->word);
	if (info->arg)
		fputs(info->value == VALUE_FILE ? " -r" : " -x", out);
	if (*words)
		fprintf(out, " -a \"%s\"", words);
	fprintf(out, " -d \"%s\"\n", info->brief);
}

/* Commands from `first` on that offer the same words. */
static unsigned alike(enum cli_option o, enum cli_command first, const char *words)
{
	char other[WORDS_BYTES];
	unsigned bits = 0;
	for (int i = (int)first; i < CMD_COUNT; i++)
		if (option_is_of(o, (enum cli_command)i) &&
		    strcmp(cli_words(o, (enum cli_command)i, NULL, other, sizeof other), words) == 0)
			bits |= 1u << i;
	return bits;
}

static void options(struct page *p, const char *word)
{
	(void)word;
	char words[WORDS_BYTES];
	for (int i = 0; i < OPT_COUNT; i++) {
		unsigned told = 0;
		for (int k = 0; k < CMD_COUNT; k++) {
			enum cli_option o = (enum cli_option)i;
			if (told & 1u << k || !option_is_of(o, (enum cli_command)k))
				continue;
			cli_words(o, (enum cli_command)k, NULL, words, sizeof words);
			unsigned same = alike(o, (enum cli_command)k, words);
			put_option(p->out, o, same, words);
			told |= same;
		}
	}
}

static void operands(struct page *p, const char *word)
{
	(void)word;
	for (int i = 1; i < CMD_COUNT; i++) {
		const struct cli_command_info *c = cli_command((enum cli_command)i);
		if (c->takes == TAKES_TABLE_AND_TRACES)
			fprintf(p->out,
				"complete -c stepscope -n \"__fish_seen_subcommand_from %s; and not "
				"__fish_seen_subcommand_from "
				"$tables\" -a \"$tables\"\n",
				c->word);
		else if (c->takes == TAKES_PROCESSES)
			fprintf(p->out,
				"complete -c stepscope -n \"__fish_seen_subcommand_from %s\" -x -a \"(stepscope %s "
				"2>/dev/null | "
				"string trim)\"\n",
				c->word, c->word);
		else if (c->takes == TAKES_FOLDER)
			fprintf(p->out,
				"complete -c stepscope -n \"__fish_seen_subcommand_from %s\" -x -a "
				"\"(__fish_complete_directories)\"\n",
				c->word);
	}
}

const struct mark fish_marks[] = {
	{"fish-options", options, true}, {"fish-operands", operands, true}, {NULL, NULL, false}};
