/* tui/cli/cli_export.c - `stepscope export`: a trace, or a window of it, as a file for other programs; and `table --all`. */
#include "cli_open.h"
#include "ticker.h"
#include "model/store/base/memory.h"
#include "tui/export/export.h"
#include <string.h>

static bool choose(const struct cli *c, struct export_req *r, enum export_format *f, struct err *e)
{
	const char *file = c->value[OPT_OUTPUT], *format = c->value[OPT_FORMAT];
	if (!file)
		return err_usage(e, "export wants the file to write: -o OUT.json.gz, OUT.xplane.pb, OUT.sqlite, "
				    "OUT.stepscope, OUT.folded, or a "
				    "folder as out/");
	if (export_is_stream(file))
		return export_format_named(file, format, f, e);
	TRY(export_format_of(file, f, e));
	if (!format)
		return true;
	if (*f != EXPORT_FOLDER)
		return err_usage(e,
				 "--format of an export is for a folder of tables (-o out/) and for a stream (-o -); "
				 "otherwise the ending of '%.80s' decides",
				 file);
	if (!cli_is_choice("csv jsonl", format))
		return err_usage(e, "--format of a folder of tables is csv or jsonl, not '%.40s'", format);
	r->tables = !strcmp(format, "jsonl") ? TABLE_JSONL : TABLE_CSV;
	return true;
}

static bool save_export(const struct cli *c, struct export_req r, enum export_format f, struct err *e)
{
	struct ticker t;
	ticker_start(&t, c, TICKER_EXPORT_MS);
	t.progress.phase = PHASE_WRITE;
	r.progress = &t.progress;
	bool saved = export_save(&r, f, c->value[OPT_OUTPUT], cli_output_flags(c), e);
	ticker_stop(&t);
	return saved;
}

static bool spared(const void *c, const char *file, struct err *e)
{
	return cli_spares_input(c, file, e);
}

static bool folder_fits(const struct cli *c, enum table_format format, struct err *e)
{
	return export_folder_check(c->value[OPT_OUTPUT], format, cli_output_flags(c), spared, c, e);
}

static int run_export(const struct cli *c, struct err *e)
{
	struct export_req r = {.paths = c->paths,
			       .n_paths = c->n_paths,
			       .redact = cli_has(c, OPT_REDACT),
			       .tables = TABLE_CSV,
			       .all_args = cli_has(c, OPT_ALL_COLUMNS),
			       .all_steps = cli_has(c, OPT_ALL_STEPS)};
	enum export_format f;
	char word[128];
	struct opened o;
	if (!choose(c, &r, &f, e) ||
	    !export_check(f, c->value[OPT_OUTPUT], cli_window_word(c, word, sizeof word), r.redact, cli_output_flags(c),
			  e) ||
	    (f == EXPORT_FOLDER && !folder_fits(c, r.tables, e)) || !cli_spares_input(c, c->value[OPT_OUTPUT], e) ||
	    !opened_new(&o, c, e))
		return cli_failed(e);
	r.d = o.d;
	r.window = o.window;
	bool saved = save_export(c, r, f, e);
	int code = saved ? cli_settle(c, derived_trace(o.d)) : cli_failed(e);
	opened_free(&o);
	return code;
}

/* ---- table --all -------------------------------------------------------------------------------------------------------------- */

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
	if (!folder_fits(c, r.tables, e) || !opened_new(&o, c, e))
		return cli_failed(e);
	r.d = o.d;
	r.window = o.window;
	bool saved = save_export(c, r, EXPORT_FOLDER, e);
	int code = saved ? cli_settle(c, derived_trace(o.d)) : cli_failed(e);
	opened_free(&o);
	return code;
}

const struct cli_command_info cli_export_command = {
	.word = "export",
	.operands = "TRACE...",
	.help = "write a trace or a window of it for other programs: Perfetto, XProf, SQL, flame graphs; the ending of "
		"-o "
		"decides",
	.takes = TAKES_TRACES,
	.run = run_export,
#define FORMAT_WORD(word, format) " " word
	.formats = "csv jsonl" EXPORT_ENDINGS(FORMAT_WORD),
#undef FORMAT_WORD
	.examples = "  stepscope export trace.xplane.pb --step 8 -o step8.json.gz    opens in Perfetto\n"
		    "  stepscope export trace.xplane.pb --step 8 -o step8.xplane.pb  opens in XProf\n"
		    "  stepscope export trace.json.gz -o trace.sqlite                every table, for SQL\n"
		    "  stepscope export trace.json.gz --gap biggest -o gap/          every table as CSV\n"
		    "  stepscope export trace.json.gz -o trace.folded                stacks for flame graphs\n"
		    "  stepscope export trace.json.gz -o - --format json | less      to a pipe, by format\n"};
