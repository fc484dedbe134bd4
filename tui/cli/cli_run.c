/* tui/cli/cli_run.c - the commands. Each opens what it needs, writes data to stdout, and returns an exit code. */
#include "bundle.h"
#include "cli_live.h"
#include "cli_open.h"
#include "cli_vs.h"
#include "importers/open.h"
#include "importers/paths.h"
#include "model/store/base/nearest.h"
#include "model/analysis/analysis.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "tui/app/app.h"
#include "tui/app/found.h"
#include "tui/report/overview_text.h"
#include "tui/tables/human_table.h"
#include "tui/tables/named_table.h"
#include "tui/tables/table_screen.h"
#include "tui/tables/table_write.h"
#include "tui/text/tone.h"
#include "tui/text/put.h"
#include "tui/text/words.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

const struct cli_exhausted *cli_exhausted(void)
{
	static const struct cli_exhausted all[] = {
		[MEMORY_READS] = {"out of memory while reading; raise the limit (ulimit -v) or try --threads 1",
				  EXIT_UNREADABLE},
		[MEMORY_WRITES] = {"out of memory, the output is not complete; raise the limit (ulimit -v), or ask for "
				   "less, as with --window",
				   EXIT_UNWRITTEN},
		[MEMORY_RECORDS] = {"out of memory, what was recorded is not written; raise the limit (ulimit -v), or "
				    "record less, as with --keep 60s",
				    EXIT_UNWRITTEN},
	};
	return &all[memory_used_for()];
}

int cli_failed(const struct err *e)
{
	if (e->memory)
		return cli_exhausted()->code;
	return e->unwritten ? EXIT_UNWRITTEN : e->unreadable ? EXIT_UNREADABLE : EXIT_USAGE;
}

/* Said once on stderr, so that a pipeline that only looks at the data still learns of it. */
int cli_settle(const struct cli *c, const struct trace *t)
{
	const struct notes *n = trace_notes(t);
	const struct note *cut = &n->at[NOTE_TRUNCATED];
	if (notes_of(n, NOTE_LOST) == 0)
		return EXIT_FINE;
	if (!cli_has(c, OPT_QUIET)) {
		fputs("stepscope: ", stderr);
		if (cut->count && cut->first_at >= 0)
			fprintf(stderr, "cut at offset %" PRId64 ", ", cut->first_at);
		fprintf(stderr, "read only in part; '%s notes ", c->program);
		put_plain(stderr, c->paths[0]);
		fputs("' says what was lost\n", stderr);
	}
	return EXIT_PARTLY;
}

/* ---- table, notes ----------------------------------------------------------------------------------------------- */

static unsigned terminal_cols(void)
{
	struct winsize w;
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0)
		return 0;
	return w.ws_col;
}

static const struct table_desc *known_table(const char *name, struct err *e)
{
	const struct table_desc *found = analysis_find(name);
	if (found)
		return found;
	const char *words[TABLE_COUNT];
	uint32_t n = analysis_names(words, TABLE_COUNT);
	const char *near = nearest_word(name, words, n);
	if (near)
		err_usage(e, "there is no table '%.40s'; did you mean '%s'?", name, near);
	else
		err_usage(e, "there is no table '%.40s'; 'stepscope table --help' lists all %u", name, n);
	return NULL;
}

static void tables_with_groups(char *buf, size_t size)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++) {
		size_t used = strlen(buf);
		if (analysis_by(list[i]->name, 0))
			snprintf(buf + used, size - used, "%s%s", used ? " " : "", list[i]->name);
	}
}

/* An option that only some tables know means a mistake with another one. */
static bool check_table_options(const struct cli *c, const char *name, struct err *e)
{
	char by[128] = "";
	tables_with_groups(by, sizeof by);
	const struct {
		enum cli_option option;
		const char *tables;
	} some[] = {{OPT_BY, by}, {OPT_IDLE, "ops"}, {OPT_EVERY_K, "gap_groups"}};
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		if (cli_has(c, some[i].option) && !cli_is_choice(some[i].tables, name))
			return err_usage(e, "--%s has no meaning for the table '%s'; it is for: %s",
					 cli_option(some[i].option)->word, name, some[i].tables);
	return true;
}

