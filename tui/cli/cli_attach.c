/* tui/cli/cli_attach.c - `attach`: watch processes that are armed; without a PID, list them. */
#include "capture_feed.h"
#include "cli_live.h"
#include "cli_open.h"
#include "launch.h"
#include "live/address.h"
#include "model/store/base/memory.h"
#include "model/store/base/units.h"
#include "tui/text/put.h"
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ARMED_MAX = 512, LAST_WORDS_MS = 2000, TURN_MS = 50 };

/* ---- the list ------------------------------------------------------------------------------------------------------- */

static int list(struct err *e)
{
	struct armed *all = calloc(ARMED_MAX, sizeof *all);
	unsigned n = all ? address_armed(all, ARMED_MAX) : 0;
	for (unsigned i = 0; i < n; i++) {
		printf("%7d  ", all[i].pid);
		put_plain(stdout, all[i].command);
		putchar('\n');
	}
	if (n && isatty(STDOUT_FILENO))
		printf("'stepscope attach %d' shows what the GPUs do for %s\n", all[0].pid,
		       n == 1 ? "it" : "the first");
	free(all);
	if (n)
		return EXIT_FINE;
	err_usage(e, "no process can be watched: start one with 'stepscope run -- COMMAND'; it shows up here once it "
		     "uses CUDA");
	return EXIT_USAGE;
}

/* ---- connecting ----------------------------------------------------------------------------------------------------- */

static bool parse_pid(const char *word, int *pid, struct err *e)
{
	char *end;
	long v = strtol(word, &end, 10);
	if (*word < '0' || *word > '9' || *end || v <= 0 || v > INT32_MAX)
		return err_usage(e, "attach wants process ids, not '%.40s'; without one it lists those it could watch",
				 word);
	*pid = (int)v;
	return true;
}

/* One that runs already cannot be armed: how to start it so that it is. A path that is too long for a message is in the
 * words of `doctor`. */
static bool not_armed(int pid, struct err *e)
{
	enum { PATH_SHOWN = 90 };
	char library[LAUNCH_PATH_BYTES], whole[PATH_MAX];
	bool shown = launch_library(library, NULL) && realpath(library, whole) && strlen(whole) <= PATH_SHOWN;
	return err_usage(e,
			 "process %d is not armed, and only its start can arm it: 'stepscope run -- COMMAND', or "
			 "CUDA_INJECTION64_PATH and NVTX_INJECTION64_PATH both set to %s, or 'stepscope run --preload' "
			 "where the driver does not listen",
			 pid, shown ? whole : "the library that 'stepscope doctor' names");
}

static bool find(int pid, struct armed *a, struct err *e)
{
	if (address_of(pid, a))
		return true;
	return address_start_ticks(pid) ? not_armed(pid, e) : err_usage(e, "there is no process %d", pid);
}

static bool connect_all(const struct cli *c, struct capture *capture, struct capture_feed *f, struct err *e)
{
	struct armed a = {0};
	int pid = 0;
	for (int i = 0; i < c->n_paths; i++)
		TRY(parse_pid(c->paths[i], &pid, e) && find(pid, &a, e) && capture_attach(capture, a.path, e));
	snprintf(f->title, sizeof f->title, "%.100s", a.command);
	snprintf(f->lines[0], sizeof f->lines[0], "attached to process %d: %.200s", a.pid, a.command);
	snprintf(f->lines[1], sizeof f->lines[1], "the explorer opens as soon as a GPU does something for it");
	return capture_start(capture, e);
}

/* ---- in the explorer ------------------------------------------------------------------------------------------------- */

static int explore(const struct cli *c, struct capture_feed *f, struct err *e)
{
	struct app_opts o;
	char word[128];
	struct feed_source s = capture_feed_source(f);
	if (!cli_app_opts(c, &o, word, e) || !(o.feed = feed_new(&s, &o.derived, e)))
		return EXIT_USAGE;
	int code = app_run(&o, e);
	feed_free(o.feed);
	capture_stop(f->capture, 0);
	return code;
}

/* ---- into a file ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

static bool parse_for(const struct cli *c, int64_t *ms, struct err *e)
{
	const char *text = c->value[OPT_FOR], *end;
	int64_t ns;
	*ms = INT64_MAX;
	if (!text)
		return true;
	if (!parse_ns(text, &end, &ns) || *end || ns < 1000000)
		return err_usage(e, "--for wants a time: 10s, 500ms, not '%.40s'", text);
	*ms = ns / 1000000;
	return true;
}

/* Until the time is over, the processes have ended, or Ctrl-C. */
static int save(const struct cli *c, struct capture *capture, int64_t ms, struct err *e)
{
	struct capture_status s = {0};
	memory_use(MEMORY_RECORDS);
	signal(SIGINT, on_interrupt);
	signal(SIGTERM, on_interrupt);
	for (int64_t waited = 0; waited < ms && !s.over && !interrupted; waited += TURN_MS) {
		nanosleep(&(struct timespec){.tv_nsec = TURN_MS * 1000000L}, NULL);
		capture_status(capture, &s);
	}
	capture_stop(capture, LAST_WORDS_MS);
	bool wrote;
	if (!capture_save(c, capture, &wrote, e))
		return cli_failed(e);
	return wrote ? EXIT_FINE : EXIT_STANDS;
}

static int run_attach(const struct cli *c, struct err *e)
{
	struct capture_opts o;
	struct capture_feed f = {0};
	int64_t ms;
	bool file = cli_has(c, OPT_OUTPUT);
	if (c->n_paths == 0)
		return list(e);
	if (!file && !cli_has_screen())
		return err_usage(e, "attach wants a terminal, or -o OUT.stepscope to write to a file"), EXIT_USAGE;
	if (!parse_for(c, &ms, e) || !cli_may_write(c, OUTPUT_BINARY, e) || !capture_options(c, file, &o, e))
		return cli_failed(e);
	f.capture = capture_new(&o, e);
	bool ok = f.capture && connect_all(c, f.capture, &f, e);
	int code = !ok ? EXIT_USAGE : file ? save(c, f.capture, ms, e) : explore(c, &f, e);
	capture_free(f.capture);
	return code;
}

const struct cli_command_info cli_attach_command = {
	.word = "attach",
	.operands = "[PID...]",
	.help = "watch processes that 'run' has started; without PID: list them",
	.takes = TAKES_PROCESSES,
	.run = run_attach,
	.exit_1 = "1 with -o: nothing was recorded",
	.examples = "  stepscope attach                              what could be watched\n"
		    "  stepscope attach 4711\n"
		    "  stepscope attach 4711 -o ten.stepscope --for 10s\n"};
