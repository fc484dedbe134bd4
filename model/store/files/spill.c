#include "spill.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int open_in(const char *dir)
{
	char path[512];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* Not every file system knows files without a name. */
	snprintf(path, sizeof path, "%s/stepscope-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* /tmp is memory on many machines, which is just what such a file is to spare. */
int spill_open(void)
{
	const char *dir = getenv("TMPDIR");
	if (dir && *dir)
		return open_in(dir);
	int fd = open_in("/var/tmp");
	return fd >= 0 ? fd : open_in("/tmp");
}

bool spill_write(int fd, const void *bytes, size_t n, int64_t at)
{
	for (size_t done = 0; done < n;) {
		ssize_t w = pwrite(fd, (const char *)bytes + done, n - done, at + (int64_t)done);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return false;
		done += (size_t)w;
	}
	return true;
}

size_t spill_read(int fd, void *to, size_t n, int64_t at)
{
	size_t done = 0;
	while (done < n) {
		ssize_t r = pread(fd, (char *)to + done, n - done, at + (int64_t)done);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			break;
		done += (size_t)r;
	}
	return done;
}
