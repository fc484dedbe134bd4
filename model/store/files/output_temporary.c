/* model/store/files/output_temporary.c - files that are not ready yet.
 * A temporary's name tells who made it: MACHINE stands for this boot of this machine and this container, so that the process
 * id means something; another machine's leftovers, on a shared file system, are told by their age alone. */
#include "output_private.h"
#include "codec.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MARK ".stepscope-"
enum { FORGOTTEN_S = 3600, TRIES = 100, DIGITS = 8 };

/* 0 = cannot be told. */
static uint32_t machine(void)
{
	char text[256];
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text / 2) : -1;
	if (fd >= 0)
		close(fd);
	ssize_t more = n > 0 ? readlink("/proc/self/ns/pid", text + n, sizeof text / 2) : -1;
	return more > 0 ? (uint32_t)codec_hash(text, (size_t)(n + more), 0) : 0;
}

static void next_name(char name[TEMPORARY_NAME])
{
	static _Atomic unsigned serial;
	snprintf(name, TEMPORARY_NAME, MARK "%0*" PRIx32 "-%d-%u", DIGITS, machine(), (int)getpid(),
		 atomic_fetch_add(&serial, 1));
}

static int open_named(int folder, char name[TEMPORARY_NAME])
{
	for (int i = 0; i < TRIES; i++) {
		next_name(name);
		int fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static const char *by_fd(int fd, char path[static 64])
{
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return path;
}

/* Without /proc a file without a name could never get one. */
int temporary_open(int folder, char name[TEMPORARY_NAME])
{
	char path[64];
	int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	*name = 0;
	if (fd >= 0 && access(by_fd(fd, path), F_OK) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return open_named(folder, name);
}

bool temporary_link(int folder, int fd, const char *name)
{
	char path[64];
	return linkat(AT_FDCWD, by_fd(fd, path), folder, name, AT_SYMLINK_FOLLOW) == 0;
}

bool temporary_name(int folder, int fd, char name[TEMPORARY_NAME])
{
	for (int i = 0; i < TRIES; i++) {
		next_name(name);
		if (temporary_link(folder, fd, name))
			return true;
		if (errno != EEXIST)
			break;
	}
	*name = 0;
	return false;
}

/* ---- the program ends amid the work ---------------------------------------------------------------------------------- */

enum { WATCHED = 16 };
static struct {
	int folder;
	_Atomic(const char *) name;
} watched[WATCHED];

/* Beyond that many at a time one is left to the next sweep. */
void temporary_watch(int folder, const char *name)
{
	static const char taken[] = "";
	for (int i = 0; i < WATCHED; i++) {
		const char *none = NULL;
		if (!atomic_compare_exchange_strong(&watched[i].name, &none, taken))
			continue;
		watched[i].folder = folder;
		atomic_store(&watched[i].name, name);
		return;
	}
}

void temporary_unwatch(const char *name)
{
	for (int i = 0; i < WATCHED; i++) {
		const char *this = name;
		if (atomic_compare_exchange_strong(&watched[i].name, &this, NULL))
			return;
	}
}

static struct {
	_Atomic(const char *) folder, path;
	_Atomic int writer;
} folders[WATCHED];

void output_watch_folder(const char *folder, const char *path)
{
	for (int i = 0; i < WATCHED; i++) {
		const char *none = NULL;
		if (!atomic_compare_exchange_strong(&folders[i].folder, &none, folder))
			continue;
		atomic_store(&folders[i].path, path);
		return;
	}
}

void output_watch_writer(const char *folder, int pid)
{
	for (int i = 0; i < WATCHED; i++)
		if (atomic_load(&folders[i].folder) == folder)
			atomic_store(&folders[i].writer, pid);
}

void output_forget_folder(const char *folder)
{
	for (int i = 0; i < WATCHED; i++) {
		const char *this = folder;
		if (atomic_load(&folders[i].folder) != folder)
			continue;
		atomic_store(&folders[i].path, NULL);
		atomic_store(&folders[i].writer, 0);
		atomic_compare_exchange_strong(&folders[i].folder, &this, NULL);
	}
}

static void give_up_folders(void)
{
	for (int i = 0; i < WATCHED; i++) {
		const char *folder = atomic_load(&folders[i].folder), *path = atomic_load(&folders[i].path);
		int writer = atomic_load(&folders[i].writer);
		if (writer > 0)
			kill(writer, SIGKILL);
		if (path)
			unlinkat(AT_FDCWD, path, 0);
		if (folder)
			unlinkat(AT_FDCWD, folder, AT_REMOVEDIR);
	}
}

void output_give_up(void)
{
	give_up_folders();
	for (int i = 0; i < WATCHED; i++) {
		const char *name = atomic_load(&watched[i].name);
		if (name && *name)
			unlinkat(watched[i].folder, name, 0);
	}
}

/* ---- leftovers ----------------------------------------------------------------------------------------------------- */

static bool parse(const char *name, uint32_t *made_on, long *pid)
{
	char *end;
	if (strncmp(name, MARK, strlen(MARK)) != 0)
		return false;
	name += strlen(MARK);
	*made_on = (uint32_t)strtoul(name, &end, 16);
	if (end != name + DIGITS || *end != '-')
		return false;
	*pid = strtol(end + 1, &end, 10);
	return *pid > 0 && *pid <= INT32_MAX && *end == '-' && end[1] >= '0' && end[1] <= '9';
}

static bool is_left_over(int folder, const char *name, uint32_t here)
{
	struct stat st;
	uint32_t made_on;
	long pid;
	if (!parse(name, &made_on, &pid) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return false;
	if (here && made_on == here)
		return kill((pid_t)pid, 0) != 0 && errno == ESRCH;
	return time(NULL) - st.st_mtim.tv_sec > FORGOTTEN_S;
}

void temporary_sweep(int folder)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	uint32_t here = machine();
	for (struct dirent *at; d && (at = readdir(d));)
		if (is_left_over(folder, at->d_name, here))
			unlinkat(folder, at->d_name, 0);
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
}
