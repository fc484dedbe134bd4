/* tui/cli/cli_tables.c - `stepscope table --all TRACE -o DIR`: every table, each into a file. */
#include "cli_open.h"
#include "tui/export/export.h"

/* What is about one table. */
static bool check_alone(const struct cli *c, struct err *e)
{
	static const enum cli_option single[] = {OPT_SORT,    OPT_TOP, OPT_COLUMNS, OPT_BY,   OPT_IDLE,
						 OPT_EVERY_K, OPT_VS,  OPT_FILTER,  OPT_NAMES};
	for (size_t i = 0; i < sizeof single / sizeof *single; i++)
		if (cli_has(c, single[i]))
			return err_usage(e, "--all writes every table as it is; --%s is for one table",
					 cli_option(single[i])->word);
	return cli_has(c, OPT_OUTPUT) || err_usage(e, "--all wants the folder to write the tables into: -o DIR");
}

int cli_all_tables(const struct cli *c, struct err *e)
{
	struct export_req r = {.paths = c->paths,
			       .n_paths = c->n_paths,
			       .tables = TABLE_CSV,
			       .all_args = cli_has(c, OPT_ALL_COLUMNS),
			       .all_steps = cli_has(c, OPT_ALL_STEPS)};
	struct opened o;
	if (!check_alone(c, e) || !cli_table_format(c, "a table", &r.tables, e))
		return EXIT_USAGE;
	if (!opened_new(&o, c, e))
		return cli_failed(e);
	r.d = o.d;
	r.window = o.window;
	bool saved = export_save(&r, EXPORT_FOLDER, c->value[OPT_OUTPUT], cli_output_flags(c), e);
	int code = saved ? cli_settle(c, derived_trace(o.d)) : cli_failed(e);
	opened_free(&o);
	return code;
}
