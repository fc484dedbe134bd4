/* tui/cli/cli_findings.c - `stepscope findings`: what the rules say, and an exit code that a pipeline can stop at. */
#include "cli_open.h"
#include "model/analysis/analysis.h"
#include "tui/tables/table_write.h"
#include "tui/text/guide.h"
#include <string.h>

static uint32_t standing(const struct table *t, const char *limit)
{
	uint32_t n = 0;
	for (uint32_t row = 0; row < t->n_rows; row++) {
		enum finding_state s = guide_item(t, row).state;
		n += s == FINDING_FAIL || (s == FINDING_WARN && strcmp(limit, "warn") == 0);
	}
	return strcmp(limit, "never") == 0 ? 0 : n;
}

static int show(const struct cli *c, const struct opened *o, const enum table_format *format, struct err *e)
{
	struct arena mem = {0};
	struct query q = window_query(&o->window, o->filter);
	q.all_steps = cli_has(c, OPT_ALL_STEPS);
	const char *limit = cli_has(c, OPT_FAIL_ON) ? c->value[OPT_FAIL_ON] : "warn";
	struct table *t = analysis_find("findings")->run(o->d, &q, &mem, NULL, e);
	int code = t ? EXIT_FINE : cli_failed(e);
	if (t && format)
		table_write(t, *format, stdout, c->paths, c->n_paths, 0);
	else if (t)
		guide_write(t, stdout, cli_has(c, OPT_ASCII));
	if (t && standing(t, limit))
		code = EXIT_STANDS;
	arena_free(&mem);
	return code;
}

static int run_findings(const struct cli *c, struct err *e)
{
	enum table_format format = TABLE_TEXT;
	struct opened o;
	if (!cli_table_format(c, "findings", &format, e))
		return EXIT_USAGE;
	if (!opened_new(&o, c, e))
		return cli_failed(e);
	int code = show(c, &o, format == TABLE_TEXT ? NULL : &format, e);
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
	.exit_1 = "1 a finding is as bad as --fail-on says",
	.examples = "  stepscope findings trace.xplane.pb\n"
		    "  stepscope findings trace.json.gz --fail-on fail   in a pipeline: stop when a rule fails\n"};