static bool column_error(const struct table *t, const char *word, struct err *e)
{
	enum { NAMES_BYTES = 200 };
	char names[NAMES_BYTES + 64] = "";
	size_t used = 0;
	uint32_t i = 0;
	for (; i < t->n_cols && used + strlen(t->cols[i].name) < NAMES_BYTES; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", t->cols[i].name);
	return err_usage(e, "the table '%s' has no column '%.40s'; columns: %s%s", t->name, word, names,
			 i < t->n_cols ? ", ...; --format csv --top 1 lists all" : "");
}

/* "COL", "-COL", "COL:desc", "COL:asc" */
static bool sort_table(struct table *t, const char *text, struct err *e)
{
	char word[64];
	const char *colon = strrchr(text, ':');
	bool desc = *text == '-';
	text += desc;
	size_t n = colon ? (size_t)(colon - text) : strlen(text);
	if (colon && strcmp(colon, ":desc") != 0 && strcmp(colon, ":asc") != 0)
		return err_usage(e, "--sort '%.40s': only asc or desc may follow the colon", text);
	desc = colon ? strcmp(colon, ":desc") == 0 : desc;
	snprintf(word, sizeof word, "%.*s", (int)(n < 63 ? n : 63), text);
	int col = table_column(t, word);
	if (col < 0)
		return column_error(t, word, e);
	table_sort(t, col, desc);
	return true;
}

static bool arrange(const struct cli *c, struct table *t, uint32_t top, struct err *e)
{
	if (cli_has(c, OPT_SORT))
		TRY(sort_table(t, c->value[OPT_SORT], e));
	table_top(t, top);
	return true;
}

/* "kernels,total_ns": the table with these columns alone, over the one that is given. NULL with `e`: it has no such column. */
static struct table *chosen_columns(const struct cli *c, struct table *t, struct arena *mem, struct err *e)
{
	const char *list = c->value[OPT_COLUMNS];
	if (!list)
		return t;
	struct column *cols = arena_alloc(mem, (strlen(list) + 1) * sizeof *cols);
	uint32_t *from = arena_alloc(mem, (strlen(list) + 1) * sizeof *from), n = 0;
	char *rest = NULL, *words = arena_strdup(mem, list);
	for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		int at = table_column(t, word);
		if (at < 0) {
			column_error(t, word, e);
			return NULL;
		}
		from[n] = (uint32_t)at;
		cols[n++] = t->cols[at];
	}
	if (!n) {
		err_usage(e, "--columns wants names of columns with commas between them");
		return NULL;
	}
	struct table *out = table_like(mem, t, cols, n);
	table_over(out, t, from, NULL, NULL);
	return out;
}

/* Terminals show short names, files the recorded ones, unless --names says otherwise. */
static enum kernel_names names_for(const struct cli *c, enum table_format f)
{
	enum kernel_names names = f == TABLE_TEXT || f == TABLE_MD ? NAMES_SHORT : NAMES_RECORDED;
	if (cli_has(c, OPT_NAMES))
		kernel_names_parse(c->value[OPT_NAMES], &names);
	return names;
}

/* On a terminal, wrapped lines are unreadable: only there, columns that do not fit are left out and named below. */
static void print_table(const struct cli *c, struct table *t, enum table_format f, enum window_kind window)
{
	unsigned cols = cli_has(c, OPT_ALL_COLUMNS) ? 0 : terminal_cols();
	if (f == TABLE_TEXT && cols)
		table_screen(t, window != WINDOW_ALL && window != WINDOW_STEP, cols, stdout);
	else
		table_write(t, f, stdout, c->paths, c->n_paths, 0);
}

/* Nobody reads millions of lines on a terminal; files and pipes get all. 0 = all. */
static uint32_t rows_for(const struct cli *c, enum table_format f, uint32_t top)
{
	enum { TERMINAL_ROWS = 1000 };
	bool read_by_eye = f == TABLE_TEXT && isatty(STDOUT_FILENO) && !cli_has(c, OPT_TOP) && !cli_has(c, OPT_OUTPUT);
	return read_by_eye ? TERMINAL_ROWS : top;
}

static void tell_rest(const struct cli *c, uint32_t shown, uint32_t total)
{
	char first[UNITS_BUF], all[UNITS_BUF];
	if (shown < total && !cli_has(c, OPT_TOP))
		fprintf(stdout, "\nthe first %s of %s rows (--top 0: all)\n", fmt_count(first, shown),
			fmt_count(all, total));
}

static bool save_table(const struct cli *c, const struct table *t, enum table_format f, struct err *e)
{
	struct output *o = output_open(c->value[OPT_OUTPUT], cli_output_flags(c), e);
	TRY(o != NULL);
	table_write(t, f, output_stream(o), c->paths, c->n_paths, 0);
	return output_close(o, e) == OUTPUT_DONE;
}

