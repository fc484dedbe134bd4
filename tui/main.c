/* tui/main.c - parses, runs, prints errors, exits. Nobody else does the last two. */
#include "cli.h"
#include "report/put.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static int fail(const struct cli *c, const struct err *e, bool hint)
{
	char text[640], called[64];
	fputs("stepscope: ", stderr);
	put_plain(stderr, err_text(e, text, sizeof text));
	fputc('\n', stderr);
	if (hint)
		fprintf(stderr, "try '%s --help'\n", cli_called(c, called, sizeof called));
	return e->unreadable ? EXIT_UNREADABLE : EXIT_USAGE;
}

/* Data that did not reach its reader is an error, except when the reader went away (| head). */
static int finish(const struct cli *c, int code)
{
	errno = 0;
	if (!ferror(stdout) && fflush(stdout) == 0)
		return code;
	if (errno == EPIPE)
		return code;
	struct err e;
	err_usage(&e, "cannot write to stdout: the output is not complete");
	return fail(c, &e, false);
}

int main(int argc, char **argv)
{
	struct cli c;
	struct err e = {.at = -1};
	signal(SIGPIPE, SIG_DFL);
	if (!cli_parse(&c, argc, argv, &e))
		return fail(&c, &e, true);
	if (cli_has(&c, OPT_HELP)) {
		cli_help(stdout, &c);
		return finish(&c, EXIT_FINE);
	}
	if (cli_has(&c, OPT_VERSION)) {
		cli_version(stdout, &c);
		return finish(&c, EXIT_FINE);
	}
	int code = cli_run(&c, &e);
	if (code & EXIT_OF_COMMAND) {
		if (*e.msg)
			fail(&c, &e, false);
		return finish(&c, code & ~EXIT_OF_COMMAND);
	}
	if (code == EXIT_FINE || code == EXIT_STANDS || code == EXIT_PARTLY)
		return finish(&c, code);
	return fail(&c, &e, false);
}
