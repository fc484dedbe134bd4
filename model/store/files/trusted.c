#include "trusted.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int trusted_file(const char *path, const char **why)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		*why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*why = S_ISDIR(st.st_mode) ? "it is a folder" : "it is no regular file";
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool trusted_folder(const char *path, bool *there)
{
	struct stat st;
	*there = lstat(path, &st) == 0;
	return *there && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

bool trusted_folder_make(const char *path)
{
	char part[PATH_MAX];
	int n = snprintf(part, sizeof part, "%s", path);
	if (n <= 0 || (size_t)n >= sizeof part)
		return false;
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(part, 0700);
		*slash = '/';
	}
	return mkdir(part, 0700) == 0 || errno == EEXIST;
}