/* To the file that was named, else to stdout. */
static bool deliver(const struct cli *c, struct table *t, enum table_format f, enum window_kind window, uint32_t total,
		    struct err *e)
{
	if (cli_has(c, OPT_OUTPUT))
		return save_table(c, t, f, e);
	print_table(c, t, f, window);
	tell_rest(c, t->n_rows, total);
	return true;
}

static int write_table(const struct cli *c, const struct opened *o, const struct table_desc *a, enum table_format f,
		       uint32_t top, struct err *e)
{
	struct arena mem = {0};
	struct query q = window_query(&o->window, o->filter);
	q.all_columns = cli_has(c, OPT_ALL_COLUMNS);
	q.by = c->value[OPT_BY];
	q.idle = cli_has(c, OPT_IDLE);
	q.all_steps = cli_has(c, OPT_ALL_STEPS);
	if (!cli_number(c, OPT_EVERY_K, &q.every_k, e))
		return cli_failed(e);
	struct table *t =
		cli_has_after(c) ? cli_vs_table(c, o, a, &q, &mem, e) : analysis_run(a, o->d, &q, &mem, NULL, e);
	uint32_t total = t ? t->n_rows : 0;
	bool sound = t && arrange(c, t, rows_for(c, f, top), e) &&
		     (t = named_table(t, o->d, names_for(c, f), &mem, e)) && (t = chosen_columns(c, t, &mem, e));
	if (sound && (f == TABLE_TEXT || f == TABLE_MD))
		t = human_table(t, o->d, cli_has(c, OPT_REDACT), &mem);
	sound = sound && deliver(c, t, f, o->window.kind, total, e);
	arena_free(&mem);
	return sound ? cli_settle(c, derived_trace(o->d)) : cli_failed(e);
}

/* "gaps.csv"; of "-" and names without an ending text, as on a terminal. */
static bool format_of_ending(const char *file, enum table_format *f, struct err *e)
{
	const char *dot = strrchr(words_base(file), '.');
	if (!dot || !strcmp(dot, ".txt") || table_format_parse(dot + 1, f))
		return true;
	return err_usage(e, "cannot tell the format from '%.80s'; add --format text, csv, json, jsonl or md", file);
}

bool cli_table_format(const struct cli *c, const char *what, enum table_format *f, struct err *e)
{
	if (cli_has(c, OPT_FORMAT) && !table_format_parse(c->value[OPT_FORMAT], f))
		return err_usage(e, "--format of %s is text, csv, json, jsonl or md, not '%.40s'", what,
				 c->value[OPT_FORMAT]);
	if (!cli_has(c, OPT_FORMAT) && c->command == CMD_TABLE && cli_has(c, OPT_OUTPUT))
		TRY(format_of_ending(c->value[OPT_OUTPUT], f, e));
	if (!cli_has(c, OPT_SPREADSHEET))
		return true;
	if (*f != TABLE_CSV)
		return err_usage(e, "--spreadsheet is for CSV: add --format csv");
	*f = TABLE_SPREADSHEET;
	return true;
}

/* One of a summary: it has no trace after it. */
static int print_of_summary(const struct cli *c, const char *name, enum table_format f, uint32_t top, struct err *e)
{
	struct arena mem = {0};
	struct table *t = cli_summary_table(c, name, f == TABLE_TEXT || f == TABLE_MD, &mem, e);
	uint32_t total = t ? t->n_rows : 0;
	bool sound = t && arrange(c, t, rows_for(c, f, top), e) && (t = chosen_columns(c, t, &mem, e)) &&
		     deliver(c, t, f, WINDOW_ALL, total, e);
	arena_free(&mem);
	return sound ? EXIT_FINE : cli_failed(e);
}

static int print_named(const struct cli *c, const char *name, struct err *e)
{
	const struct table_desc *a = known_table(name, e);
	enum table_format format = TABLE_TEXT;
	uint32_t top = 0;
	struct opened o;
	if (!a || !check_table_options(c, name, e) || !cli_vs_known(c, a, e))
		return EXIT_USAGE;
	if (!cli_table_format(c, "a table", &format, e))
		return EXIT_USAGE;
	if (!cli_number(c, OPT_TOP, &top, e) || !cli_may_write(c, 0, e))
		return cli_failed(e);
	if (cli_of_summary(c))
		return print_of_summary(c, name, format, top, e);
	if (!opened_new(&o, c, e))
		return cli_failed(e);
	int code = write_table(c, &o, a, format, top, e);
	opened_free(&o);
	return code;
}

