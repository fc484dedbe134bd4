#include "process.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t read_file(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = 0;
	return n > 0 ? (size_t)n : 0;
}

uint64_t process_start_ticks(void)
{
	char text[1024];
	if (!read_file("/proc/self/stat", text, sizeof text))
		return 0;
	const char *p = strrchr(text, ')'); /* the name may hold blanks and parentheses; field 3 follows it */
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	return p ? strtoull(p, NULL, 10) : 0;
}

void process_command(char *out, size_t size)
{
	size_t n = read_file("/proc/self/cmdline", out, size);
	while (n && !out[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)out[i] < ' ')
			out[i] = ' ';
}

void process_host(char *out, size_t size)
{
	if (gethostname(out, size))
		*out = 0;
	out[size - 1] = 0;
}

static int32_t first_number(const char *const names[])
{
	for (; *names; names++) {
		const char *value = getenv(*names);
		char *end;
		long n = value ? strtol(value, &end, 10) : -1;
		if (value && end != value && !*end && n >= 0 && n < INT32_MAX)
			return (int32_t)n;
	}
	return -1;
}

int32_t process_rank(void)
{
	static const char *const names[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", NULL};
	return first_number(names);
}

int32_t process_local_rank(void)
{
	static const char *const names[] = {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
					    "SLURM_LOCALID", NULL};
	return first_number(names);
}

size_t thread_name(uint32_t tid, char *out, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%u/comm", tid);
	size_t n = read_file(path, out, size);
	while (n && out[n - 1] == '\n')
		out[--n] = 0;
	return n;
}

uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	return clock_gettime(clock, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
