#include "cli_defaults.h"
#include "tui/text/config.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16384 };

/* What is of one run, or of the file itself, cannot stand there. */
static bool is_of_one_run(const struct cli_option_info *o, int id)
{
	static const int some[] = {OPT_OUTPUT, OPT_HELP, OPT_VERSION, OPT_VS, OPT_GATE, OPT_NO_CONFIG, OPT_FORCE};
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		if (some[i] == id)
			return true;
	return o->where & ONE_OF_THESE;
}

/* The next word of the line, ended where it ends; "" = none. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	*rest = word + strcspn(word, " \t");
	if (**rest)
		*(*rest)++ = '\0';
	return word;
}

static char *trimmed(char *text)
{
	text += strspn(text, " \t");
	size_t n = strlen(text);
	while (n && strchr(" \t\r", text[n - 1]))
		text[--n] = '\0';
	return text;
}

static bool take_option(struct cli *c, const char *word, char *value, bool named, struct err *e)
{
	int id = cli_find_option(word, e);
	if (id < 0 && !named && *value)
		return err_usage(e, "'%.40s' is neither an option nor a command", word);
	const struct cli_option_info *o = id < 0 ? NULL : cli_option((enum cli_option)id);
	if (!o)
		return false;
	if (is_of_one_run(o, id))
		return err_usage(e, "--%s is of one run and cannot be given for all", o->word);
	if (o->arg ? !*value : *value != '\0')
		return o->arg ? err_usage(e, "--%s wants a value: %s", o->word, o->arg)
			      : err_usage(e, "--%s takes no value", o->word);
	if (named && !(o->where & 1u << c->command))
		return err_usage(e, "--%s has no meaning for '%s'", o->word, cli_command(c->command)->word);
	bool here = o->where & 1u << c->command && !cli_has(c, (enum cli_option)id);
	return !here || cli_set_option(c, id, value, e);
}

static bool take_line(struct cli *c, char *line, struct err *e)
{
	char *rest = line, *word = next_word(&rest);
	if (!*word || *word == '#')
		return true;
	int command = cli_find_command(word);
	bool other = command > 0 && (enum cli_command)command != c->command;
	if (command > 0)
		word = next_word(&rest);
	if (!*word)
		return err_usage(e, "an option must follow a command");
	word += strncmp(word, "--", 2) ? 0 : 2;
	/* another command's line is read, too: a fault is told before it is needed */
	struct cli elsewhere = {.command = command > 0 ? (enum cli_command)command : c->command};
	return take_option(other ? &elsewhere : c, word, trimmed(rest), command > 0, e);
}

static bool read_all(const char *path, char text[static MOST_BYTES + 1], struct err *e)
{
	FILE *f = fopen(path, "r");
	if (!f)
		return err_usage(e, "%s: %s", path, strerror(errno));
	size_t n = fread(text, 1, MOST_BYTES + 1, f);
	fclose(f);
	if (n > MOST_BYTES)
		return err_usage(e, "%s: more than %d bytes are no list of options", path, MOST_BYTES);
	text[n] = '\0';
	return true;
}

bool cli_defaults(struct cli *c, struct err *e)
{
	static char text[MOST_BYTES + 2]; /* the values point into it */
	char path[PATH_MAX];
	unsigned number = 0;
	if (cli_has(c, OPT_NO_CONFIG) || !config_file("options", path, sizeof path))
		return true;
	TRY(read_all(path, text, e));
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
		struct err why = {.at = -1};
		number++;
		if (!take_line(c, line, &why))
			return err_usage(e, "%s:%u: %s", path, number, why.msg);
	}
	return true;
}
