/* tui/cli/cli_target.c - `run`, `run --view`, `record`: commands that start a command. */
#include "capture_feed.h"
#include "cli_live.h"
#include "cli_open.h"
#include "launch.h"
#include "model/store/base/memory.h"
#include "tui/text/put.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAST_WORDS_MS = 3000 };

/* ---- run ------------------------------------------------------------------------------------------------------------ */

static int run_plain(const struct cli *c, struct err *e)
{
	if (cli_has(c, OPT_KEEP))
		return err_usage(e, "--keep is for captures: run --view, record, attach"), EXIT_USAGE;
	if (!launch_arm(c, NULL, e))
		return EXIT_OF_COMMAND | EXIT_CANNOT_RUN;
	if (!cli_has(c, OPT_QUIET))
		fprintf(stderr, "stepscope: once it uses CUDA, '%s attach %d' shows what its GPUs do\n", c->program,
			(int)getpid());
	return launch_become(c->paths, e);
}

/* ---- run --view ----------------------------------------------------------------------------------------------------- */

struct viewing {
	struct capture_feed feed;
	struct launched command;
	char output[256]; /* file */
	int output_fd;
};

static bool open_output(struct viewing *v, struct err *e)
{
	static const char *const folders[] = {".", "/tmp"};
	char name[64];
	snprintf(name, sizeof name, "stepscope-output-%d.txt", (int)getpid());
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		v->output_fd = output_grow(folders[i], name, v->output, sizeof v->output);
		if (v->output_fd >= 0)
			return true;
	}
	return err_unwritten(e, "cannot write %s, where the command's output should go: %s", v->output,
			     strerror(errno));
}

static void words_of(const struct cli *c, char *buf, size_t size)
{
	size_t n = 0;
	buf[0] = 0;
	for (int i = 0; i < c->n_paths && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? " " : "", c->paths[i]);
}

static void say_output(const struct cli *c, const struct viewing *v)
{
	if (!cli_has(c, OPT_QUIET))
		fprintf(stderr, "stepscope: the output of process %d goes to %s; the key O shows it\n",
			(int)v->command.pid, v->output);
}

static int explore(const struct cli *c, struct viewing *v, struct err *e)
{
	struct app_opts o;
	char word[128];
	struct feed_source s = capture_feed_source(&v->feed);
	s.output = v->output;
	if (!cli_app_opts(c, &o, word, e) || !(o.feed = feed_new(&s, &o.derived, e)))
		return EXIT_USAGE;
	launch_release_signals(); /* they were held back for the command; the explorer restores the terminal by them */
	int code = app_run(&o, e);
	feed_free(o.feed);
	return code;
}

/* Leaving the explorer does not end the command. */
static int wait_for_it(const struct cli *c, struct viewing *v)
{
	if (!launch_wait(&v->command, 0) && !cli_has(c, OPT_QUIET))
		fprintf(stderr, "stepscope: process %d goes on, its output is in %s; Ctrl-C ends it\n",
			(int)v->command.pid, v->output);
	launch_wait(&v->command, -1);
	return launch_exit_code(&v->command);
}

static int view(const struct cli *c, struct viewing *v, struct err *e)
{
	char path[WIRE_PATH_BYTES];
	struct capture *capture = v->feed.capture;
	/* the socket is there before the command starts, so none of its first records is lost */
	if (!capture_listen(capture, path, e) || !capture_start(capture, e) || !launch_arm(c, path, e) ||
	    !open_output(v, e))
		return EXIT_OF_COMMAND | EXIT_CANNOT_RUN;
	int code = launch_start(&v->command, c->paths, v->output_fd, e);
	close(v->output_fd);
	if (code)
		return code;
	say_output(c, v);
	words_of(c, v->feed.title, sizeof v->feed.title);
	snprintf(v->feed.lines[0], sizeof v->feed.lines[0], "process %d runs: %s", (int)v->command.pid, v->feed.title);
	snprintf(v->feed.lines[1], sizeof v->feed.lines[1], "what it prints goes to %s", v->output);
	snprintf(v->feed.lines[2], sizeof v->feed.lines[2],
		 "the explorer opens as soon as a GPU does something for it");
	v->feed.command = &v->command;
	/* the command's own exit code counts; what went wrong with the view is told after it */
	struct err why = {.at = -1};
	explore(c, v, &why);
	capture_stop(capture, 0);
	code = wait_for_it(c, v);
	if (*why.msg)
		*e = why;
	return code;
}

