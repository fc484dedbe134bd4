/* tui/cli/cli.h - the command line as data: commands and options are listed once. Parser, dispatch, --help, the manual page and
 * the completions are made from these lists.
 * Add an option: a row of CLI_OPTIONS, and who asks for its value. Add a command: a row of CLI_COMMANDS, and a file with
 *          `cli_NAME_command` and what it runs. The manual has a place for more words than the help (tui/man).
 * Grammar: the first operand is a command or the first trace; options may stand anywhere; "--" ends them, and what
 *          follows it is never a command. "--opt=VALUE", "--opt VALUE", "-oVALUE", "-o VALUE".
 * Memory:  everything points into argv. */
#ifndef STEPSCOPE_CLI_H
#define STEPSCOPE_CLI_H
#include "model/store/base/err.h"
#include <stdio.h>

/* In the order of the help; OPEN, which has no word of its own, stands first. */
#define CLI_COMMANDS(_)         \
	_(OPEN, open)           \
	_(REPORT, report)       \
	_(EXPORT, export)       \
	_(TABLE, table)         \
	_(NOTES, notes)         \
	_(FINDINGS, findings)   \
	_(BRIEF, brief)         \
	_(DIFF, diff)           \
	_(PACK, pack)           \
	_(SUMMARIZE, summarize) \
	_(WATCH, watch)         \
	_(RUN, run)             \
	_(RECORD, record)       \
	_(ATTACH, attach)       \
	_(TRIGGER, trigger)     \
	_(DOCTOR, doctor)       \
	_(DUMP, dump)
enum cli_command {
#define CLI_COMMAND_ENUM(id, name) CMD_##id,
	CLI_COMMANDS(CLI_COMMAND_ENUM)
#undef CLI_COMMAND_ENUM
		CMD_COUNT
};
struct cli;
/* What stands after a command. */
enum cli_operands { TAKES_NOTHING, TAKES_TRACES, TAKES_TABLE_AND_TRACES, TAKES_FOLDER, TAKES_COMMAND, TAKES_PROCESSES };
struct cli_command_info {
	const char *word;     /* "" for OPEN */
	const char *operands; /* as the help writes them, "" = none */
	const char *help;     /* one line */
	enum cli_operands takes;
	int (*run)(const struct cli *c, struct err *e); /* exit code; fills e when that is 2, 3 or 5 */
	const char *formats;                            /* words of its --format, NULL = it has none */
	const char *exit_1;                             /* what exit code 1 means, NULL = it has none */
	const char *examples;                           /* lines of the help, each with its end of line */
};
/* The row of the command in the list. */
const struct cli_command_info *cli_command(enum cli_command command);
#define CLI_COMMAND_EXTERN(id, name) extern const struct cli_command_info cli_##name##_command;
CLI_COMMANDS(CLI_COMMAND_EXTERN)
#undef CLI_COMMAND_EXTERN

/* Where an option means something. */
enum {
#define CLI_COMMAND_BIT(id, name) IN_##id = 1 << CMD_##id,
	CLI_COMMANDS(CLI_COMMAND_BIT)
#undef CLI_COMMAND_BIT
		IN_ALL = (1 << CMD_COUNT) - 1,
	IN_LIVE = IN_RUN | IN_RECORD | IN_ATTACH,
	IN_EXPLORER = IN_OPEN | IN_WATCH | IN_RUN | IN_ATTACH,
	IN_SCREEN = IN_EXPLORER | IN_DIFF, /* all that may take the screen */
	IN_WINDOWS = IN_OPEN | IN_REPORT | IN_EXPORT | IN_TABLE | IN_FINDINGS | IN_BRIEF | IN_DIFF | IN_DUMP,
	IN_VIEWS = IN_WINDOWS | IN_NOTES | IN_SUMMARIZE | IN_EXPLORER,         /* all that ask questions of the trace */
	IN_TRACES = IN_WINDOWS | IN_NOTES | IN_PACK | IN_SUMMARIZE | IN_WATCH, /* all that open files */
	WITH_VERSION = 1 << 24,                                                /* also with --version */
	ONE_OF_THESE = 1 << 25 /* of the options that have it only one may be given */
};
/* What a value may be: checked where it says so, offered by the completions of the shells. */
enum cli_value {
	VALUE_TEXT,
	VALUE_CHOICE,  /* one of `words`, nothing else */
	VALUE_OFFER,   /* anything; `words` are offered */
	VALUE_AMOUNT,  /* a number above 0: 25e6, 7B */
	VALUE_SHIFT,   /* clocks by rank: 3=+3ms */
	VALUE_RATE,    /* bytes per second: 10GB/s, 200Gbit/s */
	VALUE_FILE,    /* a file; `words` are offered, too */
	VALUE_FORMAT,  /* the command's formats */
	VALUE_BY,      /* what the table can be grouped by */
	VALUE_KINDS,   /* what can be recorded */
	VALUE_RULE,    /* a rule of the findings */
	VALUE_THEME,   /* a theme */
	VALUE_PROCESS, /* a process id */
};

