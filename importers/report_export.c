#include "report_export.h"
#include "model/store/base/paths.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cache.h"
#include "model/store/files/output.h"

enum { POLL_MS = 100, LINE_BYTES = 512 };
#define ENDING ".nsys-rep"

bool report_is(const unsigned char *head, size_t n)
{
	static const char magic[] = "NVIDIA Tegra Profiler Report";
	return (n >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0) ||
	       memmem(head, n < 512 ? n : 512, "QuadDCommon", 11);
}

/* ---- the command by hand ---------------------------------------------------------------------------------------------- */

/* One word for a shell; cut where there is no room. */
static void quote(const char *word, char *out, size_t size)
{
	size_t n = 0;
	bool plain =
		*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=:,@%-") ==
				 strlen(word);
	if (plain) {
		snprintf(out, size, "%s", word);
		return;
	}
	out[n++] = '\'';
	for (; *word && n + 6 < size; word++)
		n += (size_t)snprintf(out + n, size - n, *word == '\'' ? "'\\''" : "%c", *word);
	snprintf(out + n, size - n, "'");
}

static size_t stem_bytes(const char *path)
{
	size_t n = strlen(path), k = sizeof ENDING - 1;
	return n > k && strcmp(path + n - k, ENDING) == 0 ? n - k : n;
}

static bool refuse(const char *report, const char *why, struct err *e)
{
	char from[120], stem[PATH_MAX], to[120];
	snprintf(stem, sizeof stem, "%.*s.sqlite", (int)stem_bytes(report), report);
	quote(report, from, sizeof from);
	quote(stem, to, sizeof to);
	return err_set(e, report, -1, "a report of Nsight Systems; %s: nsys export --type sqlite -o %s %s", why, to,
		       from);
}

/* ---- its places ------------------------------------------------------------------------------------------------------- */

static bool find_nsys(char *path, size_t size)
{
	const char *at = getenv("PATH");
	while (at && *at) {
		size_t n = strcspn(at, ":");
		int used = *at == '/' ? snprintf(path, size, "%.*s/nsys", (int)n, at) : -1;
		if (used > 0 && (size_t)used < size && access(path, X_OK) == 0)
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}

static bool make_folder(struct report_export *x, const char *report, bool cache)
{
	char dir[PATH_MAX];
	const char *temporary = getenv("TMPDIR"), *base = path_last(report);
	if (!cache || !cache_folder(dir, sizeof dir))
		snprintf(dir, sizeof dir, "%s", temporary && *temporary == '/' ? temporary : "/tmp");
	if (snprintf(x->folder, sizeof x->folder, "%s/export-XXXXXX", dir) >= (int)sizeof x->folder ||
	    !mkdtemp(x->folder)) {
		*x->folder = 0;
		return false;
	}
	output_watch_folder(x->folder, x->file);
	/* the report's own name: it may tell the rank */
	return snprintf(x->file, sizeof x->file, "%s/%.*s.sqlite", x->folder, (int)stem_bytes(base), base) <
	       (int)sizeof x->file;
}

void report_export_remove(struct report_export *x)
{
	if (*x->file)
		unlink(x->file);
	if (*x->folder)
		rmdir(x->folder);
	output_forget_folder(x->folder);
}

/* ---- nsys ------------------------------------------------------------------------------------------------------------- */

/* In the child. However we end, it ends with us: a signal may come before anybody has noted its number. */
static void become(const char *nsys, const char *const *words, int out, pid_t parent)
{
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	bool ours = !prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent;
	if (ours && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
		execv(nsys, (char *const *)words);
	raise(SIGKILL);
}

static pid_t start(const char *nsys, const char *report, const char *to, int *out)
{
	char output[PATH_MAX + 16];
	const char *words[] = {"nsys", "export", "--type=sqlite", "--force-overwrite=true", output, report, NULL};
	int ends[2];
	snprintf(output, sizeof output, "--output=%s", to);
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid_t self = getpid(), pid = fork();
	if (pid == 0)
		become(nsys, words, ends[1], self);
	close(ends[1]);
	*out = ends[0];
	if (pid < 0)
		close(ends[0]);
	return pid;
}

/* "Processing events: [====    54%": the number before the sign. */
static void tell(struct progress *p, const char *line, size_t n)
{
	const char *sign = memrchr(line, '%', n);
	int64_t share = 0, place = 1;
	for (const char *c = sign; c && c > line && isdigit((unsigned char)c[-1]) && place < 1000; c--, place *= 10)
		share += (c[-1] - '0') * place;
	if (p && sign && share <= 100)
		atomic_store(&p->bytes_done, atomic_load(&p->bytes_total) * share / 100);
}

/* Follows what it prints to its end. */
static void follow(int out, pid_t pid, struct progress *p)
{
	char text[LINE_BYTES];
	struct pollfd wait = {.fd = out, .events = POLLIN};
	for (;;) {
		int ready = poll(&wait, 1, POLL_MS);
		if (progress_cancelled(p))
			kill(pid, SIGKILL);
		ssize_t n = ready > 0 ? read(out, text, sizeof text) : 1;
		if (n == 0 || (n < 0 && errno != EINTR) || (ready < 0 && errno != EINTR))
			return;
		if (ready > 0 && n > 0)
			tell(p, text, (size_t)n);
		if (progress_cancelled(p))
			return;
	}
}

static bool run(const char *nsys, const char *report, const struct report_export *x, struct progress *p)
{
	int out, status = -1;
	pid_t pid = start(nsys, report, x->file, &out);
	if (pid < 0)
		return false;
	output_watch_writer(x->folder, pid);
	follow(out, pid, p);
	close(out);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	output_watch_writer(x->folder, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool report_export(struct report_export *x, const char *report, bool cache, struct progress *p, struct err *e)
{
	char nsys[PATH_MAX], whole[PATH_MAX];
	struct stat st;
	*x = (struct report_export){0};
	if (!find_nsys(nsys, sizeof nsys) || !realpath(report, whole))
		return refuse(report, "no nsys is on the PATH; where there is one, run this and open what it writes",
			      e);
	if (!make_folder(x, report, cache))
		return refuse(report, "no folder can be made for an export; run this and open what it writes", e);
	if (p)
		atomic_store(&p->phase, PHASE_EXPORT);
	bool ok = run(nsys, whole, x, p) && stat(x->file, &st) == 0;
	if (progress_cancelled(p))
		return err_usage(e, "cancelled");
	if (!ok)
		return refuse(report, "nsys could not export it; to see what it says, run", e);
	if (p) {
		atomic_store(&p->bytes_done, 0);
		atomic_store(&p->bytes_total, st.st_size);
		atomic_store(&p->phase, PHASE_READ);
	}
	return true;
}
