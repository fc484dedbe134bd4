#include "address.h"
#include "model/store/files/trusted.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- processes ----------------------------------------------------------------------------------------------------- */

static size_t read_proc(int pid, const char *what, char *buf, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, buf, size - 1) : -1;
	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0 ? (size_t)n : 0;
}

/* The name in parentheses may hold anything: count from its end. */
uint64_t address_start_ticks(int pid)
{
	char text[1024];
	enum { FIELDS_BEHIND_NAME = 20 };
	read_proc(pid, "stat", text, sizeof text);
	const char *p = strrchr(text, ')');
	for (int i = 0; p && i < FIELDS_BEHIND_NAME; i++)
		p = strchr(p + 1, ' ');
	return p ? strtoull(p, NULL, 10) : 0;
}

static void address_command(int pid, char *buf, size_t size)
{
	size_t n = read_proc(pid, "cmdline", buf, size);
	while (n > 0 && buf[n - 1] == 0)
		n--;
	for (size_t i = 0; i < n; i++)
		if (buf[i] == 0 || iscntrl((unsigned char)buf[i]))
			buf[i] = ' ';
	buf[n] = 0;
}

/* ---- folders ------------------------------------------------------------------------------------------------------- */

bool address_folder(unsigned i, char path[WIRE_PATH_BYTES], bool *there, bool *sound)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char other[WIRE_PATH_BYTES];
	wire_socket_dir(path, i == 0 ? runtime : NULL, geteuid());
	wire_socket_dir(other, NULL, geteuid());
	if (i > 1 || (i == 1 && (!runtime || (wire_socket_dir(other, runtime, geteuid()), strcmp(other, path) == 0))))
		return false;
	*sound = trusted_folder(path, there);
	return true;
}

bool address_viewer(char path[WIRE_PATH_BYTES], struct err *e)
{
	static unsigned serial;
	char dir[WIRE_PATH_BYTES];
	bool there;
	wire_socket_dir(dir, getenv("XDG_RUNTIME_DIR"), geteuid());
	if (mkdir(dir, 0700) != 0 && errno != EEXIST)
		return err_usage(e, "cannot make %s for the sockets: %s", dir, strerror(errno));
	if (!trusted_folder(dir, &there))
		return err_usage(e, "%s must be a folder of yours that others cannot enter (mode 0700), and not a link",
				 dir);
	int n = snprintf(path, WIRE_PATH_BYTES, "%s/viewer-%d-%u", dir, (int)getpid(), serial++);
	return (n > 0 && n < WIRE_PATH_BYTES) || err_usage(e, "the path %s is too long for a socket", dir);
}

/* ---- armed processes ----------------------------------------------------------------------------------------------- */

static bool parse_name(const char *name, int *pid, uint64_t *ticks)
{
	char *end;
	long p = strtol(name, &end, 10);
	if (end == name || *end != '-' || p <= 0 || p > INT32_MAX || !isdigit((unsigned char)*name))
		return false;
	*pid = (int)p;
	*ticks = strtoull(end + 1, &end, 10);
	return strcmp(end, ".sock") == 0;
}

/* Does anyone listen? *pid receives who: a process of a container has another number there than here. */
static bool answers(const char *path, int *pid)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	struct ucred peer;
	socklen_t n = sizeof peer;
	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool ok = fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
		  getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0;
	bool refused = !ok && errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	if (ok)
		*pid = peer.pid;
	return !refused;
}

static int by_pid(const void *a, const void *b)
{
	const struct armed *x = a, *y = b;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static unsigned look_into(const char *dir, struct armed *out, unsigned max)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	unsigned n = 0;
	while (d && n < max && (entry = readdir(d))) {
		struct armed a;
		if (!parse_name(entry->d_name, &a.pid, &a.start_ticks) ||
		    !wire_socket_path(a.path, dir, a.pid, a.start_ticks))
			continue;
		bool here = address_start_ticks(a.pid) == a.start_ticks;
		if (!here && !answers(a.path, &a.pid)) {
			unlink(a.path);
			continue;
		}
		address_command(a.pid, a.command, sizeof a.command);
		out[n++] = a;
	}
	if (d)
		closedir(d);
	return n;
}

unsigned address_armed(struct armed *out, unsigned max)
{
	char dir[WIRE_PATH_BYTES];
	unsigned n = 0;
	bool there, sound;
	for (unsigned i = 0; address_folder(i, dir, &there, &sound); i++)
		if (sound)
			n += look_into(dir, out + n, max - n);
	qsort(out, n, sizeof *out, by_pid);
	return n;
}

bool address_of(int pid, struct armed *out)
{
	enum { MOST = 512 };
	struct armed *all = calloc(MOST, sizeof *all);
	unsigned n = all ? address_armed(all, MOST) : 0;
	bool found = false;
	for (unsigned i = 0; i < n && !found; i++)
		if (all[i].pid == pid) {
			*out = all[i];
			found = true;
		}
	free(all);
	return found;
}
