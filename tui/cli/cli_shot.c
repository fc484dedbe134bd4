/* tui/cli/cli_shot.c - `stepscope TRACE --screenshot FILE`: the explorer's screen as a file, for scripts and documents. */
#include "cli_live.h"
#include "cli_open.h"
#include "tui/app/screenshot.h"
#include "tui/screen/shot.h"
#include <string.h>

static bool shot_of(const struct cli *c, struct screenshot *s, struct err *e)
{
	enum shot_form form;
	const char *color = c->value[OPT_COLOR], *size = c->value[OPT_SIZE];
	*s = (struct screenshot){.file = c->value[OPT_SCREENSHOT],
				 .keys = c->value[OPT_KEYS],
				 .mono = color && strcmp(color, "never") == 0};
	return screenshot_size(s, size ? size : "100x30", e) && shot_form_parse(s->file, &form, e);
}

bool cli_shot_alone(const struct cli *c, struct err *e)
{
	static const enum cli_option parts[] = {OPT_KEYS, OPT_SIZE};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (cli_has(c, parts[i]))
			return err_usage(e, "--%s is for --screenshot FILE", cli_option(parts[i])->word);
	return true;
}

int cli_shot(const struct cli *c, struct err *e)
{
	char word[128];
	struct screenshot s;
	struct app_opts o;
	struct opened opened;
	if (!shot_of(c, &s, e) || !cli_app_opts(c, &o, word, e) || !output_check(s.file, cli_output_flags(c), e) ||
	    !cli_spares_input(c, s.file, e) || !opened_new(&opened, c, e))
		return cli_failed(e);
	o.ascii = cli_has(c, OPT_ASCII);
	bool ok = screenshot_write(&s, &o, opened.d, e);
	int code = ok ? cli_settle(c, derived_trace(opened.d)) : cli_failed(e);
	opened_free(&opened);
	return code;
}
