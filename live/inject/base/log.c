#include "log.h"
#include "process.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static const char *log_path;

void log_open(const char *path)
{
	log_path = path;
}

/* Opened for each line: no descriptor of ours is in the target's way, and a fork shares none. Never waits, as a pipe
 * without a reader would. */
void log_line(const char *format, ...)
{
	char line[512];
	if (!log_path)
		return;
	uint64_t now_ns = clock_ns(CLOCK_REALTIME);
	int n = snprintf(line, sizeof line, "%llu.%06llu %d ", (unsigned long long)(now_ns / 1000000000u),
			 (unsigned long long)(now_ns / 1000 % 1000000), (int)getpid());
	va_list args;
	va_start(args, format);
	int m = vsnprintf(line + n, sizeof line - 1 - (size_t)n, format, args);
	va_end(args);
	n = m < 0 ? n : n + m < (int)sizeof line - 1 ? n + m : (int)sizeof line - 2;
	line[n] = '\n';
	int fd = open(log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
	if (fd < 0)
		return;
	if (write(fd, line, (size_t)n + 1) < 0)
		log_path = NULL; /* a full disk: give up */
	close(fd);
}
