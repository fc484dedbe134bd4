/* tui/cli/cli.c - argv into a struct cli. */
#include "cli.h"
#include "cli_defaults.h"
#include "model/analysis/analysis.h"
#include "model/analysis/comms/clocks.h"
#include "model/store/base/nearest.h"
#include "model/store/base/paths.h"
#include <string.h>
#include <unistd.h>
#include "model/store/base/units.h"

static const struct cli_option_info options[] = {
#define ROW(id, word, letter, arg, value, words, where, brief, help) \
	{word, letter, arg, VALUE_##value, words, where, brief, help},
	CLI_OPTIONS(ROW)
#undef ROW
};
static const struct cli_command_info *const commands[] = {
#define ROW(id, name) &cli_##name##_command,
	CLI_COMMANDS(ROW)
#undef ROW
};

const struct cli_command_info *cli_command(enum cli_command command)
{
	return commands[command];
}

const struct cli_option_info *cli_option(enum cli_option o)
{
	return &options[o];
}

const char *cli_called(const struct cli *c, char *buf, unsigned long size)
{
	const char *word = commands[c->command]->word;
	snprintf(buf, size, "%s%s%s", c->program, *word ? " " : "", word);
	return buf;
}

static bool unknown_option(const char *word, struct err *e)
{
	static const char *const words[] = {
#define ROW(id, word, ...) word,
		CLI_OPTIONS(ROW)
#undef ROW
	};
	const char *near = nearest_word(word, words, OPT_COUNT);
	if (near)
		return err_usage(e, "there is no option '--%.40s'; did you mean '--%s'?", word, near);
	return err_usage(e, "there is no option '--%.40s'", word);
}

bool cli_is_choice(const char *choices, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = choices; n && (p = strstr(p, word)); p += n)
		if ((p == choices || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

bool cli_set_option(struct cli *c, int o, const char *value, struct err *e)
{
	const struct cli_option_info *info = &options[o];
	if (info->value == VALUE_CHOICE && !cli_is_choice(info->words, value))
		return err_usage(e, "--%s cannot be '%.40s'; it is one of: %s", info->word, value, info->words);
	double number;
	if (info->value == VALUE_AMOUNT && !parse_amount(value, &number))
		return err_usage(e, "--%s wants a number above 0, like 25e6 or 7B, not '%.40s'", info->word, value);
	if (info->value == VALUE_RATE && !parse_rate(value, &number))
		return err_usage(e, "--%s wants bytes or bits per second, like 10GB/s or 200Gbit/s, not '%.40s'",
				 info->word, value);
	if (info->value == VALUE_SHIFT)
		TRY(clocks_shift_valid(value, e));
	c->value[o] = value;
	if (o != OPT_GATE)
		return true;
	if (c->n_gates == CLI_GATES)
		return err_usage(e, "at most %d gates", CLI_GATES);
	c->gates[c->n_gates++] = value;
	return true;
}

struct args {
	char **argv;
	int argc, at;
};

static bool take_value(struct cli *c, struct args *a, int o, const char *glued, struct err *e)
{
	const struct cli_option_info *info = &options[o];
	if (!info->arg)
		return glued ? err_usage(e, "--%s takes no value", info->word) : cli_set_option(c, o, "", e);
	if (glued)
		return cli_set_option(c, o, glued, e);
	if (a->at + 1 >= a->argc)
		return err_usage(e, "--%s wants a value: %s", info->word, info->arg);
	return cli_set_option(c, o, a->argv[++a->at], e);
}

int cli_find_option(const char *word, struct err *e)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (strcmp(options[i].word, word) == 0)
			return i;
	unknown_option(word, e);
	return -1;
}

static bool parse_long(struct cli *c, struct args *a, struct err *e)
{
	const char *text = a->argv[a->at] + 2;
	size_t n = strcspn(text, "=");
	char word[48];
	snprintf(word, sizeof word, "%.*s", (int)(n < 47 ? n : 47), text);
	int o = cli_find_option(word, e);
	return o >= 0 && take_value(c, a, o, text[n] ? text + n + 1 : NULL, e);
}

static int find_letter(char letter)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (options[i].letter && options[i].letter == letter)
			return i;
	return -1;
}

/* "-qf" is two switches; the rest of "-oFILE" is the value. */
static bool parse_short(struct cli *c, struct args *a, struct err *e)
{
	for (const char *p = a->argv[a->at] + 1; *p; p++) {
		int o = find_letter(*p);
		if (o < 0)
			return err_usage(e, "there is no option '-%c'", *p);
		if (options[o].arg)
			return take_value(c, a, o, p[1] ? p + 1 : NULL, e);
		TRY(cli_set_option(c, o, "", e));
	}
	return true;
}

int cli_find_command(const char *word)
{
	for (int i = 1; i < CMD_COUNT; i++)
		if (strcmp(commands[i]->word, word) == 0)
			return i;
	return -1;
}

static bool runs_command(const struct cli *c)
{
	return commands[c->command]->takes == TAKES_COMMAND;
}

/* Moves operands to the front of argv[1..]; *plain counts those before "--". The command is noted as soon as it is met:
 * an error after it can then point to the right help. */
static bool split(struct cli *c, int argc, char **argv, int *n_operands, int *plain, struct err *e)
{
	struct args a = {argv, argc, 1};
	int n = 0;
	*plain = -1;
	for (; a.at < argc; a.at++) {
		char *arg = argv[a.at];
		bool operand = *plain >= 0 || arg[0] != '-' || arg[1] == '\0';
		if (operand && n > 0 && runs_command(c)) {
			while (a.at < argc) /* the rest is the command's own */
				argv[1 + n++] = argv[a.at++];
			break;
		}
		if (operand && n == 0 && *plain < 0 && !cli_has(c, OPT_HELP) && !strcmp(arg, "help")) {
			c->value[OPT_HELP] = ""; /* "help table" is "table --help" */
			continue;
		}
		if (operand) {
			if (n == 0 && *plain < 0 && cli_find_command(arg) > 0)
				c->command = (enum cli_command)cli_find_command(arg);
			argv[1 + n++] = arg;
		}
		if (operand)
			continue;
		bool met = cli_has(c, OPT_VS);
		if (strcmp(arg, "--") == 0)
			*plain = n;
		else if (arg[1] == '-')
			TRY(parse_long(c, &a, e));
		else
			TRY(parse_short(c, &a, e));
		if (!met && cli_has(c, OPT_VS))
			c->vs_at = n > 0 ? n - 1 : 0; /* the command is one */
	}
	if (*plain < 0)
		*plain = n;
	*n_operands = n;
	return true;
}

/* A bare word that is no file was meant as a command: say so instead of "no such file". Help is asked of tables, too. */
static bool check_word(const struct cli *c, const char *word, struct err *e)
{
	const char *other = cli_has(c, OPT_HELP) ? "table" : "file";
	if (strpbrk(word, "/.") || strcmp(word, "-") == 0 || access(word, F_OK) == 0)
		return true;
	const char *words[CMD_COUNT];
	for (int i = 0; i < CMD_COUNT; i++)
		words[i] = commands[i]->word;
	if (analysis_find(word))
		return err_usage(e, "'%.60s' is a table: 'stepscope table %.60s TRACE' prints it", word, word);
	const char *near = nearest_word(word, words, CMD_COUNT);
	if (near)
		return err_usage(e, "'%.60s' is neither a %s nor a command; did you mean '%s'?", word, other, near);
	char known[160] = "";
	for (size_t i = 0, used = 0; i < CMD_COUNT; i++)
		if (*words[i] && used < sizeof known)
			used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", words[i]);
	return err_usage(e, "'%.60s' is neither a %s nor a command of this version (%s)", word, other, known);
}

/* "report table": the commands with a meaning for it. */
static const char *where_words(unsigned where, char buf[static 128])
{
	buf[0] = 0;
	for (int i = 0; i < CMD_COUNT; i++) {
		size_t used = strlen(buf);
		if (where & 1u << i)
			snprintf(buf + used, 128 - used, "%s%s", used ? ", " : "",
				 *commands[i]->word ? commands[i]->word : "the explorer");
	}
	return buf;
}

static bool check_where(const struct cli *c, struct err *e)
{
	unsigned here = 1u << c->command;
	if (cli_has(c, OPT_VERSION))
		here |= WITH_VERSION;
	char called[64], where[128];
	for (int i = 0; i < OPT_COUNT; i++)
		if (c->value[i] && !(options[i].where & here))
			return err_usage(e, "--%s has no meaning for '%s'; it is for: %s", options[i].word,
					 cli_called(c, called, sizeof called), where_words(options[i].where, where));
	return true;
}

/* Of some options only one may be given. */
static bool check_one_of(const struct cli *c, struct err *e)
{
	char words[128] = "";
	int given = 0, left = 0;
	for (int i = 0; i < OPT_COUNT; i++)
		left += (options[i].where & ONE_OF_THESE) != 0;
	for (int i = 0; i < OPT_COUNT; i++) {
		size_t used = strlen(words);
		if (!(options[i].where & ONE_OF_THESE))
			continue;
		snprintf(words + used, sizeof words - used, "%s--%s",
			 !used       ? ""
			 : left == 1 ? " and "
				     : ", ",
			 options[i].word);
		given += c->value[i] != NULL;
		left--;
	}
	return given < 2 || err_usage(e, "choose one of %s", words);
}

/* "help gaps", "table gaps --help", "--help all": c->name says of what. A trace that is named, too, changes nothing. */
static bool take_subject(struct cli *c, char **operands, int n, struct err *e)
{
	const char *word = n > 0 ? operands[0] : "";
	bool asks = c->command == CMD_OPEN || c->command == CMD_TABLE;
	if (asks && *word && (analysis_find(word) || strcmp(word, "all") == 0))
		c->name = word;
	return c->name || !*word || c->command != CMD_OPEN || check_word(c, word, e);
}

static bool take_operands(struct cli *c, char **operands, int n, struct err *e)
{
	char called[64];
	cli_called(c, called, sizeof called);
	enum cli_operands takes = commands[c->command]->takes;
	if (cli_has(c, OPT_ALL))
		takes = TAKES_TRACES;
	if (takes == TAKES_TABLE_AND_TRACES) {
		if (n == 0)
			return err_usage(e, "'%s' wants the name of a table and a trace", called);
		c->name = operands[0];
		operands++;
		n--;
	}
	/* a trace and no table: the tables are listed */
	bool names_trace =
		takes == TAKES_TABLE_AND_TRACES && n == 0 && !analysis_find(c->name) && access(c->name, F_OK) == 0;
	if (takes == TAKES_FOLDER && n != 1)
		return err_usage(e, "'%s' wants one folder", called);
	if (takes == TAKES_COMMAND && n == 0)
		return err_usage(e, "'%s' wants a command after --", called);
	if (takes == TAKES_NOTHING && n != 0)
		return err_usage(e, "'%s' takes options only, not '%.40s'", called, operands[0]);
	if (n == 0 && !names_trace && c->command != CMD_OPEN &&
	    (takes == TAKES_TRACES || takes == TAKES_TABLE_AND_TRACES))
		return err_usage(e, "'%s' wants a trace: a file, a directory, or - for stdin", called);
	operands[n] = runs_command(c) ? NULL : operands[n]; /* what stood there were options, read by now */
	c->paths = (const char *const *)operands;
	c->n_paths = n;
	return true;
}

static void set_program(struct cli *c, const char *argv0)
{
	c->program = argv0 && *argv0 ? path_last(argv0) : "stepscope";
}

bool cli_parse(struct cli *c, int argc, char **argv, struct err *e)
{
	memset(c, 0, sizeof *c);
	set_program(c, argc > 0 ? argv[0] : NULL);
	int n, plain;
	TRY(split(c, argc, argv, &n, &plain, e));
	char **operands = argv + 1;
	if (c->command != CMD_OPEN) {
		operands++;
		n--;
	} else if (n > 0 && plain > 0 && !cli_has(c, OPT_HELP)) {
		TRY(check_word(c, operands[0], e));
	}
	if (cli_has(c, OPT_HELP))
		return take_subject(c, operands, n, e) && check_where(c, e);
	if (cli_has(c, OPT_VERSION))
		return check_where(c, e);
	TRY(check_where(c, e));
	TRY(check_one_of(c, e));
	TRY(cli_defaults(c, e));
	return take_operands(c, operands, n, e);
}
