/* tui/cli/cli_findings.c - `stepscope findings`: what the rules say, and an exit code that a pipeline can stop at. */
#include "cli_open.h"
#include "explain.h"
#include "model/analysis/analysis.h"
#include "model/analysis/findings/findings.h"
#include "tui/compare/diff.h"
#include "tui/tables/table_write.h"
#include "tui/text/guide.h"
#include "tui/text/words.h"
#include <string.h>

/* --fail-on: warn, fail or never. */
static bool is_over(const char *limit, enum finding_state s)
{
	return strcmp(limit, "never") != 0 && (strcmp(limit, "warn") == 0 ? finding_stands(s) : s == FINDING_FAIL);
}

static uint32_t standing(const struct table *t, const char *limit)
{
	uint32_t n = 0;
	for (uint32_t row = 0; row < t->n_rows; row++)
		n += is_over(limit, guide_item(t, row).state);
	return n;
}

/* t: NULL where they cannot be made. */
static int show_table(const struct cli *c, const struct table *t, const enum table_format *format, const struct err *e)
{
	const char *limit = cli_has(c, OPT_FAIL_ON) ? c->value[OPT_FAIL_ON] : "warn";
	if (!t)
		return cli_failed(e);
	if (format)
		table_write(t, *format, stdout, c->paths, c->n_paths, 0);
	else
		guide_write(t, stdout, cli_has(c, OPT_ASCII));
	return standing(t, limit) ? EXIT_STANDS : EXIT_FINE;
}

static int show(const struct cli *c, const struct opened *o, const enum table_format *format, struct err *e)
{
	struct arena mem = {0};
	struct query q = window_query(&o->window, o->filter);
	q.all_steps = cli_has(c, OPT_ALL_STEPS);
	int code = show_table(c, analysis_find("findings")->run(o->d, &q, &mem, NULL, e), format, e);
	arena_free(&mem);
	return code;
}

/* What summaries tell: the rules about several ranks alone. */
static int show_of_summary(const struct cli *c, const enum table_format *format, struct err *e)
{
	struct arena mem = {0};
	if (cli_has(c, OPT_EXPLAIN) || cli_has(c, OPT_VS)) {
		err_usage(e, "a summary tells findings as they stand; --explain and --vs want the traces themselves");
		return EXIT_USAGE;
	}
	int code = show_table(c, cli_summary_table(c, "findings", false, &mem, e), format, e);
	arena_free(&mem);
	return code;
}

/* ---- beside another run -------------------------------------------------------------------------------------------------- */

/* Of the run after, those that stand. */
static bool stands_after(const struct findings *f, const char *limit)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (is_over(limit, f->at[i].state))
			return true;
	return false;
}

static struct diff_run run_of(const struct cli *c, const struct opened *o, const char *path, struct arena *mem)
{
	struct query q = window_query(&o->window, o->filter);
	q.all_steps = cli_has(c, OPT_ALL_STEPS);
	return (struct diff_run){o->d,
				 q,
				 path,
				 opened_label(o, path, mem),
				 o->whole,
				 o->rank,
				 o->window.kind == WINDOW_ALL ? NULL : o->window.text};
}

static int show_vs(const struct cli *c, const struct opened *a, const struct opened *b, const enum table_format *format,
		   struct err *e)
{
	struct arena mem = {0};
	struct diff x;
	const char *path_b = cli_same_trace(c) ? c->paths[0] : c->value[OPT_VS];
	struct diff_run before = run_of(c, a, c->paths[0], &mem), after = run_of(c, b, path_b, &mem);
	struct diff_req r = {
		.a = &before, .b = &after, .n_a = 1, .n_b = 1, .n_tables = DIFF_NO_TABLES, .program = c->program};
	const char *const paths[] = {before.path, after.path};
	if (!diff_make(&r, &mem, &x, e)) {
		arena_free(&mem);
		return cli_failed(e);
	}
	if (format)
		table_write(x.advice, *format, stdout, paths, 2, 0);
	else
		diff_findings(&x, stdout);
	bool stands = stands_after(&x.findings.after, cli_has(c, OPT_FAIL_ON) ? c->value[OPT_FAIL_ON] : "warn");
	arena_free(&mem);
	return stands ? EXIT_STANDS : EXIT_FINE;
}

static int run_vs(const struct cli *c, const struct opened *a, const enum table_format *format, struct err *e)
{
	struct opened b;
	if (!opened_after(&b, a, c, e))
		return cli_failed(e);
	int code = show_vs(c, a, &b, format, e);
	code = code == EXIT_FINE ? cli_settle(c, derived_trace(b.d)) : code;
	opened_free(&b);
	return code;
}

static int explain(const struct cli *c, const struct opened *o, bool json, struct err *e)
{
	struct arena mem = {0};
	struct findings found;
	struct query q = window_query(&o->window, o->filter);
	int64_t window_ns[2];
	if (!findings_make(o->d, &q, &mem, NULL, &found, e)) {
		arena_free(&mem);
		return cli_failed(e);
	}
	findings_sort(&found);
	query_bounds(&q, derived_trace(o->d), &window_ns[0], &window_ns[1]);
	if (json)
		explain_json(&found, c->value[OPT_EXPLAIN], window_ns, c->paths, c->n_paths, stdout);
	else
		explain_text(&found, c->value[OPT_EXPLAIN], stdout, cli_has(c, OPT_ASCII));
	arena_free(&mem);
	return EXIT_FINE;
}

/* What can be said before the trace is read. */
static bool may_explain(const struct cli *c, enum table_format format, struct err *e)
{
	if (!cli_has(c, OPT_EXPLAIN))
		return true;
	if (cli_has(c, OPT_VS))
		return err_usage(e, "--explain is about one run; leave out --vs");
	if (!explain_known(c->value[OPT_EXPLAIN], e))
		return false;
	return format == TABLE_TEXT || format == TABLE_JSON ||
	       err_usage(e, "--explain writes text or json, not '%s'", c->value[OPT_FORMAT]);
}

static int run_findings(const struct cli *c, struct err *e)
{
	enum table_format format = TABLE_TEXT;
	struct opened o;
	if (!cli_table_format(c, "findings", &format, e) || !may_explain(c, format, e))
		return EXIT_USAGE;
	const enum table_format *as = format == TABLE_TEXT ? NULL : &format;
	if (cli_of_summary(c))
		return show_of_summary(c, as, e);
	if (!opened_new(&o, c, e))
		return cli_failed(e);
	int code = cli_has(c, OPT_EXPLAIN) ? explain(c, &o, format == TABLE_JSON, e)
		   : cli_has(c, OPT_VS)    ? run_vs(c, &o, as, e)
					   : show(c, &o, as, e);
	int partly = cli_settle(c, derived_trace(o.d));
	opened_free(&o);
	return code == EXIT_FINE ? partly : code;
}

const struct cli_command_info cli_findings_command = {
	.word = "findings",
	.operands = "TRACE...",
	.help = "what the rules say, worst first; exit 1 when one of them warns or fails",
	.takes = TAKES_TRACES,
	.run = run_findings,
	.formats = CLI_TABLE_FORMATS,
	.exit_1 = "1 a finding is at least as bad as --fail-on says",
	.examples = "  stepscope findings trace.xplane.pb\n"
		    "  stepscope findings trace.json.gz --fail-on fail   in a pipeline: stop when a rule fails\n"
		    "  stepscope findings trace.json.gz --explain idle   the numbers behind it\n"
		    "  stepscope findings before.json.gz --vs after.json.gz   was the advice followed?\n"};
