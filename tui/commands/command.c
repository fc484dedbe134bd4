/* tui/commands/command.c - ":" commands: one list with name, argument, help; completion knows what can follow each of them. */
#include "commands.h"
#include "tui/explorer/pane.h"
#include "tui/explorer/reader.h"
#include "tui/explorer/session_log.h"
#include "model/analysis/derived/gap_place.h"
#include "model/store/base/units.h"
#include "tui/report/report.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool do_table(struct state *st, const char *arg, struct err *e)
{
	uint32_t analysis = analysis_index(arg);
	if (analysis == NONE_ID)
		return err_usage(e, "no table \"%s\": Tab after :table lists them", arg);
	nav_push(st);
	nav_pane(st, PANE_TABLE, analysis);
	return true;
}

/* The table of gaps, those of one kind alone. */
static bool do_gaps(struct state *st, const char *arg, struct err *e)
{
	unsigned kind = 0;
	while (gap_kind_by(kind) && strcmp(arg, gap_kind_by(kind)) != 0)
		kind++;
	if (!gap_kind_by(kind))
		return err_usage(e, "write :gaps between, inside, before, after or outside");
	TRY(do_table(st, "gaps", e));
	st->view.place = (struct table_place){.sort_col = -1, .by = (uint8_t)(kind + 1)};
	return true;
}

static bool go_window(struct state *st, const char *prefix, const char *arg, bool question, struct err *e)
{
	char word[PROMPT_SIZE + 8];
	struct window w;
	snprintf(word, sizeof word, "%s%s", prefix, arg);
	TRY(window_parse(st->d, word, &w, e));
	nav_push(st);
	nav_pane(st, PANE_TIMELINE, 0);
	/* several steps and windows become the question of all tables; a single gap or step is only shown */
	if (question)
		nav_window(st, &w);
	else if (w.kind == WINDOW_GAP)
		nav_gap(st, w.gap);
	else
		nav_step(st, w.step_first);
	return true;
}

static bool do_gap(struct state *st, const char *arg, struct err *e)
{
	return go_window(st, "gap:", arg, false, e);
}

static bool do_step(struct state *st, const char *arg, struct err *e)
{
	return go_window(st, "step:", arg, strstr(arg, "..") != NULL, e);
}

static bool do_window(struct state *st, const char *arg, struct err *e)
{
	return go_window(st, "", arg, true, e);
}

static bool do_goto(struct state *st, const char *arg, struct err *e)
{
	const char *end;
	int64_t ns;
	if (!parse_ns(arg, &end, &ns) || *end)
		return err_usage(e, "\"%s\" is not a time; write 12.5ms, 3us, 1.5s or ns", arg);
	nav_time(st, ns);
	return true;
}

static bool do_export(struct state *st, const char *arg, struct err *e)
{
	return export_named(st, arg, e);
}

static bool do_save(struct state *st, const char *arg, struct err *e)
{
	return export_trace(st, arg, e);
}

static bool do_screenshot(struct state *st, const char *arg, struct err *e)
{
	TRY(export_screen(st, arg, e));
	state_say(st, INK_GOOD, "wrote %s", arg);
	return true;
}

static bool do_filter(struct state *st, const char *arg, struct err *e)
{
	(void)e;
	state_filter(st, arg);
	return true;
}

static bool do_mark(struct state *st, const char *arg, struct err *e)
{
	return marks_name(st, arg, e);
}

static bool do_marks(struct state *st, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	marks_list(st);
	return true;
}

static bool do_forget(struct state *st, const char *arg, struct err *e)
{
	if (*arg && strcmp(arg, "all") != 0)
		return err_usage(e, "write :forget, or :forget all");
	arrangement_forget(st, *arg != 0);
	return true;
}

static bool do_keep(struct state *st, const char *arg, struct err *e)
{
	return kept_filters_add(st, arg, e);
}

/* These settings have commands of their own. */
static bool set_named(struct state *st, const char *name, const char *value, struct err *e)
{
	char line[PROMPT_SIZE + 16];
	snprintf(line, sizeof line, "%s %s", name, value);
	return settings_set(st, line, e);
}

static bool do_idle(struct state *st, const char *arg, struct err *e)
{
	return set_named(st, "idle", arg, e);
}

static bool do_order(struct state *st, const char *arg, struct err *e)
{
	return set_named(st, "order", arg, e);
}

static bool do_theme(struct state *st, const char *arg, struct err *e)
{
	return set_named(st, "theme", arg, e);
}

static bool do_mouse(struct state *st, const char *arg, struct err *e)
{
	return set_named(st, "mouse", arg, e);
}

