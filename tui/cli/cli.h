/* tui/cli/cli.h - the command line as data: commands and options are listed once; parser, --help, completion tests and the
 * manual page's test read the same lists.
 * Grammar: the first operand is a command or the first trace; options may stand anywhere; "--" ends them, and what
 *          follows it is never a command. "--opt=VALUE", "--opt VALUE", "-oVALUE", "-o VALUE".
 * Memory:  everything points into argv. */
#ifndef STEPSCOPE_CLI_H
#define STEPSCOPE_CLI_H
#include "model/store/base/err.h"
#include <stdio.h>

/* clang-format off */
/*   id      word      operands       one line */
#define CLI_COMMANDS(_) \
	_(OPEN,   "",       "TRACE|DIR...",   "open the explorer; without a terminal on stdout: a text overview") \
	_(REPORT, "report", "TRACE...",       "write a report of a window, a step or a gap for a colleague") \
	_(TABLE,  "table",  "NAME TRACE...",  "print one table as text, CSV, JSON or Markdown") \
	_(NOTES,  "notes",  "TRACE...",       "what the import met that it could not simply show") \
	_(FINDINGS, "findings", "TRACE...",   "what the rules say, worst first; exit 1 when one of them warns or fails") \
	_(PACK,   "pack",   "TRACE...",       "write the imported trace as one small file that opens at once") \
	_(WATCH,  "watch",  "DIR",            "open every new profile that is written below a folder") \
	_(RUN,    "run",    "-- COMMAND...",  "start a command so that it can be watched; --view opens the explorer on it") \
	_(RECORD, "record", "-o OUT -- COMMAND...", "run a command and write what its GPUs did to a file") \
	_(ATTACH, "attach", "[PID...]",       "watch processes that 'run' has started; without PID: list them") \
	_(TRIGGER, "trigger", "",             "ask processes started with KINETO_USE_DAEMON=1 for a profile, as dynolog does") \
	_(DOCTOR, "doctor", "",               "say what live mode finds on this machine, and what to do about it")
/* clang-format on */
enum cli_command {
#define CLI_COMMAND_ENUM(id, word, operands, help) CMD_##id,
	CLI_COMMANDS(CLI_COMMAND_ENUM)
#undef CLI_COMMAND_ENUM
		CMD_COUNT
};
enum {
	IN_OPEN = 1,
	IN_REPORT = 2,
	IN_TABLE = 4,
	IN_NOTES = 8,
	IN_FINDINGS = 16,
	IN_PACK = 32,
	IN_WATCH = 64,
	IN_RUN = 128,
	IN_RECORD = 256,
	IN_ATTACH = 512,
	IN_TRIGGER = 1024,
	IN_DOCTOR = 2048,
	IN_LIVE = IN_RUN | IN_RECORD | IN_ATTACH,
	IN_EXPLORER = IN_OPEN | IN_WATCH | IN_RUN | IN_ATTACH,
	IN_VIEWS = 31 | IN_EXPLORER, /* all that ask questions of the trace */
	IN_TRACES = 63 | IN_WATCH,   /* all that open files */
	IN_ALL = IN_TRACES | IN_LIVE | IN_TRIGGER | IN_DOCTOR,
	WITH_VERSION = 1 << 16
};

