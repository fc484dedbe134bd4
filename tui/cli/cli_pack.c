/* tui/cli/cli_pack.c - `stepscope pack`: a trace as one small file that opens at once. */
#include "cli_open.h"
#include "model/store/base/memory.h"
#include "model/store/saved/save.h"

static bool check_output(const struct cli *c, struct err *e)
{
	if (!cli_has(c, OPT_OUTPUT))
		return err_usage(e, "pack wants the file to write: -o OUT.stepscope");
	return cli_may_write(c, OUTPUT_BINARY, e);
}

int cli_pack(const struct cli *c, struct err *e)
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
