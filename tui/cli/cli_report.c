/* tui/cli/cli_report.c - `stepscope report`: which format, which parts, where to. */
#include "cli_open.h"
#include "tui/report/report.h"
#include "tui/text/words.h"
#include <string.h>

static bool choose_format(const struct cli *c, enum report_format *out, struct err *e)
{
	const char *file = c->value[OPT_OUTPUT];
	const char *name = file ? words_base(file) : NULL;
	*out = REPORT_MD;
	if (cli_has(c, OPT_FORMAT)) {
		if (strchr(c->value[OPT_FORMAT], '.') || !report_format_parse(c->value[OPT_FORMAT], out))
			return err_usage(e, "--format of a report is md, html, svg, json or text, not '%.40s'",
					 c->value[OPT_FORMAT]);
		return true;
	}
	if (name && strchr(name, '.') && !report_format_parse(name, out))
		return err_usage(e, "cannot tell the format from '%.80s'; add --format md, html, svg, json or text",
				 file);
	return true;
}

static bool check_parts(const struct report_req *r, struct err *e)
{
	if (r->brief && r->format != REPORT_MD && r->format != REPORT_TEXT)
		return err_usage(e, "--brief is for md and text");
	return !r->sections || sections_known(r->sections, e);
}

static int run_report(const struct cli *c, struct err *e)
{
	struct report_req r = {.paths = c->paths,
			       .n_paths = c->n_paths,
			       .program = c->program,
			       .redact = cli_has(c, OPT_REDACT),
			       .all_steps = cli_has(c, OPT_ALL_STEPS),
			       .sections = c->value[OPT_SECTIONS],
			       .title = c->value[OPT_TITLE],
			       .note = c->value[OPT_NOTE],
			       .brief = cli_has(c, OPT_BRIEF),
			       .ascii = cli_has(c, OPT_ASCII)};
	struct opened o;
	if (cli_has(c, OPT_VS))
		return cli_command(CMD_DIFF)->run(c, e);
	if (!choose_format(c, &r.format, e) || !check_parts(&r, e) || !cli_number(c, OPT_EVERY_K, &r.every_k, e) ||
	    !cli_may_write(c, 0, e) || !opened_new(&o, c, e))
		return cli_failed(e);
	r.d = o.d;
	r.window = o.window;
	r.filter = o.filter;
	const char *file = cli_has(c, OPT_OUTPUT) ? c->value[OPT_OUTPUT] : "-";
	bool sound = report_save(&r, file, cli_output_flags(c), e);
	int code = sound ? cli_settle(c, derived_trace(o.d)) : cli_failed(e);
	opened_free(&o);
	return code;
}

const struct cli_command_info cli_report_command = {
	.word = "report",
	.operands = "TRACE...",
	.help = "write a report of a window, a step or a gap for a colleague",
	.takes = TAKES_TRACES,
	.run = run_report,
	.formats = "md html svg json text",
	.examples = "  stepscope report trace.json.gz --gap biggest -o gap.html\n"
		    "  stepscope report trace.xplane.pb --step 8..9 --format md | pbcopy\n"};