/* clang-format off */
/*   id        long       short  argument choices                            where                       help */
#define CLI_OPTIONS(_) \
	_(WINDOW,    "window",     0,  "WHAT",  NULL,                              IN_OPEN | IN_REPORT | IN_TABLE | IN_FINDINGS, "what part: 12.5ms..20ms, step:8..9, gap:3, gap:biggest, all") \
	_(STEP,      "step",       0,  "N[..M]", NULL,                             IN_OPEN | IN_REPORT | IN_TABLE | IN_FINDINGS, "short for --window step:N[..M]") \
	_(GAP,       "gap",        0,  "ID",    NULL,                              IN_OPEN | IN_REPORT | IN_TABLE | IN_FINDINGS, "short for --window gap:ID; the table 'gaps' lists the ids") \
	_(FORMAT,    "format",     0,  "WORD",  NULL,                              IN_REPORT | IN_TABLE | IN_NOTES | IN_FINDINGS, "report: md, html, svg, json, text (by -o's ending, else md); table: text, csv, json, md") \
	_(SPREADSHEET, "spreadsheet", 0, NULL,  NULL,                              IN_EXPLORER | IN_TABLE | IN_NOTES | IN_FINDINGS, "CSV: a ' before texts that begin with = + - @ or a tab, so that no spreadsheet runs them as a formula") \
	_(OUTPUT,    "output",     'o', "FILE", NULL,                              IN_REPORT | IN_PACK | IN_RECORD | IN_ATTACH | IN_TRIGGER,  "write to FILE, as a whole or not at all; report: - is stdout, the default") \
	_(FILTER,    "filter",     0,  "EXPR",  NULL,                              IN_REPORT | IN_TABLE, "only these events: name=/gemm/ kind=kernel dur>20us stream=7 step=5 !name=x") \
	_(SORT,      "sort",       0,  "COL",   NULL,                              IN_TABLE,             "by this column; -COL or COL:desc for largest first") \
	_(TOP,       "top",        0,  "N",     NULL,                              IN_TABLE,             "only the first N rows after sorting") \
	_(ALL_COLUMNS, "all-columns", 0, NULL,  NULL,                              IN_TABLE,             "every column, also where the terminal has no room; table events: every recorded attribute, too") \
	_(BY,        "by",         0,  "WORD",  NULL,                              IN_TABLE,             "tables ops, roofline, launches, tiny_ops: how to group the rows; a wrong word names those that the table knows") \
	_(IDLE,      "idle",       0,  NULL,    NULL,                              IN_TABLE,             "table ops: idle time of devices and threads as rows") \
	_(NAMES,     "names",      0,  "WORD",  "full short family",               IN_TABLE,             "kernel names: all of C++, what tells them apart (text and md when not given), or what they do") \
	_(FAIL_ON,   "fail-on",    0,  "WORD",  "warn fail never",                 IN_FINDINGS,          "exit 1 when a finding is at least this bad; warn when not given") \
	_(EVERY_K,   "every-k",    0,  "N",     NULL,                              IN_REPORT | IN_TABLE, "gap_groups and reports: what if work between steps ran every N steps; 10 when not given") \
	_(STEPS_BY,  "steps-by",   0,  "REGEX", NULL,                              IN_VIEWS,             "host events whose name matches are the step markers") \
	_(SEMANTICS, "semantics",  0,  "WORD",  "stepscope xprof hta kineto",      IN_VIEWS,             "compute numbers as that tool does where it differs from the default") \
	_(TC_RULES,  "tc-rules",   0,  "R",     NULL,                              IN_VIEWS,             "Tensor Core rules: stepscope (and kernels.rules of the config directory), xprof, kineto, or a file") \
	_(REDACT,    "redact",     0,  NULL,    NULL,                              IN_EXPLORER | IN_REPORT,  "reports: hash the names of files, hosts and threads") \
	_(FORCE,     "force",      'f', NULL,   NULL,                              IN_EXPLORER | IN_REPORT | IN_PACK | IN_RECORD | IN_TRIGGER, "overwrite an existing output file") \
	_(COLOR,     "color",      0,  "WHEN",  "auto never 8 16 256 truecolor",   IN_EXPLORER,              "colours of the explorer; NO_COLOR in the environment means never") \
	_(THEME,     "theme",      0,  "NAME",  NULL,                              IN_EXPLORER,              "colour theme of the explorer") \
	_(ASCII,     "ascii",      0,  NULL,    NULL,                              IN_EXPLORER | IN_REPORT | IN_FINDINGS, "draw with ASCII characters only") \
	_(NO_MOUSE,  "no-mouse",   0,  NULL,    NULL,                              IN_EXPLORER,              "leave the mouse to the terminal") \
	_(VIEW,      "view",       0,  NULL,    NULL,                              IN_RUN,               "open the explorer; what the command prints goes to a file, which it shows") \
	_(KEEP,      "keep",       0,  "HOW",   NULL,                              IN_LIVE,              "what is kept: 512MiB of records, or the last 60s; record: all, when not given") \
	_(KINDS,     "kinds",      0,  "WORDS", NULL,                              IN_LIVE,              "what is recorded: default, all, or words joined by commas; 'doctor' lists them") \
	_(GRAPHS,    "graphs",     0,  "WORD",  "nodes whole",                     IN_RUN | IN_RECORD,   "CUDA graphs: every node, or one record for each launch, which costs less") \
	_(YIELD,     "yield",      0,  NULL,    NULL,                              IN_RUN,               "while nobody watches, leave CUPTI to the framework's own profiler") \
	_(PRELOAD,   "preload",    0,  NULL,    NULL,                              IN_RUN | IN_RECORD,   "experimental: get in by LD_PRELOAD, where CUDA_INJECTION64_PATH does nothing; read the manual first") \
	_(FOR,       "for",        0,  "TIME",  NULL,                              IN_ATTACH | IN_TRIGGER, "how long: 10s, 500ms; attach -o: until the process ends, when not given") \
	_(PID,       "pid",        0,  "PID",   NULL,                              IN_TRIGGER,           "only this process") \
	_(ITERATIONS, "iterations", 0, "N",     NULL,                              IN_TRIGGER,           "N training steps instead of a time") \
	_(QUIET,     "quiet",      'q', NULL,   NULL,                              IN_ALL,               "no progress and no warnings on stderr; errors and exit codes stay") \
	_(NO_CACHE,  "no-cache",   0,  NULL,    NULL,                              IN_TRACES,               "read the source: neither look into the cache of imported traces nor add to it") \
	_(THREADS,   "threads",    0,  "N",     NULL,                              IN_TRACES,               "import on at most N threads (default: one per core, at most 4)") \
	_(HELP,      "help",       'h', NULL,   NULL,                              IN_ALL | WITH_VERSION, "this help; with a command: the help of that command") \
	_(VERSION,   "version",    'V', NULL,   NULL,                              IN_ALL | WITH_VERSION, "the version and nothing else") \
	_(JSON,      "json",       0,  NULL,    NULL,                              WITH_VERSION,          "with --version: as one JSON object")