/* `table TRACE`: which tables there are. */
static int list_tables(void)
{
	uint32_t n;
	const struct table_desc *const *list = analysis_list(&n);
	for (uint32_t i = 0; i < n; i++)
		printf("%-18s %s\n", list[i]->name, list[i]->help);
	return EXIT_FINE;
}

static int run_table(const struct cli *c, struct err *e)
{
	if (cli_has(c, OPT_ALL))
		return cli_all_tables(c, e);
	if (!c->n_paths)
		return list_tables();
	return print_named(c, c->name, e);
}

static int run_notes(const struct cli *c, struct err *e)
{
	return print_named(c, "notes", e);
}

const struct cli_command_info cli_table_command = {
	.word = "table",
	.operands = "NAME TRACE...",
	.help = "print one table as text, CSV, JSON, JSON lines or Markdown",
	.takes = TAKES_TABLE_AND_TRACES,
	.run = run_table,
	.formats = CLI_TABLE_FORMATS,
	.examples = "  stepscope table gaps trace.json.gz --sort -dur_ns --top 5\n"
		    "  stepscope table --all trace.json.gz -o tables/ --format jsonl\n"
		    "  stepscope table kernels trace.xplane.pb --step 8 --format csv > kernels.csv\n"
		    "  zcat trace.json.gz | stepscope table steps - --format json\n"};

const struct cli_command_info cli_notes_command = {.word = "notes",
						   .operands = "TRACE...",
						   .help = "what the import could not simply show",
						   .takes = TAKES_TRACES,
						   .run = run_notes,
						   .formats = CLI_TABLE_FORMATS,
						   .examples = "  stepscope notes trace.json.gz\n"};

unsigned cli_output_flags(const struct cli *c)
{
	return OUTPUT_CHECKED | (cli_has(c, OPT_FORCE) ? OUTPUT_FORCE : 0);
}

static bool is_input(const struct path_list *inputs, const struct stat *out)
{
	struct stat in;
	for (size_t i = 0; i < inputs->n; i++)
		if (stat(inputs->path[i], &in) == 0 && in.st_dev == out->st_dev && in.st_ino == out->st_ino)
			return true;
	return false;
}

bool cli_spares_input(const struct cli *c, const char *file, struct err *e)
{
	static const enum cli_option beside[] = {OPT_VS, OPT_CAPTURE};
	struct stat out;
	struct path_list inputs = {0};
	if (!file || stat(file, &out) != 0 || !S_ISREG(out.st_mode))
		return true;
	for (int i = 0; i < c->n_paths; i++)
		if (!paths_expand(&inputs, c->paths[i], NULL))
			break; /* told when it is opened */
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
		if (cli_has(c, beside[i]))
			paths_expand(&inputs, c->value[beside[i]], NULL);
	bool spared = !is_input(&inputs, &out);
	paths_free(&inputs);
	return spared || err_unwritten(e, "%.200s is a trace that is read here; write to another file", file);
}

bool cli_may_replace(const struct cli *c, unsigned flags, struct err *e)
{
	const char *file = c->value[OPT_OUTPUT];
	return !file || output_check(file, cli_output_flags(c) | flags, e);
}

bool cli_may_write(const struct cli *c, unsigned flags, struct err *e)
{
	return cli_may_replace(c, flags, e) && cli_spares_input(c, c->value[OPT_OUTPUT], e);
}

/* ---- explorer and overview -------------------------------------------------------------------------------------- */

static int run_overview(const struct cli *c, struct err *e)
{
	struct opened o;
	if (!opened_new(&o, c, e))
		return cli_failed(e);
	struct overview_req r = {.d = o.d,
				 .window = o.window,
				 .paths = c->paths,
				 .n_paths = c->n_paths,
				 .program = c->program,
				 .all_steps = cli_has(c, OPT_ALL_STEPS),
				 .ascii = !bundle_locale() || cli_has(c, OPT_ASCII)};
	bool sound = overview_text(&r, stdout, e);
	int code = sound ? cli_settle(c, derived_trace(o.d)) : cli_failed(e);
	opened_free(&o);
	return code;
}

static enum color_mode color_of(const struct cli *c)
{
	static const struct {
		const char *word;
		enum color_mode mode;
	} modes[] = {{"auto", COLOR_AUTO}, {"always", COLOR_AUTO}, {"never", COLOR_NEVER},        {"8", COLOR_8},
		     {"16", COLOR_16},     {"256", COLOR_256},     {"truecolor", COLOR_TRUECOLOR}};
	const char *no_color = getenv("NO_COLOR");
	for (size_t i = 0; cli_has(c, OPT_COLOR) && i < sizeof modes / sizeof *modes; i++)
		if (strcmp(modes[i].word, c->value[OPT_COLOR]) == 0)
			return modes[i].mode;
	return no_color && *no_color ? COLOR_NEVER : COLOR_AUTO;
}

