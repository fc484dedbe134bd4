/* tui/cli/cli_words.c - what may stand after an option, from the lists of those who know it. */
#include "cli.h"
#include "live/wire.h"
#include "model/analysis/analysis.h"
#include "model/analysis/findings/findings.h"
#include "tui/screen/theme.h"
#include <string.h>

static void add(char *buf, size_t size, const char *word)
{
	size_t used = strlen(buf);
	if (!cli_is_choice(buf, word))
		snprintf(buf + used, size - used, "%s%s", used ? " " : "", word);
}

static void add_groupings(char *buf, size_t size, const char *table)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	const char *word;
	for (uint32_t i = 0; i < n; i++)
		for (unsigned k = 0;
		     (!table || !strcmp(table, list[i]->name)) && (word = analysis_by(list[i]->name, k)); k++)
			add(buf, size, word);
}

static void add_kinds(char *buf, size_t size)
{
#define WORD(id, word, on, what) " " word
	snprintf(buf, size, "default all" WIRE_KINDS(WORD));
#undef WORD
}

static void add_rules(char *buf, size_t size)
{
	uint32_t n;
	const struct finding_rule *rules = finding_rules(&n);
	add(buf, size, "all");
	for (uint32_t i = 0; i < n; i++)
		add(buf, size, rules[i].word);
}

static void add_themes(char *buf, size_t size)
{
	const char *name;
	for (size_t i = 0; (name = theme_built_in(i)); i++)
		add(buf, size, name);
}

const char *cli_words(enum cli_option o, enum cli_command command, const char *table, char *buf, size_t size)
{
	const struct cli_option_info *info = cli_option(o);
	const char *formats = cli_command(command)->formats;
	*buf = '\0';
	if (info->value == VALUE_FORMAT)
		snprintf(buf, size, "%s", formats ? formats : "");
	else if (info->value == VALUE_BY)
		add_groupings(buf, size, table);
	else if (info->value == VALUE_KINDS)
		add_kinds(buf, size);
	else if (info->value == VALUE_THEME)
		add_themes(buf, size);
	else if (info->value == VALUE_RULE)
		add_rules(buf, size);
	else
		snprintf(buf, size, "%s", info->words ? info->words : "");
	return buf;
}
