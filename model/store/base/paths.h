/* model/store/base/paths.h - the two halves of a path. Texts are the caller's, nothing is looked up on the disk. Threads: any. */
#ifndef STEPSCOPE_PATHS_H
#define STEPSCOPE_PATHS_H
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* "run/a.json" -> "a.json", a part of the path; "run/" -> "". */
static inline const char *path_last(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
/* Bytes in front of the last '/': "run/a.json" -> 3; 0 for a name alone and for what lies in "/". */
static inline size_t path_folder_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) : 0;
}
/* Both lie in the same folder, as they are written. */
static inline bool path_same_folder(const char *a, const char *b)
{
	size_t n = path_folder_bytes(a);
	return path_folder_bytes(b) == n && strncmp(a, b, n) == 0;
}
#endif