/* clang-format off */
/*   id        long       short  argument value  words                          where                       in a few words, for completions
 *             help */
#define CLI_OPTIONS(_) \
	_(WINDOW,    "window",     0,  "WHAT",  OFFER,  "all gap:biggest",             IN_WINDOWS | ONE_OF_THESE,  "what part", \
	  "what part: 12.5ms..20ms, step:8..9, gap:3, gap:biggest, all") \
	_(STEP,      "step",       0,  "N[..M]", OFFER, "last slowest",                IN_WINDOWS | ONE_OF_THESE,  "N, N..M, last or slowest", \
	  "short for --window step:N[..M]; also last, slowest") \
	_(RANK,      "rank",       0,  "N",     TEXT,   NULL,                          IN_REPORT | IN_EXPORT | IN_TABLE | IN_FINDINGS | IN_BRIEF | IN_DIFF, "one rank alone", \
	  "only this rank, as if its file had been opened by itself; in a trace without ranks, GPU N") \
	_(GAP,       "gap",        0,  "ID",    OFFER,  "biggest",                     IN_WINDOWS | ONE_OF_THESE,  "id of a gap", \
	  "short for --window gap:ID; the table 'gaps' lists the ids") \
	_(FORMAT,    "format",     0,  "WORD",  FORMAT, NULL,                          IN_REPORT | IN_TABLE | IN_EXPORT | IN_NOTES | IN_FINDINGS | IN_DIFF, "format", \
	  "report: md, html, svg, json, text (by -o's ending, else md); table: text, csv, json, jsonl, md; export: csv, jsonl for a folder; diff: text, json, md, html") \
	_(SPREADSHEET, "spreadsheet", 0, NULL,  TEXT,   NULL,                          IN_EXPLORER | IN_TABLE | IN_NOTES | IN_FINDINGS, "CSV that no spreadsheet runs as formulas", \
	  "CSV: put a ' before texts that begin with = + - @ or a tab, so that no spreadsheet runs them as a formula") \
	_(OUTPUT,    "output",     'o', "FILE", FILE,   NULL,                          IN_REPORT | IN_EXPORT | IN_TABLE | IN_DIFF | IN_PACK | IN_SUMMARIZE | IN_RECORD | IN_ATTACH | IN_TRIGGER, "output file", \
	  "write to FILE, completely or not at all; report, table, diff: - is stdout, the default") \
	_(FILTER,    "filter",     0,  "EXPR",  TEXT,   NULL,                          IN_REPORT | IN_TABLE | IN_DUMP, "only these events", \
	  "only these events: name=/gemm/ kind=kernel dur>20us stream=7 step=5 !name=x") \
	_(SORT,      "sort",       0,  "COL",   TEXT,   NULL,                          IN_TABLE,                   "column", \
	  "by this column; -COL or COL:desc for largest first") \
	_(TOP,       "top",        0,  "N",     TEXT,   NULL,                          IN_TABLE,                   "rows", \
	  "only the first N rows after sorting, 0 = all; without it a terminal shows the first 1,000") \
	_(ALL_COLUMNS, "all-columns", 0, NULL,  TEXT,   NULL,                          IN_TABLE | IN_EXPORT,       "every column, and every recorded attribute of events", \
	  "every column, even where the terminal has no room; table events: every recorded attribute too") \
	_(ALL,       "all",        0,  NULL,    TEXT,   NULL,                          IN_TABLE,                   "every table into a folder", \
	  "every table, each into a file of the folder that -o names") \
	_(COLUMNS,   "columns",    0,  "A,B",   TEXT,   NULL,                          IN_TABLE,                   "only these columns, in this order", \
	  "only these columns, in this order, separated by commas") \
	_(BY,        "by",         0,  "WORD",  BY,     NULL,                          IN_TABLE,                   "how to group the rows", \
	  "tables kernels, ops, roofline, launches, tiny_ops, memory_peak: how to group the rows; gaps: which kind to list; a wrong word prints those that the table accepts") \
	_(IDLE,      "idle",       0,  NULL,    TEXT,   NULL,                          IN_TABLE,                   "table ops: idle time as rows", \
	  "table ops: idle time of devices and threads as rows") \
	_(NAMES,     "names",      0,  "WORD",  CHOICE, "full short family",           IN_TABLE,                   "length of kernel names", \
	  "kernel names: all of C++, what distinguishes them (text and md when not given), or what they do") \
	_(FAIL_ON,   "fail-on",    0,  "WORD",  CHOICE, "warn fail never",             IN_FINDINGS,                "exit 1 when a finding is this bad", \
	  "exit 1 when a finding is at least this bad; warn when not given") \
	_(EXPLAIN,   "explain",    0,  "RULE",  RULE,   NULL,                          IN_FINDINGS,                "how a rule reached its finding", \
	  "how RULE (or all) reached its finding, or why there is none: its inputs and where to find them, formula, thresholds, events") \
	_(EVERY_K,   "every-k",    0,  "N",     TEXT,   NULL,                          IN_REPORT | IN_TABLE,       "what if work between steps ran every N steps", \
	  "gap_groups and reports: what if work between steps ran every N steps; 10 when not given") \
	_(VS,        "vs",         0,  "TRACE", FILE,  NULL,                          IN_TABLE | IN_REPORT | IN_FINDINGS | IN_DIFF, "the run after, to compare with", \
	  "table, report: the same of another run next to it; findings: what has become of each piece of advice; diff: what follows it are repetitions of the run after, what precedes it repetitions of the run before") \
	_(VS_RANK,   "vs-rank",    0,  "N",    TEXT,  NULL,                          IN_TABLE | IN_DIFF,         "rank of the run after", \
	  "rank in the run after, where --rank is that in the run before; with one trace, of the same trace") \
	_(VS_STEP,   "vs-step",    0,  "N[..M]", TEXT, NULL,                          IN_TABLE | IN_DIFF,         "step of the run after", \
	  "step in the run after, where --step is that in the run before; with one trace, of the same trace") \
	_(VS_WINDOW, "vs-window",  0,  "WHAT",  OFFER, "all gap:biggest",             IN_TABLE | IN_DIFF,         "part of the run after", \
	  "what part of the run after, as --window; with one trace, of the same trace") \
	_(BASELINE,  "baseline",   0,  "FILE",  FILE,  NULL,                          IN_DIFF,                    "the run before", \
	  "the run before, as a saved file that a pipeline keeps") \
	_(GATE,      "gate",       0,  "LIMIT", TEXT,  NULL,                          IN_DIFF,                    "exit 1 beyond this limit; repeatable", \
	  "exit 1 where a change exceeds this: 'step +3%', 'input_pct +5', 'findings new'; a key of the overview and how far it may change; may be given several times") \
	_(ALLOW_UNJUDGED, "allow-unjudged", 0, NULL, TEXT, NULL,                      IN_DIFF,                    "a gate that cannot judge passes", \
	  "a gate that cannot judge, because the runs vary too much among themselves, passes") \
	_(STEPS_BY,  "steps-by",   0,  "REGEX", TEXT,   NULL,                          IN_VIEWS,                   "host events that match are the step markers", \
	  "host events whose name matches are the step markers") \
	_(ALL_STEPS, "all-steps",  0,  NULL,    TEXT,   NULL,                          IN_REPORT | IN_EXPORT | IN_TABLE | IN_FINDINGS | IN_BRIEF | IN_DIFF | IN_EXPLORER, "means over all steps, warm-up included", \
	  "means, shares and what-ifs over all steps, including warm-up and outliers; otherwise over the steady ones") \
	_(PARAMETERS, "parameters", 0, "N",     AMOUNT, NULL,                          IN_VIEWS,                   "parameters of the model", \
	  "parameters of the model, like 25e6 or 7B: a step's only AllReduce sends 4 bytes for each, where its size is not recorded") \
	_(LINK_BANDWIDTH, "link-bandwidth", 0, "RATE", RATE, NULL,                     IN_VIEWS,                   "what a link between devices carries", \
	  "bandwidth of a link between devices, like 10GB/s or 200Gbit/s: how long collectives should take") \
	_(PARAMETER_BYTES, "parameter-bytes", 0, "N", AMOUNT, NULL,                   IN_VIEWS,                   "bytes of the weights that an iteration reads", \
	  "bytes of weights that an iteration of a server reads, like 16e9: how long reading them takes at least") \
	_(KV_BYTES,  "kv-bytes-per-token", 0, "N", AMOUNT, NULL,                       IN_VIEWS,                   "bytes of the key-value cache for each token", \
	  "bytes of the key-value cache for each token of the context, all layers together, like 144e3: with --parameter-bytes") \
	_(CAPTURE,   "capture",    0,  "TRACE", FILE,  NULL,                          IN_WINDOWS | IN_NOTES | IN_PACK, "the capture of the graphs that the trace replays", \
	  "trace in which replayed graphs were captured: it names what they run; a folder that holds both traces needs no option") \
	_(SHIFT,     "shift",      0,  "RANK=TIME", SHIFT, NULL,                       IN_VIEWS,                   "move the clock of a rank", \
	  "move the clock of a rank by hand, like 3=+3ms or 3=+3ms,5=-20us; otherwise hosts are aligned by their collectives where recorded times disagree") \
	_(SEMANTICS, "semantics",  0,  "WORD",  CHOICE, "stepscope xprof hta kineto",  IN_VIEWS,                   "compute numbers as that tool does", \
	  "compute numbers as that tool does where it differs from the default") \
	_(TC_RULES,  "tc-rules",   0,  "R",     FILE,   "stepscope xprof kineto",      IN_VIEWS,                   "Tensor Core rules", \
	  "Tensor Core rules: stepscope (and kernels.rules of the config directory), xprof, kineto, or a file") \
	_(REDACT,    "redact",     0,  NULL,    TEXT,   NULL,                          IN_EXPLORER | IN_REPORT | IN_EXPORT, "hash names that somebody chose: files, hosts, threads, ranges, modules, steps", \
	  "reports, exports: hash the names of files, hosts, threads and Python functions; exports: also every name that a user chose, with a new salt each time") \
	_(SECTIONS,  "sections",   0,  "LIST",  TEXT,   NULL,                          IN_REPORT,                  "which tables it contains", \
	  "which tables the report contains, by name, as findings,steps,kernels; none: only the first lines and the picture") \
	_(TITLE,     "title",      0,  "TEXT",  TEXT,   NULL,                          IN_REPORT,                  "its heading", \
	  "heading of the report, instead of its own") \
	_(NOTE,      "note",       0,  "TEXT",  TEXT,   NULL,                          IN_REPORT,                  "a line of your own", \
	  "a line of your own below the verdict") \
	_(BRIEF,     "brief",      0,  NULL,    TEXT,   NULL,                          IN_REPORT,                  "what fits a chat message", \
	  "md and text: what fits a chat message, below 2,000 characters") \
	_(FORCE,     "force",      'f', NULL,   TEXT,   NULL,                          IN_EXPLORER | IN_REPORT | IN_EXPORT | IN_TABLE | IN_DIFF | IN_PACK | IN_SUMMARIZE | IN_RECORD | IN_TRIGGER, "overwrite an existing output file", \
	  "overwrite an existing output file") \
	_(COLOR,     "color",      0,  "WHEN",  CHOICE, "auto always never 8 16 256 truecolor", IN_ALL,            "colours", \
	  "colours in the explorer, tables, findings and brief; auto: on a terminal, unless NO_COLOR is set") \
	_(THEME,     "theme",      0,  "NAME",  THEME,  NULL,                          IN_SCREEN,                  "colour theme", \
	  "colour theme of the explorer") \
	_(ASCII,     "ascii",      0,  NULL,    TEXT,   NULL,                          IN_SCREEN | IN_REPORT | IN_FINDINGS, "draw with ASCII characters only", \
	  "draw with ASCII characters only") \
	_(NO_MOUSE,  "no-mouse",   0,  NULL,    TEXT,   NULL,                          IN_SCREEN,                  "leave the mouse to the terminal", \
	  "leave the mouse to the terminal") \
	_(NO_STATE,  "no-state",   0,  NULL,    TEXT,   NULL,                          IN_SCREEN,                  "remember nothing from run to run", \
	  "neither use nor save what the explorer remembers from run to run") \
	_(SCREENSHOT, "screenshot", 0, "FILE",  FILE,   NULL,                          IN_OPEN,                    "the screen as .svg, .ans or .txt", \
	  "write the explorer's screen to FILE (.svg, .ans: coloured text, .txt) instead of opening it") \
	_(KEYS,      "keys",       0,  "WORDS", TEXT,   NULL,                          IN_OPEN,                    "keys before the screenshot", \
	  "with --screenshot: keys to press before, as in --keys 'b Enter' or --keys ':table Space copies Enter'") \
	_(SIZE,      "size",       0,  "COLSxROWS", TEXT, NULL,                        IN_OPEN,                    "size of the screenshot", \
	  "with --screenshot: columns and rows, 100x30 when not given") \
	_(VIEW,      "view",       0,  NULL,    TEXT,   NULL,                          IN_RUN,                     "open the explorer on the command", \
	  "open the explorer; what the command prints goes to a file, which it shows") \
	_(KEEP,      "keep",       0,  "HOW",   OFFER,  "512MiB 60s all",              IN_LIVE,                    "what is kept", \
	  "what is kept: 512MiB of records, or the last 60s; record: all, when not given") \
	_(KINDS,     "kinds",      0,  "WORDS", KINDS,  NULL,                          IN_LIVE,                    "what is recorded", \
	  "what is recorded: default, all, or words joined by commas; 'doctor' lists them") \
	_(GRAPHS,    "graphs",     0,  "WORD",  CHOICE, "nodes whole",                 IN_RUN | IN_RECORD,         "CUDA graphs: every node or whole launches", \
	  "CUDA graphs: every node, or one record for each launch, which costs less") \
	_(YIELD,     "yield",      0,  NULL,    TEXT,   NULL,                          IN_RUN,                     "leave CUPTI to others while no viewer is connected", \
	  "while no viewer is connected, leave CUPTI to the framework's own profiler") \
	_(PRELOAD,   "preload",    0,  NULL,    TEXT,   NULL,                          IN_RUN | IN_RECORD,         "experimental: use LD_PRELOAD", \
	  "experimental: use LD_PRELOAD, where CUDA_INJECTION64_PATH has no effect; read the manual first") \
	_(FOR,       "for",        0,  "TIME",  TEXT,   NULL,                          IN_ATTACH | IN_TRIGGER,     "how long: 10s, 500ms", \
	  "how long: 10s, 500ms; attach -o: until the process ends, when not given") \
	_(PID,       "pid",        0,  "PID",   PROCESS, NULL,                         IN_TRIGGER,                 "only this process", \
	  "only this process") \
	_(ITERATIONS, "iterations", 0, "N",     TEXT,   NULL,                          IN_TRIGGER,                 "training steps instead of a time", \
	  "N training steps instead of a time") \
	_(QUIET,     "quiet",      'q', NULL,   TEXT,   NULL,                          IN_ALL,                     "no progress and no warnings on stderr", \
	  "no progress and no warnings on stderr; errors and exit codes are unchanged") \
	_(NO_CACHE,  "no-cache",   0,  NULL,    TEXT,   NULL,                          IN_TRACES,                  "neither use the cache nor add to it", \
	  "read the file itself: neither use the cache of imported traces nor add to it") \
	_(THREADS,   "threads",    0,  "N",     TEXT,   NULL,                          IN_TRACES,                  "import on at most N threads", \
	  "import on at most N threads (default: one per core, at most 4)") \
	_(NO_CONFIG, "no-config",  0,  NULL,    TEXT,   NULL,                          IN_ALL,                     "ignore the file of default options", \
	  "ignore the file of default options") \
	_(HELP,      "help",       'h', NULL,   TEXT,   NULL,                          IN_ALL | WITH_VERSION,      "help", \
	  "help; with a command or a table: for that; --help all: everything") \
	_(VERSION,   "version",    'V', NULL,   TEXT,   NULL,                          IN_ALL | WITH_VERSION,      "the version", \
	  "print the version") \
	_(JSON,      "json",       0,  NULL,    TEXT,   NULL,                          IN_BRIEF | WITH_VERSION,    "as JSON", \
	  "brief, --version: as one JSON object")
