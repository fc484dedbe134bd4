/* tests/screens/idle.h - what the threads of a running program do, as Linux tells it in /proc.
 *
 * A program that waits without a time limit in every thread has nothing left to do until a key comes: that is known at
 * once, where a quiet terminal has to be watched for a while. Where the kernel does not show a thread's system call
 * (another user's program, a hardened kernel) nobody is said to wait. */
#ifndef STEPSCOPE_TESTS_IDLE_H
#define STEPSCOPE_TESTS_IDLE_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The first bytes of a file of one thread as text; empty when the thread has ended. */
static inline void thread_file(int task_dir, const char *tid, const char *name, char *text, size_t size)
{
	char path[64];
	int fd;
	ssize_t n = -1;

	snprintf(path, sizeof path, "%.20s/%.20s", tid, name);
	fd = openat(task_dir, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
}

/* Runs or waits for a disk: the letter after the name, which may hold blanks and brackets. */
static inline bool thread_at_work(int task_dir, const char *tid)
{
	char line[512];

	thread_file(task_dir, tid, "stat", line, sizeof line);
	const char *state = strrchr(line, ')');

	return state && (state[2] == 'R' || state[2] == 'D');
}

/* Sleeps in ppoll or on a futex, and no time limit will wake it. */
static inline bool thread_waits(int task_dir, const char *tid)
{
	char line[512];
	long call;
	unsigned long a[4];

	if (thread_at_work(task_dir, tid))
		return false;
	thread_file(task_dir, tid, "syscall", line, sizeof line);
	if (sscanf(line, "%ld %lx %lx %lx %lx", &call, &a[0], &a[1], &a[2], &a[3]) != 5)
		return false;
	return (call == SYS_ppoll && a[2] == 0) || (call == SYS_futex && a[3] == 0);
}

/* True when `is` holds for one thread of the program at least. */
static inline bool any_thread(pid_t pid, bool (*is)(int task_dir, const char *tid))
{
	char path[64];
	bool found = false;
	DIR *tasks;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	for (struct dirent *d; tasks && !found && (d = readdir(tasks));)
		found = d->d_name[0] != '.' && is(dirfd(tasks), d->d_name);
	if (tasks)
		closedir(tasks);
	return found;
}

static inline bool thread_may_act(int task_dir, const char *tid)
{
	return !thread_waits(task_dir, tid);
}

static inline bool program_at_work(pid_t pid)
{
	return any_thread(pid, thread_at_work);
}

static inline bool program_waits(pid_t pid)
{
	return !any_thread(pid, thread_may_act);
}

/* How often the program's first thread has gone to sleep so far; -1 when that is not told. */
static inline long times_slept(pid_t pid)
{
	static const char key[] = "\nvoluntary_ctxt_switches:";
	char path[64], text[4096];
	FILE *f;
	size_t n = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)pid, (int)pid);
	f = fopen(path, "re");
	if (f) {
		n = fread(text, 1, sizeof text - 1, f);
		fclose(f);
	}
	text[n] = '\0';
	const char *at = strstr(text, key);
	long times = -1;

	return at && sscanf(at + sizeof key - 1, "%ld", &times) == 1 ? times : -1;
}

#endif