bool cli_app_opts(const struct cli *c, struct app_opts *o, char word[static 128], struct err *e)
{
	uint32_t threads = 0;
	TRY(cli_number(c, OPT_THREADS, &threads, e));
	bundle_locale();
	*o = (struct app_opts){.paths = c->paths,
			       .n_paths = c->n_paths,
			       .capture = c->value[OPT_CAPTURE],
			       .derived = cli_derived_opts(c),
			       .color = color_of(c),
			       .theme = c->value[OPT_THEME],
			       .ascii = cli_has(c, OPT_ASCII),
			       .no_mouse = cli_has(c, OPT_NO_MOUSE),
			       .force = cli_has(c, OPT_FORCE),
			       .all_steps = cli_has(c, OPT_ALL_STEPS),
			       .spreadsheet = cli_has(c, OPT_SPREADSHEET),
			       .cache = !cli_has(c, OPT_NO_CACHE),
			       .threads = threads,
			       .redact = cli_has(c, OPT_REDACT),
			       .remember = !cli_has(c, OPT_NO_STATE),
			       .start_window = cli_window_word(c, word, 128),
			       .program = c->program};
	return true;
}

static int run_explorer(const struct cli *c, struct err *e)
{
	char word[128];
	struct app_opts o;
	if (!cli_app_opts(c, &o, word, e))
		return EXIT_USAGE;
	return app_run(&o, e);
}

bool cli_has_screen(void)
{
	const char *term = getenv("TERM");
	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* Without a trace: which ones there are. A script that forgot to name one must not go on as if all were well. */
static int run_choice(const struct cli *c, struct err *e)
{
	struct found_list l;
	if (cli_has_screen() && isatty(STDIN_FILENO) && !cli_has(c, OPT_SCREENSHOT))
		return run_explorer(c, e);
	found_traces(&l, ".");
	found_print(&l, stdout);
	found_free(&l);
	fflush(stdout);
	err_usage(e, "'%s' wants a trace: a file, a directory, or - for stdin; try '%s --help'", c->program,
		  c->program);
	return EXIT_USAGE;
}

static int run_open(const struct cli *c, struct err *e)
{
	if (cli_of_summary(c))
		return cli_summary_open(c, e);
	if (c->n_paths == 0)
		return run_choice(c, e);
	if (cli_has(c, OPT_SCREENSHOT))
		return cli_shot(c, e);
	if (!cli_shot_alone(c, e))
		return EXIT_USAGE;
	return cli_has_screen() ? run_explorer(c, e) : run_overview(c, e);
}

const struct cli_command_info cli_open_command = {
	.word = "",
	.operands = "[TRACE|DIR...]",
	.help = "open the explorer (without a trace: choose one); without a terminal on stdout: a text overview",
	.takes = TAKES_TRACES,
	.run = run_open,
	.exit_1 = "1 a finding warns or fails (findings), no live mode (doctor), nothing came (attach -o)",
	.examples = "  stepscope trace.json.gz                       look at a trace\n"
		    "  stepscope logs/plugins/profile/2024_01_02     a directory of hosts or ranks\n"
		    "  stepscope trace.xplane.pb | less              the text overview\n"
		    "  stepscope trace.json.gz --screenshot gap.svg --keys b   a picture of the biggest gap\n"};

/* Documents have none: a report is the same wherever it is written. */
static bool colours_text(const struct cli *c)
{
	unsigned coloured = IN_OPEN | IN_TABLE | IN_NOTES | IN_FINDINGS | IN_BRIEF;
	const char *when = c->value[OPT_COLOR], *none = getenv("NO_COLOR");
	if (!(1u << c->command & coloured) || cli_has(c, OPT_OUTPUT) || cli_has(c, OPT_SCREENSHOT))
		return false;
	if (when && strcmp(when, "auto") != 0)
		return strcmp(when, "never") != 0;
	return cli_has_screen() && !(none && *none);
}

/* Leaving the explorer does not wait for the cache entry; other commands finish it, so that the next one is fast. */
int cli_run(const struct cli *c, struct err *e)
{
	bool explores = (c->command == CMD_OPEN || c->command == CMD_WATCH) && cli_has_screen();
	tone_use(colours_text(c));
	int code = cli_command(c->command)->run(c, e);
	fflush(stdout);
	open_finish(!explores);
	return code;
}
