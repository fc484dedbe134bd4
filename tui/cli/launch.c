#include "launch.h"
#include "bundle.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY "libstepscope-inject.so"
#define PRELOAD "libstepscope-preload.so"

/* ---- environment --------------------------------------------------------------------------------------------------- */

static bool is_library(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool launch_library(char path[LAUNCH_PATH_BYTES], struct err *e)
{
	static const char *const places[] = {LIBRARY, "../lib/stepscope/" LIBRARY};
	char self[LAUNCH_PATH_BYTES - 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash = NULL;
	if (n > 0) {
		self[n] = 0;
		slash = strrchr(self, '/');
	}
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
		snprintf(path, LAUNCH_PATH_BYTES, "%.*s/%s", (int)(slash - self), self, places[i]);
		if (is_library(path))
			return true;
	}
	if (bundle_has_library())
		return bundle_library(path, LAUNCH_PATH_BYTES, e);
	return err_usage(
		e, "%s is missing: it belongs beside the program or into lib/stepscope; 'make install' puts it there",
		LIBRARY);
}

static bool set_injection(const struct cli *c, const char *variable, const char *path, struct err *e)
{
	const char *old = getenv(variable);
	if (old && *old && !strstr(old, LIBRARY) && !cli_has(c, OPT_FORCE))
		return err_usage(e,
				 "%s is set to %.200s: another tool wants to look into the process, and only one can; "
				 "--force takes its place",
				 variable, old);
	setenv(variable, path, 1);
	return true;
}

/* Instead of CUDA_INJECTION64_PATH, which may be in use by another tool. The loader takes blanks and colons for separators. */
static bool set_preload(const char *library, struct err *e)
{
	char path[LAUNCH_PATH_BYTES], all[LAUNCH_PATH_BYTES * 4];
	const char *old = getenv("LD_PRELOAD"), *injected = getenv("CUDA_INJECTION64_PATH");
	snprintf(path, sizeof path, "%.*s" PRELOAD, (int)(strrchr(library, '/') + 1 - library), library);
	if (strpbrk(path, " :"))
		return err_usage(e, "--preload cannot work from %.300s: no blank or colon may be in the path", path);
	if (!is_library(path))
		return err_usage(e, "%.300s is missing: it belongs beside %s", path, LIBRARY);
	int n = snprintf(all, sizeof all, "%s%s%s", path, old && *old ? ":" : "", old ? old : "");
	if (n < 0 || (size_t)n >= sizeof all)
		return err_usage(e, "LD_PRELOAD is too long already");
	if (injected && strstr(injected, LIBRARY))
		unsetenv("CUDA_INJECTION64_PATH");
	setenv("LD_PRELOAD", all, 1);
	setenv("STEPSCOPE_PRELOAD", library, 1);
	return true;
}

bool launch_arm(const struct cli *c, const char *viewer, struct err *e)
{
	char path[LAUNCH_PATH_BYTES];
	TRY(launch_library(path, e));
	TRY(cli_has(c, OPT_PRELOAD) ? set_preload(path, e) : set_injection(c, "CUDA_INJECTION64_PATH", path, e));
	TRY(set_injection(c, "NVTX_INJECTION64_PATH", path, e));
	if (viewer) {
		setenv("STEPSCOPE_VIEWER", viewer, 1);
		setenv("STEPSCOPE_START", cli_has(c, OPT_KINDS) ? c->value[OPT_KINDS] : "default", 1);
	}
	if (cli_has(c, OPT_YIELD))
		setenv("STEPSCOPE_YIELD", "1", 1);
	if (cli_has(c, OPT_GRAPHS))
		setenv("STEPSCOPE_GRAPHS", c->value[OPT_GRAPHS], 1);
	return true;
}

/* ---- starting ------------------------------------------------------------------------------------------------------ */

static int cannot_run(const char *word, int why, struct err *e)
{
	err_usage(e, "cannot run '%.200s': %s", word, strerror(why));
	return EXIT_OF_COMMAND | (why == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

int launch_become(const char *const *words, struct err *e)
{
	execvp(words[0], (char *const *)words);
	return cannot_run(words[0], errno, e);
}

/* What the parent holds back and passes on; CHLD only wakes it. */
static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD};
static sigset_t held, before;

static void hold_signals(void)
{
	sigemptyset(&held);
	for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		sigaddset(&held, passed_on[i]);
	pthread_sigmask(SIG_BLOCK, &held, &before);
}

void launch_release_signals(void)
{
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void redirect(int output_fd)
{
	if (output_fd < 0)
		return;
	dup2(output_fd, STDOUT_FILENO);
	dup2(output_fd, STDERR_FILENO);
	int null = isatty(STDIN_FILENO) ? open("/dev/null", O_RDONLY) : -1;
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

/* In the child: tells through the pipe why it could not become the command. The pipe closes by itself when it could. */
static void become(const char *const *words, int output_fd, int told)
{
	redirect(output_fd);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	execvp(words[0], (char *const *)words);
	int why = errno;
	if (write(told, &why, sizeof why) < 0)
		return; /* the parent sees how we end */
}

int launch_start(struct launched *l, const char *const *words, int output_fd, struct err *e)
{
	int told[2], why = 0;
	*l = (struct launched){.pid = -1};
	if (pipe2(told, O_CLOEXEC) != 0)
		return cannot_run(words[0], errno, e);
	hold_signals();
	l->pid = fork();
	if (l->pid == 0) {
		become(words, output_fd, told[1]);
		raise(SIGKILL); /* nothing of this program may go on in here, no buffers, no exit handlers */
	}
	int failed = l->pid < 0 ? errno : 0;
	close(told[1]);
	ssize_t n = l->pid > 0 ? read(told[0], &why, sizeof why) : 0;
	close(told[0]);
	if (failed)
		return cannot_run(words[0], failed, e);
	if (n != (ssize_t)sizeof why)
		return 0;
	waitpid(l->pid, NULL, 0);
	launch_release_signals();
	return cannot_run(words[0], why, e);
}

/* ---- waiting ------------------------------------------------------------------------------------------------------- */

static bool reap(struct launched *l)
{
	if (!l->ended && waitpid(l->pid, &l->status, WNOHANG) == l->pid)
		l->ended = true;
	return l->ended;
}

/* What the terminal sent has reached the command already: it is in the same foreground group. */
static void pass_on(const struct launched *l, const siginfo_t *s)
{
	if (s->si_signo != SIGCHLD && s->si_code != SI_KERNEL)
		kill(l->pid, s->si_signo);
}

bool launch_wait(struct launched *l, int ms)
{
	enum { TURN_MS = 100 };
	for (int waited = 0; !reap(l) && (ms < 0 || waited < ms); waited += TURN_MS) {
		siginfo_t s;
		struct timespec turn = {.tv_nsec = TURN_MS * 1000000L};
		pthread_sigmask(SIG_BLOCK, &held, NULL);
		if (sigtimedwait(&held, &s, &turn) > 0)
			pass_on(l, &s);
	}
	return l->ended;
}

bool launch_peek(const struct launched *l, char *buf, unsigned long size)
{
	siginfo_t s = {0};
	if (l->ended || waitid(P_PID, (id_t)l->pid, &s, WEXITED | WNOHANG | WNOWAIT) != 0 || s.si_pid == 0)
		return false;
	if (s.si_code == CLD_EXITED)
		snprintf(buf, size, "exit %d", s.si_status);
	else
		snprintf(buf, size, "signal %d (%s)", s.si_status, strsignal(s.si_status));
	return true;
}

/* The same signal, so that a shell sees what it would have seen; without a second core file. */
static void end_by(int signal_number)
{
	struct rlimit none = {0, 0};
	sigset_t one;
	setrlimit(RLIMIT_CORE, &none);
	signal(signal_number, SIG_DFL);
	sigemptyset(&one);
	sigaddset(&one, signal_number);
	raise(signal_number);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

int launch_exit_code(const struct launched *l)
{
	enum { BY_SIGNAL = 128 };
	if (WIFEXITED(l->status))
		return EXIT_OF_COMMAND | WEXITSTATUS(l->status);
	fflush(NULL);
	end_by(WTERMSIG(l->status));
	return EXIT_OF_COMMAND | (BY_SIGNAL + WTERMSIG(l->status));
}
