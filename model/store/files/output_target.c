/* model/store/files/output_target.c - what stands where an output is to go. */
#include "output_private.h"
#include "model/store/base/paths.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

bool output_refuse(struct err *e, const char *path, const char *why)
{
	return err_unwritten(e, "cannot write %.200s: %s", strcmp(path, "-") == 0 ? "to stdout" : path, why);
}

/* "." for a name alone. */
static bool folder_of(const char *path, char folder[PATH_MAX])
{
	size_t n = (size_t)(path_last(path) - path);
	int used = n ? snprintf(folder, PATH_MAX, "%.*s", (int)n, path) : snprintf(folder, PATH_MAX, ".");
	return used > 0 && used < PATH_MAX;
}

/* ---- links --------------------------------------------------------------------------------------------------------- */

/* What a link on procfs points to need not have a name: such links are opened, never followed by their text. */
static bool is_on_proc(const char *folder)
{
	struct statfs fs;
	return statfs(folder, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static bool are_own_fds(const char *folder)
{
	struct stat a, b;
	return stat(folder, &a) == 0 && stat("/proc/self/fd", &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool follow(struct target *t, const char *folder)
{
	char text[PATH_MAX], next[PATH_MAX];
	ssize_t n = readlink(t->path, text, sizeof text - 1);
	if (n < 0)
		return false;
	text[n] = 0;
	errno = ENAMETOOLONG;
	int used = *text == '/' ? snprintf(next, sizeof next, "%s", text)
				: snprintf(next, sizeof next, "%s/%s", folder, text);
	if (used < 0 || used >= (int)sizeof next)
		return false;
	memcpy(t->path, next, (size_t)used + 1);
	return true;
}

/* As fs.protected_symlinks and fs.protected_fifos have it: in a folder like /tmp a link or FIFO of another user's may be a
 * trap. Links that are followed by hand are nothing the kernel would look at. */
static bool may_be_a_trap(const struct stat *st, const char *folder)
{
	struct stat in;
	return (S_ISLNK(st->st_mode) || S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode)) && st->st_uid != geteuid() &&
	       stat(folder, &in) == 0 && (in.st_mode & S_ISVTX) && (in.st_mode & S_IWOTH) && in.st_uid != st->st_uid;
}

/* True: t->path is what links led to, and t->st, when t->there, tells of it. */
static bool walk(struct target *t)
{
	enum { MOST_LINKS = 40 };
	char folder[PATH_MAX];
	for (int i = 0; i < MOST_LINKS; i++) {
		t->there = lstat(t->path, &t->st) == 0;
		if (!t->there)
			return errno == ENOENT;
		if (!folder_of(t->path, folder))
			return false;
		if (may_be_a_trap(&t->st, folder)) {
			errno = EACCES;
			return false;
		}
		if (!S_ISLNK(t->st.st_mode))
			return true;
		if (is_on_proc(folder)) {
			t->kind = are_own_fds(folder) ? TARGET_FD : TARGET_STREAM;
			t->fd = atoi(path_last(t->path));
			return true;
		}
		if (!follow(t, folder))
			return false;
	}
	errno = ELOOP;
	return false;
}

/* ---- judging ------------------------------------------------------------------------------------------------------- */

static bool is_writable_fd(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
		errno = EBADF;
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static bool judge(struct target *t, const char *path, unsigned flags, struct err *e)
{
	mode_t mode = t->there ? t->st.st_mode : S_IFDIR;
	bool holds_data = S_ISREG(mode) || S_ISBLK(mode);
	if (!t->there && *t->name)
		return true;
	if ((S_ISDIR(mode) || (holds_data && !(flags & OUTPUT_FORCE))) && flags & OUTPUT_CHECKED && *t->name)
		return true; /* output_close will find it in the way */
	if (S_ISDIR(mode))
		return err_unwritten(e, "%.200s is a folder; the output wants a file's name", path);
	if (holds_data && !(flags & OUTPUT_FORCE))
		return err_unwritten(e, "%.200s exists; --force overwrites it", path);
	if (S_ISREG(mode))
		return true;
	t->kind = S_ISSOCK(mode) ? TARGET_SOCKET : TARGET_STREAM;
	return access(t->path, W_OK) == 0 || output_refuse(e, path, strerror(errno));
}

bool target_find(struct target *t, const char *path, unsigned flags, struct err *e)
{
	*t = (struct target){.kind = TARGET_FILE, .fd = -1};
	bool is_stdout = strcmp(path, "-") == 0;
	if (!*path)
		return output_refuse(e, "''", strerror(ENOENT));
	if (strlen(path) >= sizeof t->path)
		return output_refuse(e, path, strerror(ENAMETOOLONG));
	memcpy(t->path, path, strlen(path) + 1);
	if (is_stdout) {
		t->kind = TARGET_FD;
		t->fd = STDOUT_FILENO;
	} else if (!walk(t)) {
		return output_refuse(e, path, strerror(errno));
	}
	t->name = path_last(t->path);
	if (t->kind == TARGET_FILE)
		return judge(t, path, flags, e);
	if (t->kind == TARGET_FD && !is_writable_fd(t->fd))
		return output_refuse(e, path, strerror(errno));
	return true;
}

/* ---- opening ------------------------------------------------------------------------------------------------------- */

int target_folder(const struct target *t)
{
	char folder[PATH_MAX];
	if (!folder_of(t->path, folder)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Who may write into a folder need not be allowed to list it. */
	return fd >= 0 ? fd : open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int dial(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	errno = ENAMETOOLONG;
	if (strlen(path) >= sizeof a.sun_path)
		return -1;
	memcpy(a.sun_path, path, strlen(path));
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
		return fd;
	int why = errno;
	close(fd);
	errno = why;
	return -1;
}

/* Appending: what another process has open by a link of procfs may be a regular file. */
static int open_stream(const char *path, unsigned flags)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | (flags & OUTPUT_ON_SCREEN ? O_NONBLOCK : 0));
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

int target_connect(const struct target *t, unsigned flags)
{
	if (t->kind == TARGET_SOCKET)
		return dial(t->path);
	if (t->kind == TARGET_STREAM)
		return open_stream(t->path, flags);
	fflush(stdout); /* the same descriptor, maybe */
	return fcntl(t->fd, F_DUPFD_CLOEXEC, 3);
}
