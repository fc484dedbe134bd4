/* tui/cli/cli_doctor.c - `doctor`: what live mode finds on this machine, one line each, and what to do about it. Exit 1 when
 * it could not work here. */
#include "cli_live.h"
#include "launch.h"
#include "live/address.h"
#include "live/client.h"
#include "live/machine.h"
#include "tui/text/put.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum mark { GOOD, FYI, WARN, BAD };

static bool say(enum mark m, const char *what, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool say(enum mark m, const char *what, const char *fmt, ...)
{
	static const char *const marks[] = {"ok  ", "    ", "warn", "BAD "};
	char text[900];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	printf("%s  %-9s ", marks[m], what);
	put_plain(stdout, text);
	putchar('\n');
	return m != BAD;
}

/* ---- driver and CUPTI ------------------------------------------------------------------------------------------------ */

static bool check_devices(int devices, int usable)
{
	if (devices == 0)
		return say(BAD, "GPU", "no /dev/nvidia0: no GPU is visible; pass one into the container or the job");
	if (usable < devices)
		return say(BAD, "GPU", "this user may not use %d of %d GPUs: see the permissions of /dev/nvidia*",
			   devices - usable, devices);
	return say(GOOD, "GPU", "%d", devices);
}

static bool check_driver(void)
{
	char text[200];
	int usable, devices = machine_devices(&usable);
	struct machine_library cuda = machine_libcuda();
	if (machine_driver_text(text, sizeof text))
		say(FYI, "driver", "%s", text);
	if (!machine_loads_libraries())
		return say(FYI, "driver",
			   "version not known: this program is one static file and loads no libraries") &&
		       check_devices(devices, usable);
	if (!cuda.found)
		return say(BAD, "driver",
			   "libcuda.so.1 not found: there is no NVIDIA driver here, or the container was started "
			   "without it (--gpus all)");
	say(GOOD, "driver", "%s, CUDA %u.%u", cuda.path, cuda.version / 1000, cuda.version % 1000 / 10);
	return check_devices(devices, usable);
}

static void version_text(uint32_t v, char *buf, size_t size)
{
	if (v >= 100000)
		snprintf(buf, size, "%u.%u.%u", v / 10000, v / 100 % 100, v % 100);
	else
		snprintf(buf, size, "API %u", v);
}

static void say_remarks(uint32_t version)
{
	const char *remark;
	for (unsigned i = 0; (remark = machine_cupti_remark(version, i)); i++)
		say(WARN, "CUPTI", "%s", remark);
}

static void check_cupti(void)
{
	char version[32];
	struct machine_library l = machine_libcupti();
	if (!machine_loads_libraries()) {
		say(FYI, "CUPTI",
		    "not looked for by this static program; the library in the process looks for it there");
		return;
	}
	if (!l.found) {
		say(WARN, "CUPTI",
		    "no libcupti in the usual places: live mode needs version 11 to 13 at run time. PyTorch and JAX "
		    "bring their own, which is found; otherwise install cuda-cupti, or set STEPSCOPE_CUPTI to its "
		    "path");
		return;
	}
	version_text(l.version, version, sizeof version);
	if (l.was_not_asked)
		say(WARN, "CUPTI",
		    "%s, 13.2 or later: its exact version is not known, because 13.2 crashes on any call without a "
		    "working driver",
		    l.path);
	else if (!l.version)
		say(WARN, "CUPTI", "%s, which does not report its version", l.path);
	else
		say(GOOD, "CUPTI", "%s, version %s; a process that has loaded its own uses that", l.path, version);
	say_remarks(l.version);
}

/* Remove an item once `make gpu` (tests/gpu) has passed on a real GPU. */
static void say_what_is_unproven(void)
{
	say(FYI, "unproven",
	    "live mode was tried with stand-ins for driver and CUPTI, and with libcupti 12.0 to 13.5 without a driver. "
	    "Not "
	    "seen on a GPU yet: NVTX ranges arrive; another profiler's takeover is noticed, and nothing else is taken "
	    "for "
	    "one; START while the driver starts up; the last records at exit; another client's clock; how the "
	    "framework's "
	    "own profiler fares with --yield; CUPTI 13.2 and later");
}

/* ---- our own parts ---------------------------------------------------------------------------------------------------- */

static bool check_library(void)
{
	char path[LAUNCH_PATH_BYTES];
	struct err e = {.at = -1};
	if (!launch_library(path, &e))
		return say(BAD, "library", "%s", e.msg);
	return say(GOOD, "library", "%s", path);
}

static bool check_injection(const char *variable)
{
	const char *value = getenv(variable);
	if (!value || !*value || strstr(value, "libstepscope-inject"))
		return true;
	return say(WARN, "slot", "%s is %s: another tool occupies the only slot; 'run' refuses without --force",
		   variable, value);
}

static bool check_folders(void)
{
	char dir[WIRE_PATH_BYTES];
	bool there, sound, all = true;
	for (unsigned i = 0; address_folder(i, dir, &there, &sound); i++)
		if (there && !sound)
			all = say(BAD, "sockets",
				  "%s is not a folder of yours with mode 0700: remove it, or chmod 700 it", dir);
		else
			say(GOOD, "sockets", "%s%s", dir, there ? "" : " (made when needed)");
	return all;
}

/* ---- processes -------------------------------------------------------------------------------------------------------- */

static const char *const state_words[] = {
#define STATE_WORD(name, word, what) word " - " what,
	WIRE_STATES(STATE_WORD)
#undef STATE_WORD
};

/* The one in use there, which need not be the one found above. */
static void say_its_cupti(int pid, const struct client_facts *f)
{
	char version[32];
	version_text(f->cupti_version, version, sizeof version);
	say(FYI, "CUPTI", "in use by %d: %s, version %s, under a driver of CUDA %u.%u", pid, f->cupti_path, version,
	    f->cuda_version / 1000, f->cuda_version % 1000 / 10);
	say_remarks(f->cupti_version);
}

/* Says hello and leaves: an idle process stays idle. */
static void ask_process(const struct armed *a)
{
	enum { TURNS = 50, TURN_MS = 10 };
	struct client c;
	struct err e = {.at = -1};
	if (!client_dial(&c, a->path, &e)) {
		say(WARN, "process", "%d does not answer: %s", a->pid, e.msg);
		return;
	}
	for (int i = 0; i < TURNS && c.state == CLIENT_CALLING; i++) {
		nanosleep(&(struct timespec){.tv_nsec = TURN_MS * 1000000L}, NULL);
		client_hear(&c);
	}
	if (c.state == CLIENT_LIVE)
		say(c.target_state > WIRE_STATE_YIELDED ? WARN : GOOD, "process", "%d %s: %s%s%s", a->pid, a->command,
		    state_words[c.target_state], *c.text ? ": " : "", c.text);
	else
		say(WARN, "process", "%d %s: %s", a->pid, a->command, *c.why ? c.why : "does not answer the greeting");
	if (c.state == CLIENT_LIVE && c.facts.cupti_version)
		say_its_cupti(a->pid, &c.facts);
	client_close(&c);
}

static void check_processes(void)
{
	enum { MOST = 64 };
	struct armed *all = calloc(MOST, sizeof *all);
	unsigned n = all ? address_armed(all, MOST) : 0;
	for (unsigned i = 0; i < n; i++)
		ask_process(&all[i]);
	if (n == 0)
		say(FYI, "process", "none is armed now; 'stepscope run -- COMMAND' arms what it starts");
	free(all);
}

static void check_rights(void)
{
	static const char *const meanings[] = {"a process may be traced by its owner", "only by its parents",
					       "only by an administrator", "not at all"};
	int scope = machine_ptrace_scope();
	if (scope >= 0)
		say(FYI, "ptrace", "ptrace_scope %d: %s. Live mode does not need it", scope,
		    scope < 4 ? meanings[scope] : "unknown");
	if (machine_counters_restricted())
		say(FYI, "counters",
		    "performance counters are for administrators only here. Live mode does not use them");
	if (geteuid() == 0)
		say(FYI, "user", "root: processes of other users cannot be watched from here; be that user");
}

static void list_kinds(void)
{
#define KIND_LINE(name, word, on, what) {word, on, what},
	static const struct {
		const char *word;
		int on;
		const char *what;
	} kinds[] = {WIRE_KINDS(KIND_LINE)};
#undef KIND_LINE
	puts("\nWords for --kinds (* = recorded by default):");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		printf("  %c %-9s %s\n", kinds[i].on ? '*' : ' ', kinds[i].word, kinds[i].what);
}

static int run_doctor(const struct cli *c, struct err *e)
{
	(void)c;
	(void)e;
	bool works = check_driver();
	check_cupti();
	works &= check_library();
	check_injection("CUDA_INJECTION64_PATH");
	check_injection("NVTX_INJECTION64_PATH");
	works &= check_folders();
	check_processes();
	say_what_is_unproven();
	check_rights();
	list_kinds();
	return works ? EXIT_FINE : EXIT_STANDS;
}

const struct cli_command_info cli_doctor_command = {
	.word = "doctor",
	.operands = "",
	.help = "check what live mode needs on this machine, and say what to do about it",
	.takes = TAKES_NOTHING,
	.run = run_doctor,
	.exit_1 = "1 live mode cannot work here",
	.examples = "  stepscope doctor\n"};