static int run_viewed(const struct cli *c, struct err *e)
{
	struct viewing v = {.output_fd = -1};
	struct capture_opts o;
	if (!cli_has_screen())
		return err_usage(e, "run --view wants a terminal; 'record' writes a file without one"), EXIT_USAGE;
	if (!capture_options(c, false, &o, e) || !(v.feed.capture = capture_new(&o, e)))
		return EXIT_USAGE;
	int code = view(c, &v, e);
	capture_free(v.feed.capture);
	return code;
}

static int run_target(const struct cli *c, struct err *e)
{
	return cli_has(c, OPT_VIEW) ? run_viewed(c, e) : run_plain(c, e);
}

const struct cli_command_info cli_run_command = {
	.word = "run",
	.operands = "-- COMMAND...",
	.help = "start a command so that it can be watched; --view opens the explorer on it",
	.takes = TAKES_COMMAND,
	.run = run_target,
	.examples = "  stepscope run -- python train.py\n"
		    "  stepscope run --view -- torchrun --nproc-per-node 8 train.py\n"};

/* ---- record --------------------------------------------------------------------------------------------------------- */

/* The command's own exit status, whatever becomes of the file; only a command that was content lets our failure through. */
static int end_record(const struct cli *c, const struct launched *l, struct capture *capture, struct err *e)
{
	capture_stop(capture, LAST_WORDS_MS);
	bool wrote, ok = capture_save(c, capture, &wrote, e);
	bool content = l->status == 0;
	return ok || !content ? launch_exit_code(l) : cli_failed(e);
}

static int record(const struct cli *c, struct capture *capture, struct err *e)
{
	struct launched l;
	char path[WIRE_PATH_BYTES];
	if (!capture_listen(capture, path, e) || !launch_arm(c, path, e))
		return EXIT_OF_COMMAND | EXIT_CANNOT_RUN;
	int code = launch_start(&l, c->paths, -1, e);
	if (code)
		return code;
	struct err why = {.at = -1};
	memory_use(MEMORY_RECORDS);
	if (!capture_start(capture, &why))
		fprintf(stderr, "stepscope: %s: nothing is recorded\n", why.msg);
	launch_wait(&l, -1);
	return end_record(c, &l, capture, e);
}

static int run_record(const struct cli *c, struct err *e)
{
	struct capture_opts o;
	if (!cli_has(c, OPT_OUTPUT))
		return err_usage(e, "record wants the file to write: -o OUT.stepscope"), EXIT_USAGE;
	if (strcmp(c->value[OPT_OUTPUT], "-") == 0)
		return err_usage(e, "record leaves stdout to the command: -o OUT.stepscope"), EXIT_USAGE;
	if (!cli_may_write(c, OUTPUT_BINARY, e) || !capture_options(c, true, &o, e))
		return cli_failed(e);
	struct capture *capture = capture_new(&o, e);
	int code = capture ? record(c, capture, e) : EXIT_USAGE;
	capture_free(capture);
	return code;
}

const struct cli_command_info cli_record_command = {.word = "record",
						    .operands = "-o OUT -- COMMAND...",
						    .help = "run a command and write what its GPUs did to a file",
						    .takes = TAKES_COMMAND,
						    .run = run_record,
						    .examples =
							    "  stepscope record -o run.stepscope -- python train.py\n"};