/* clang-format on */
enum cli_option {
#define CLI_OPTION_ENUM(id, word, letter, arg, choices, where, help) OPT_##id,
	CLI_OPTIONS(CLI_OPTION_ENUM)
#undef CLI_OPTION_ENUM
		OPT_COUNT
};
struct cli_option_info {
	const char *word;
	char letter;         /* 0 = none */
	const char *arg;     /* NULL: a switch */
	const char *choices; /* words separated by blanks, NULL = free text */
	unsigned where;
	const char *help;
};
const struct cli_option_info *cli_option(enum cli_option o);

struct cli {
	enum cli_command command;
	const char *program;          /* last part of argv[0] */
	const char *value[OPT_COUNT]; /* a switch that was given has "" */
	const char *name;             /* CMD_TABLE: which table */
	const char *const *paths;     /* of run and record: the command's words, ended by NULL */
	int n_paths;
};
/* Reorders argv: operands end up behind each other. False with a usage error otherwise. */
bool cli_parse(struct cli *c, int argc, char **argv, struct err *e);
static inline bool cli_has(const struct cli *c, enum cli_option o)
{
	return c->value[o] != NULL;
}
bool cli_is_choice(const char *choices, const char *word); /* choices: words separated by blanks */
/* The one of `words` that was probably meant by `word`, NULL = none looks like it; NULL and "" among them are left out. */
const char *cli_nearest(const char *word, const char *const *words, unsigned n);
void cli_help(FILE *out, const struct cli *c);    /* of the command; of the whole program for CMD_OPEN */
void cli_version(FILE *out, const struct cli *c); /* text or JSON */
/* Word of the command for messages: "stepscope report". */
const char *cli_called(const struct cli *c, char *buf, unsigned long size);

/* Does what was asked. Data goes to stdout. Returns the exit code; fills e when that is 2, 3 or 5. */
int cli_run(const struct cli *c, struct err *e);

/* Added to the exit code of a command that was run: it goes out as it is, and e is told only when it says something. */
enum { EXIT_OF_COMMAND = 1 << 8 };
enum { EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };
enum { EXIT_FINE = 0, EXIT_STANDS = 1, EXIT_USAGE = 2, EXIT_UNREADABLE = 3, EXIT_PARTLY = 4, EXIT_UNWRITTEN = 5 };
/* Out of memory: what it means for whoever started the program, by what it was about (memory.h). */
struct cli_exhausted {
	const char *text; /* one sentence and what to do, as err.h wants messages */
	int code;
};
const struct cli_exhausted *cli_exhausted(void);
int cli_failed(const struct err *e); /* exit code of an error */
#endif
