/* tui/generate/shells.c - what the completions of all shells are made of: lists of words. */
#include "generate.h"
#include "model/analysis/analysis.h"

bool option_is_of(enum cli_option o, enum cli_command command)
{
	unsigned where = cli_option(o)->where;
	return where & 1u << command || (command == CMD_OPEN && where & WITH_VERSION);
}

void put_commands(FILE *out, const char *between)
{
	for (int i = 1; i < CMD_COUNT; i++)
		fprintf(out, "%s%s", i > 1 ? between : "", cli_command((enum cli_command)i)->word);
}

static void commands(struct page *p, const char *word)
{
	(void)word;
	put_commands(p->out, " ");
}

static void tables(struct page *p, const char *word)
{
	(void)word;
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		fprintf(p->out, "%s%s", i ? " " : "", list[i]->name);
}

const struct mark shell_marks[] = {{"commands", commands, false}, {"tables", tables, false}, {NULL, NULL, false}};
