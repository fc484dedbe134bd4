/* tui/main.c - parses, runs, prints errors, exits. No other file prints errors or exits. */
#include "model/store/base/memory.h"
#include "model/store/files/output.h"
#include "tui/cli/cli.h"
#include "tui/screen/term_restore.h"
#include "tui/text/put.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const struct cli *c, const struct err *e, bool hint)
{
	char text[640], called[64];
	fputs("stepscope: ", stderr);
	if (e->memory) {
		put_plain(stderr, e->file);
		fprintf(stderr, "%s%s", *e->file ? ": " : "", cli_exhausted()->text);
	} else {
		put_plain(stderr, err_text(e, text, sizeof text));
	}
	fputc('\n', stderr);
	if (hint)
		fprintf(stderr, "try '%s --help'\n", cli_called(c, called, sizeof called));
	return cli_failed(e);
}

/* Data that did not reach its reader is an error, except when the reader went away (| head). */
static int finish(const struct cli *c, int code)
{
	if (output_is_written(stdout) || errno == EPIPE)
		return code;
	struct err e;
	err_unwritten(&e, "cannot write to stdout: %s", errno ? strerror(errno) : "the output is not complete");
	return fail(c, &e, false);
}

/* ---- out of memory ------------------------------------------------------------------------------------------------ */

/* From any thread, amid anything: no stdio, no allocation. The first thread speaks, later ones wait for the end. */
static void leave_exhausted(void)
{
	static atomic_flag left = ATOMIC_FLAG_INIT;
	const struct cli_exhausted *x = cli_exhausted();
	while (atomic_flag_test_and_set(&left))
		pause();
	term_restore_now();
	const char *const parts[] = {"stepscope: ", x->text, "\n"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
			break;
	_exit(x->code);
}

static bool ends_well;

/* ncurses calls exit when it finds no memory. */
static void at_exit(void)
{
	if (!ends_well)
		leave_exhausted();
}

/* ---- what a program is started with -------------------------------------------------------------------------------- */

static void ignore(int signal_number)
{
	(void)signal_number;
}

/* What is not complete goes; the parent sees the program end by this signal. */
static void end_by(int signal_number)
{
	int before = errno;
	output_give_up();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	errno = before;
}

static void take_ending_signals(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction before, ours = {.sa_handler = end_by};
	sigfillset(&ours.sa_mask);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(ending[i], &ours, NULL);
}

/* A limit of size is an error of the write. What a command that is run gets is the default again: a handler is not inherited. */
static void take_signals(void)
{
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, ignore);
	take_ending_signals();
}

/* A closed descriptor would be given to the next file that is opened, and what goes to stderr would end up in it. What a
 * command that is run finds closed stays closed for it. */
static void fill_standard_streams(void)
{
	for (int fd = open("/dev/null", O_RDONLY | O_CLOEXEC); fd >= 0; fd = open("/dev/null", O_RDONLY | O_CLOEXEC))
		if (fd > STDERR_FILENO) {
			close(fd);
			return;
		}
}

static int run(int argc, char **argv)
{
	struct cli c;
	struct err e = {.at = -1};
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

int main(int argc, char **argv)
{
	memory_in_large_pages();
	fill_standard_streams();
	take_signals();
	memory_on_exhausted(leave_exhausted);
	atexit(at_exit);
	int code = run(argc, argv);
	ends_well = true;
	return code;
}
