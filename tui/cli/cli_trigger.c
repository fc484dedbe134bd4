/* tui/cli/cli_trigger.c - `trigger`: PyTorch processes that run with KINETO_USE_DAEMON=1 are asked for a profile of their own;
 * what they write is opened, or packed into -o OUT. */
#include "cli_live.h"
#include "cli_open.h"
#include "importers/open.h"
#include "live/kineto.h"
#include "model/store/base/clock.h"
#include "model/store/base/units.h"
#include "model/store/saved/save.h"
#include "tui/text/put.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	PIDS_MAX = 256,
	FIRST_MS = 30000,   /* for the first process to ask: they do every 5 s */
	OTHERS_MS = 5500,   /* for the others, once one has asked */
	WRITING_MS = 60000, /* for warm-up and writing, beyond the time of the profile itself */
	TURN_MS = 200,
	DEFAULT_MS = 500
};

struct trigger {
	const struct cli *c;
	uint32_t only, iterations;
	int64_t for_ms;
	char file[240]; /* without the _PID.json */
	char config[600];
	int pids[PIDS_MAX];
	int n;
};

/* ---- asking --------------------------------------------------------------------------------------------------------- */

static bool wants(void *ctx, const int *pids, int n)
{
	const struct trigger *t = ctx;
	bool is_meant = t->only == 0;
	for (int i = 0; i < n; i++)
		is_meant |= (uint32_t)pids[i] == t->only;
	for (int i = 0; i < t->n; i++)
		if (t->pids[i] == pids[0])
			return false;
	return is_meant && t->n < PIDS_MAX;
}

/* Since 2026 the profiler writes on demand only below /tmp or this folder. */
static void make_config(struct trigger *t)
{
	const char *folder = getenv("KINETO_ONDEMAND_TRACE_DIR");
	snprintf(t->file, sizeof t->file, "%.180s/stepscope-trigger-%d", folder && *folder ? folder : "/tmp",
		 (int)getpid());
	int n = snprintf(t->config, sizeof t->config, "ACTIVITIES_LOG_FILE=%s.json\n", t->file);
	if (t->iterations)
		snprintf(t->config + n, sizeof t->config - (size_t)n,
			 "PROFILE_START_ITERATION=0\nPROFILE_START_ITERATION_ROUNDUP=1\nACTIVITIES_ITERATIONS=%u\n",
			 t->iterations);
	else
		snprintf(t->config + n, sizeof t->config - (size_t)n,
			 "PROFILE_START_TIME=0\nACTIVITIES_DURATION_MSECS=%lld\n", (long long)t->for_ms);
}

static bool ask(struct trigger *t, struct err *e)
{
	struct kineto_daemon d;
	int64_t until_ms = now_ms() + FIRST_MS;
	TRY(kineto_open(&d, e));
	if (!cli_has(t->c, OPT_QUIET))
		fprintf(stderr, "stepscope: waiting up to %d s for processes that run with KINETO_USE_DAEMON=1\n",
			FIRST_MS / 1000);
	while (now_ms() < until_ms && !(t->only && t->n)) {
		int pid = kineto_serve(&d, t->config, wants, t, TURN_MS);
		if (!pid)
			continue;
		t->pids[t->n++] = pid;
		until_ms = now_ms() + OTHERS_MS;
		if (!cli_has(t->c, OPT_QUIET))
			fprintf(stderr, "stepscope: process %d was asked for a profile\n", pid);
	}
	kineto_close(&d);
	return t->n > 0 ||
	       err_usage(e,
			 "no process asked for work within %d s: they must run with KINETO_USE_DAEMON=1 and "
			 "PyTorch 2.7 or newer",
			 FIRST_MS / 1000);
}

/* ---- waiting for the files ------------------------------------------------------------------------------------------- */

static bool is_whole(const char *path)
{
	const char *paths[1] = {path};
	struct open_opts o = {0};
	struct trace *t = access(path, R_OK) == 0 ? open_trace(paths, 1, &o, NULL) : NULL;
	const struct notes *n = t ? trace_notes(t) : NULL;
	bool whole =
		n && !n->at[NOTE_TRUNCATED].count && !n->at[NOTE_ARRAY_UNCLOSED].count && !n->at[NOTE_CHANGED].count;
	trace_free(t);
	return whole;
}

static bool wait_for(const struct trigger *t, char **paths, struct err *e)
{
	int64_t until_ms = now_ms() + t->for_ms + WRITING_MS;
	for (int i = 0; i < t->n; i++) {
		if (asprintf(&paths[i], "%s_%d.json", t->file, t->pids[i]) < 0)
			return err_memory(e, NULL);
		while (!is_whole(paths[i])) {
			if (now_ms() > until_ms)
				return err_usage(e, "process %d was asked, but %s has not arrived", t->pids[i],
						 paths[i]);
			nanosleep(&(struct timespec){.tv_nsec = TURN_MS * 1000000L}, NULL);
		}
	}
	return true;
}

/* ---- what becomes of them ---------------------------------------------------------------------------------------------- */

static int show(const struct trigger *t, char **paths, struct err *e)
{
	struct app_opts o;
	char word[128];
	if (!cli_has(t->c, OPT_OUTPUT)) {
		for (int i = 0; i < t->n; i++)
			puts(paths[i]);
		if (!cli_has_screen() || !cli_app_opts(t->c, &o, word, e))
			return EXIT_FINE;
		o.paths = (const char *const *)paths;
		o.n_paths = t->n;
		return app_run(&o, e);
	}
	struct trace *trace = open_trace((const char *const *)paths, t->n, NULL, e);
	bool ok = trace && trace_save(trace, t->c->value[OPT_OUTPUT], cli_output_flags(t->c), e);
	for (int i = 0; ok && i < t->n; i++)
		unlink(paths[i]);
	for (int i = 0; !ok && i < t->n; i++) /* the profiles themselves are still there */
		puts(paths[i]);
	trace_free(trace);
	return ok ? EXIT_FINE : cli_failed(e);
}

static bool read_options(struct trigger *t, struct err *e)
{
	const char *text = t->c->value[OPT_FOR], *end;
	int64_t ns = DEFAULT_MS * 1000000ll;
	TRY(cli_number(t->c, OPT_PID, &t->only, e) && cli_number(t->c, OPT_ITERATIONS, &t->iterations, e));
	if (text && (!parse_ns(text, &end, &ns) || *end || ns < 1000000))
		return err_usage(e, "--for wants a time: 10s, 500ms, not '%.40s'", text);
	t->for_ms = ns / 1000000;
	return true;
}

static int run_trigger(const struct cli *c, struct err *e)
{
	struct trigger t = {.c = c};
	char *paths[PIDS_MAX] = {0};
	if (!read_options(&t, e) || !cli_may_write(c, OUTPUT_BINARY, e))
		return cli_failed(e);
	make_config(&t);
	int code = ask(&t, e) && wait_for(&t, paths, e) ? show(&t, paths, e) : EXIT_USAGE;
	for (int i = 0; i < t.n; i++)
		free(paths[i]);
	return code;
}

const struct cli_command_info cli_trigger_command = {
	.word = "trigger",
	.operands = "",
	.help = "ask processes started with KINETO_USE_DAEMON=1 for a profile, as dynolog does",
	.takes = TAKES_NOTHING,
	.run = run_trigger,
	.examples = "  KINETO_USE_DAEMON=1 python train.py &\n"
		    "  stepscope trigger --iterations 3 -o three.stepscope\n"};