/* clang-format on */
enum cli_option {
#define CLI_OPTION_ENUM(id, ...) OPT_##id,
	CLI_OPTIONS(CLI_OPTION_ENUM)
#undef CLI_OPTION_ENUM
		OPT_COUNT
};
struct cli_option_info {
	const char *word;
	char letter;     /* 0 = none */
	const char *arg; /* NULL: a switch */
	enum cli_value value;
	const char *words; /* separated by blanks; NULL = none */
	unsigned where;
	const char *brief, *help;
};
/* The row of the option in the list. */
const struct cli_option_info *cli_option(enum cli_option o);
/* Words that completions offer for the value of `o` after this command, separated by blanks; "" = none. table: whose words
 * are wanted, NULL = those of all tables. Returns buf. */
const char *cli_words(enum cli_option o, enum cli_command command, const char *table, char *buf, size_t size);

enum { CLI_GATES = 32 };
struct cli {
	enum cli_command command;
	const char *program;          /* last part of argv[0] */
	const char *value[OPT_COUNT]; /* a switch that was given has "" */
	const char *name; /* CMD_TABLE: which table; with --help: of which, or "all"; NULL: none was named */
	const char *gates[CLI_GATES]; /* every --gate */
	int n_gates;
	int vs_at;                /* operands before --vs */
	const char *const *paths; /* of run and record: the command's words, ended by NULL */
	int n_paths;
};
/* Reorders argv: operands end up after each other. False with a usage error otherwise. */
bool cli_parse(struct cli *c, int argc, char **argv, struct err *e);
static inline bool cli_has(const struct cli *c, enum cli_option o)
{
	return c->value[o] != NULL;
}
/* Of a value that is checked; it must stay. False with a usage error. */
bool cli_set_option(struct cli *c, int o, const char *value, struct err *e);
int cli_find_option(const char *word,
		    struct err *e);     /* its place in the list; -1 with a usage error that names the nearest */