static bool do_help(struct state *st, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	reader_help(st, pane_of(st)->scope);
	st->mode = MODE_READER;
	return true;
}

static bool do_quit(struct state *st, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	st->quit = true;
	return true;
}

static bool do_set(struct state *st, const char *arg, struct err *e)
{
	return settings_set(st, arg, e);
}

enum argument {
	ARG_NONE,
	ARG_FREE,
	ARG_TABLE,
	ARG_KIND,
	ARG_THEME,
	ARG_FORMAT,
	ARG_STEP,
	ARG_ON_OFF,
	ARG_ORDER,
	ARG_SETTING,
	ARG_MAY_BE_EMPTY
};

/* clang-format off */
/*    name      argument          as written        help */
#define COMMANDS(_) \
	_(table,  ARG_TABLE,        "NAME",           "show a table: steps, gaps, kernels, events, notes, ...") \
	_(gap,    ARG_FREE,         "N",              "go to gap N (the number in the table of gaps), or :gap biggest") \
	_(gaps,   ARG_KIND,         "KIND",           "list the gaps between steps, inside a step, before, after or outside them") \
	_(step,   ARG_STEP,         "N",              "go to step N, or N..M") \
	_(goto,   ARG_FREE,         "TIME",           "go to a time: 12.5ms, 3us, 1.5s; the time alone is enough") \
	_(window, ARG_FREE,         "A..B",           "look at a part only: 12.5ms..20ms, step:8..9, gap:3, all") \
	_(filter, ARG_MAY_BE_EMPTY, "EXPR",           "keep events that match: kind=kernel dur>1ms name=/re/ !stream=7") \
	_(keep,   ARG_FREE,         "NAME",           "keep the current filter under a name: @NAME means it in every filter line; without a filter the name is forgotten") \
	_(idle,   ARG_FREE,         "TIME",           "i and I on the timeline skip idle times that are shorter") \
	_(order,  ARG_ORDER,        "WORD",           "GPUs on the timeline by number, lateness or host") \
	_(mark,   ARG_FREE,         "a NAME",         "name mark a, or set it here with this name") \
	_(marks,  ARG_NONE,         "",               "list the marks") \
	_(forget, ARG_MAY_BE_EMPTY, "all",            "reset lanes and marks of this trace (hidden, pinned, moved, unfolded); all: of every trace") \
	_(export, ARG_FORMAT,       "FORMAT or FILE", "write the selected window: md html svg json text csv perfetto, or a file name") \
	_(save,   ARG_FREE,         "FILE",           "the whole trace as one file that opens at once, even while it grows") \
	_(screenshot, ARG_FREE,     "FILE.svg",       "this screen as a picture; .ans: coloured text, .txt: plain text") \
	_(set,    ARG_SETTING,      "NAME VALUE",     "change a setting, see below; alone: list them with their values") \
	_(theme,  ARG_THEME,        "NAME",           "how it looks, while you type: dark, light, mono, high-contrast, colorblind or your own") \
	_(mouse,  ARG_ON_OFF,       "on|off",         "leave the mouse to the terminal, for copying") \
	_(help,   ARG_NONE,         "",               "all keys and commands") \
	_(quit,   ARG_NONE,         "",               "leave; :q does the same")
/* clang-format on */

