/* tui/cli/cli_summarize.c - `stepscope summarize`: what the tables of several ranks need, as a small file; and several of them as one. */
#include "cli_live.h"
#include "cli_open.h"
#include "model/store/base/memory.h"
#include "model/summary/summary.h"
#include "tui/app/app.h"
#include "tui/tables/human_table.h"
#include "tui/text/words.h"
#include <stdlib.h>
#include <string.h>

static bool as_lines(const struct cli *c)
{
	const char *dot = strrchr(words_base(c->value[OPT_OUTPUT]), '.');
	return dot && !strcmp(dot, ".jsonl");
}

static bool check_output(const struct cli *c, struct err *e)
{
	const char *file = c->value[OPT_OUTPUT], *dot = file ? strrchr(words_base(file), '.') : NULL;
	if (!file)
		return err_usage(e, "summarize wants the file to write: -o RUN.sqlite or -o RUN.jsonl");
	if (!dot || (strcmp(dot, ".sqlite") != 0 && strcmp(dot, ".jsonl") != 0))
		return err_usage(e, "summarize writes .sqlite and .jsonl, not '%.80s'", words_base(file));
	unsigned flags = as_lines(c) ? 0 : OUTPUT_BINARY;
	return cli_of_summary(c) ? cli_may_replace(c, flags, e) : cli_may_write(c, flags, e);
}

/* The traces of the command line, all together; code: whether they were read in part only. */
static bool add_traces(struct summary_file *f, const struct cli *c, const char *const *paths, int n, int *code,
		       struct err *e)
{
	struct cli only = *c;
	struct opened o;
	struct arena mem = {0};
	struct summary s;
	only.paths = paths;
	only.n_paths = n;
	if (!opened_new(&o, &only, e))
		return false;
	bool ok = summary_make(o.d, &mem, NULL, &s, e) && summary_file_add(f, &s, e);
	*code = cli_settle(&only, derived_trace(o.d));
	arena_free(&mem);
	opened_free(&o);
	return ok;
}

static bool add_all(struct summary_file *f, const struct cli *c, int *code, struct err *e)
{
	const char **traces = must(calloc((size_t)c->n_paths + 1, sizeof *traces));
	int n = 0;
	bool ok = true;
	for (int i = 0; ok && i < c->n_paths; i++)
		if (summary_is(c->paths[i]))
			ok = summary_file_merge(f, c->paths[i], e);
		else
			traces[n++] = c->paths[i];
	ok = ok && (!n || add_traces(f, c, traces, n, code, e));
	free(traces);
	return ok;
}

static bool write_lines(struct summary_file *f, const struct cli *c, struct err *e)
{
	struct arena mem = {0};
	struct summary s;
	bool ok = summary_file_rows(f, &mem, &s, e);
	struct output *o = ok ? output_open(c->value[OPT_OUTPUT], cli_output_flags(c), e) : NULL;
	if (o)
		summary_write_json(&s, output_stream(o));
	ok = o && output_close(o, e) == OUTPUT_DONE;
	arena_free(&mem);
	return ok;
}

static int run_summarize(const struct cli *c, struct err *e)
{
	if (!check_output(c, e))
		return cli_failed(e);
	int code = EXIT_FINE;
	struct summary_file *f = summary_file_new(e);
	bool ok = f && add_all(f, c, &code, e);
	memory_use(MEMORY_WRITES);
	ok = ok &&
	     (as_lines(c) ? write_lines(f, c, e) : summary_file_save(f, c->value[OPT_OUTPUT], cli_output_flags(c), e));
	summary_file_free(f);
	return ok ? code : cli_failed(e);
}

const struct cli_command_info cli_summarize_command = {
	.word = "summarize",
	.operands = "TRACE|SUMMARY...",
	.help = "write what the tables of several ranks need as one small file, or merge such files",
	.takes = TAKES_TRACES,
	.run = run_summarize,
	.examples = "  stepscope summarize rank7.json.gz -o rank7.sqlite    where the trace is\n  stepscope summarize "
		    "rank*.sqlite -o run.sqlite       in any order\n  stepscope table replicas run.sqlite\n"};

/* ---- reading one --------------------------------------------------------------------------------------------------------- */

bool cli_of_summary(const struct cli *c)
{
	for (int i = 0; i < c->n_paths; i++)
		if (!summary_is(c->paths[i]))
			return false;
	return c->n_paths > 0;
}

/* All of them, merged. */
static bool cli_summary(const struct cli *c, struct arena *mem, struct summary *out, struct err *e)
{
	struct summary_file *f = summary_file_new(e);
	bool ok = f != NULL;
	for (int i = 0; ok && i < c->n_paths; i++)
		ok = summary_file_merge(f, c->paths[i], e);
	ok = ok && summary_file_rows(f, mem, out, e);
	summary_file_free(f);
	return ok;
}

/* Rows are turned when they are read, by names of devices that nobody has then any more: a copy is not. */
static struct table *humanly(const struct summary *s, struct table *t, bool redact, struct arena *mem, struct err *e)
{
	struct derived *d = summary_devices(s, e);
	if (!d)
		return NULL;
	struct table *out = table_copy(human_table(t, d, redact, mem), mem);
	derived_free(d);
	return out;
}

struct table *cli_summary_table(const struct cli *c, const char *name, bool human, struct arena *mem, struct err *e)
{
	struct summary s;
	if (!cli_summary(c, mem, &s, e))
		return NULL;
	struct table *t = summary_table(&s, name, mem, e);
	return t && human ? humanly(&s, t, cli_has(c, OPT_REDACT), mem, e) : t;
}

/* The explorer shows what a summary has; a picture or a text of the timeline there is none. */
int cli_summary_open(const struct cli *c, struct err *e)
{
	char word[128];
	struct app_opts o;
	struct arena mem = {0};
	struct summary s;
	if (cli_has(c, OPT_SCREENSHOT) || !cli_has_screen()) {
		err_usage(e,
			  "a summary has no timeline; its tables are " SUMMARY_TABLES
			  ": stepscope table replicas %.200s",
			  c->paths[0]);
		return EXIT_USAGE;
	}
	int code = EXIT_USAGE;
	if (cli_app_opts(c, &o, word, e))
		code = cli_summary(c, &mem, &s, e) ? (o.summary = &s, app_run(&o, e)) : cli_failed(e);
	arena_free(&mem);
	return code;
}