int cli_find_command(const char *word); /* -1: there is none */
bool cli_is_choice(const char *choices, const char *word); /* choices: words separated by blanks */
/* Of the table or command that is named; for CMD_OPEN what one begins with, of "all" everything. */
void cli_help(FILE *out, const struct cli *c);
void cli_version(FILE *out, const struct cli *c); /* text or JSON */
/* Word of the command for messages: "stepscope report". */
const char *cli_called(const struct cli *c, char *buf, unsigned long size);

/* Does what was asked. Data goes to stdout. Returns the exit code; fills e when that is 2, 3 or 5. */
int cli_run(const struct cli *c, struct err *e);

/* Added to the exit code of a command that was run: it goes out as it is, and e is told only when it says something. */
enum { EXIT_OF_COMMAND = 1 << 8 };
enum { EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };
enum { EXIT_FINE = 0, EXIT_STANDS = 1, EXIT_USAGE = 2, EXIT_UNREADABLE = 3, EXIT_PARTLY = 4, EXIT_UNWRITTEN = 5 };
/* Out of memory: message and exit code, by what the program was doing (memory.h). */
struct cli_exhausted {
	const char *text; /* one sentence and what to do, as err.h wants messages */
	int code;
};
const struct cli_exhausted *cli_exhausted(void);
int cli_failed(const struct err *e); /* exit code of an error */
#endif