static const struct command commands[] = {
#define COMMAND_ROW(name, arg, written, help) {#name, arg, written, help, do_##name},
	COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

uint32_t command_count(void)
{
	return N_COMMANDS;
}

const struct command *command_at(uint32_t i)
{
	return &commands[i];
}

bool command_wants_word(const struct command *c)
{
	return c->argument != ARG_NONE && c->argument != ARG_MAY_BE_EMPTY && c->argument != ARG_SETTING;
}

/* A word that begins one command only is that command; "q" is the one everybody knows. */
static const struct command *find(const char *word, size_t n, struct err *e)
{
	const struct command *found = NULL;
	for (int i = 0; i < N_COMMANDS; i++) {
		if (strncmp(commands[i].name, word, n) != 0)
			continue;
		if (strlen(commands[i].name) == n)
			return &commands[i];
		if (found) {
			err_usage(e, "\":%.*s\" could be :%s or :%s", (int)n, word, found->name, commands[i].name);
			return NULL;
		}
		found = &commands[i];
	}
	if (!found)
		err_usage(e, "no command \":%.*s\"; Tab completes, ? lists them", (int)n, word);
	return found;
}

const struct command *command_named(const char *word, size_t n)
{
	return n ? find(word, n, NULL) : NULL;
}

bool command_is_time(const char *line)
{
	const char *end;
	int64_t ns;
	return parse_ns(line, &end, &ns) && end[strspn(end, " ")] == 0;
}

void command_run(struct state *st, const char *line)
{
	struct err e = {.at = -1};
	while (isspace((unsigned char)*line))
		line++;
	size_t n = strcspn(line, " ");
	if (n == 0)
		return;
	session_log("command :%s", line);
	char arg[PROMPT_SIZE];
	snprintf(arg, sizeof arg, "%s", line + n + strspn(line + n, " "));
	for (size_t k = strlen(arg); k > 0 && arg[k - 1] == ' '; k--)
		arg[k - 1] = 0;
	/* before the list: no command begins with a digit */
	if (command_is_time(line)) {
		do_goto(st, line, &e); /* ":700ms" */
		return;
	}
	const struct command *c = find(line, n, &e);
	bool ok = c != NULL;
	if (ok && !*arg && command_wants_word(c))
		ok = err_usage(&e, "write :%s %s", c->name, c->written);
	if (!ok || !c->run(st, arg, &e))
		state_say_err(st, &e);
}

void command_help(struct arena *mem, void (*line)(void *ctx, const char *left, const char *right), void *ctx)
{
	for (int i = 0; i < N_COMMANDS; i++)
		line(ctx, arena_printf(mem, ":%s %s", commands[i].name, commands[i].written), commands[i].help);
}

/* ---- completion --------------------------------------------------------------------------------------------------- */

struct choices {
	const char **out;
	size_t n, max;
	const char *typed, *head; /* head: what stands before the word, e.g. "table " */
	struct arena *mem;
};

static void offer(struct choices *c, const char *word)
{
	if (c->n < c->max && strncmp(word, c->typed, strlen(c->typed)) == 0)
		c->out[c->n++] = arena_printf(c->mem, "%s%s", c->head, word);
}

static void offer_tables(struct choices *c)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		offer(c, list[i]->name);
}

static void offer_themes(struct choices *c)
{
	const char *names[32];
	char buf[2048];
	size_t n = theme_names(names, 32, buf, sizeof buf);
	for (size_t i = 0; i < n; i++)
		offer(c, names[i]);
}

static void offer_steps(const struct state *st, struct choices *c)
{
	for (uint32_t i = 0; i < derived_steps(st->d); i++)
		offer(c, derived_step(st->d, i)->label);
}

static void offer_argument(const struct state *st, struct choices *c, enum argument a)
{
	static const char *const formats[] = {"md", "html", "svg", "json", "text", "csv", "perfetto"};
	if (a == ARG_TABLE)
		offer_tables(c);
	for (unsigned i = 0; a == ARG_KIND && gap_kind_by(i); i++)
		offer(c, gap_kind_by(i));
	if (a == ARG_THEME)
		offer_themes(c);
	if (a == ARG_STEP)
		offer_steps(st, c);
	for (size_t i = 0; a == ARG_FORMAT && i < sizeof formats / sizeof *formats; i++)
		offer(c, formats[i]);
	for (int i = 0; a == ARG_ORDER && i < LANE_ORDER_COUNT; i++)
		offer(c, lane_order_word((enum lane_order)i));
	if (a == ARG_ON_OFF) {
		offer(c, "on");
		offer(c, "off");
	}
}

/* What the found ones complete stands after the head. */
static size_t behind_head(struct choices *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->out[i] = arena_printf(c->mem, "%s%s", c->head, c->out[i]);
	return n;
}

static size_t command_lines(const struct state *st, const char *line, const char **out, size_t max, struct arena *mem)
{
	struct choices c = {out, 0, max, line, "", mem};
	const char *space = strchr(line, ' ');
	if (!space) {
		for (int i = 0; i < N_COMMANDS; i++)
			/* a blank after those that want a word: the next Tab completes that */
			offer(&c, commands[i].argument == ARG_NONE ? commands[i].name
								   : arena_printf(mem, "%s ", commands[i].name));
		return c.n;
	}
	const struct command *cmd = find(line, (size_t)(space - line), NULL);
	if (!cmd)
		return 0;
	c.typed = space + 1;
	c.head = arena_printf(mem, "%s ", cmd->name);
	if (cmd->run == do_filter)
		return behind_head(&c, filter_candidates(st, c.typed, out, max, mem));
	if (cmd->run == do_set)
		return behind_head(&c, settings_candidates(c.typed, out, max, mem));
	offer_argument(st, &c, (enum argument)cmd->argument);
	return c.n;
}

size_t typed_candidates(const struct state *st, const char *line, const char **out, size_t max, struct arena *mem)
{
	return st->prompt.kind == PROMPT_COMMAND  ? command_lines(st, line, out, max, mem)
	       : st->prompt.kind == PROMPT_FILTER ? filter_candidates(st, line, out, max, mem)
						  : 0;
}
