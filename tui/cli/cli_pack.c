/* tui/cli/cli_pack.c - `stepscope pack`: a trace as one small file that opens at once. */
#include "cli_open.h"
#include "model/store/base/memory.h"
#include "model/store/saved/save.h"
#include "tui/text/words.h"
#include <string.h>

static bool check_output(const struct cli *c, struct err *e)
{
	if (!cli_has(c, OPT_OUTPUT))
		return err_usage(e, "pack wants the file to write: -o OUT.stepscope");
	static const char *const others = ".json .html .md .svg .txt .csv .gz .sqlite .pb";
	const char *dot = strrchr(words_base(c->value[OPT_OUTPUT]), '.');
	if (dot && cli_is_choice(others, dot))
		return err_usage(e,
				 "pack writes .stepscope files, not %s; 'stepscope export', 'report' and 'table' write "
				 "the others",
				 dot);
	return cli_may_replace(c, OUTPUT_BINARY, e);
}

static int run_pack(const struct cli *c, struct err *e)
{
	if (!check_output(c, e))
		return cli_failed(e);
	struct trace *t = cli_open_trace(c, e);
	if (!t)
		return cli_failed(e);
	memory_use(MEMORY_WRITES);
	bool saved = trace_save(t, c->value[OPT_OUTPUT], cli_output_flags(c), e);
	int code = saved ? cli_settle(c, t) : cli_failed(e);
	trace_free(t);
	return code;
}

const struct cli_command_info cli_pack_command = {
	.word = "pack",
	.operands = "TRACE...",
	.help = "write the imported trace as one small file that opens at once",
	.takes = TAKES_TRACES,
	.run = run_pack,
	.examples = "  stepscope pack trace.json.gz -o trace.stepscope\n"
		    "  stepscope pack logs/plugins/profile/2024_01_02 -o run.stepscope\n"};
