#include "session_log.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int log_fd = -1;

bool session_log_open(const char *path, struct err *e)
{
	if (!path || !*path)
		return true;
	/* O_NONBLOCK: a FIFO without a reader must not hold the explorer up */
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
	if (fd < 0)
		return err_usage(e, "STEPSCOPE_LOG: cannot write to '%.160s': %s", path, strerror(errno));
	atomic_store(&log_fd, fd);
	return true;
}

bool session_log_on(void)
{
	return atomic_load(&log_fd) >= 0;
}

static int put_head(char *line, size_t size)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return snprintf(line, size, "%lld.%06ld %d ", (long long)now.tv_sec, now.tv_nsec / 1000, (int)getpid());
}

void session_log(const char *format, ...)
{
	char line[512];
	if (!session_log_on())
		return;
	size_t n = (size_t)put_head(line, sizeof line), left = sizeof line - 1 - n;
	va_list args;
	va_start(args, format);
	int said = vsnprintf(line + n, left, format, args);
	va_end(args);
	size_t end = said < 0 ? n : n + ((size_t)said < left ? (size_t)said : left - 1);
	for (; n < end; n++)
		if ((unsigned char)line[n] < ' ' || line[n] == 0x7f)
			line[n] = '?';
	line[end++] = '\n'; /* one write: lines of several threads never mix */
	if (write(atomic_load(&log_fd), line, end) < 0)
		atomic_store(&log_fd, -1);
}
