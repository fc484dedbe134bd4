#include "remember.h"
#include "model/store/files/output.h"
#include "tui/text/state_file.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = REMEMBER_MOST * PATH_MAX };
#define HINTS  "hints-used"
#define RECENT "recent"

/* ---- hints -------------------------------------------------------------------------------------------------------- */

bool remember_hints_due(void)
{
	char path[PATH_MAX];
	return state_file_path(HINTS, true, path, sizeof path) && access(path, F_OK) != 0 &&
	       output_check(path, OUTPUT_ON_SCREEN, NULL);
}

void remember_hints_used(void)
{
	state_file_write(HINTS, NULL, 0);
}

/* ---- traces ------------------------------------------------------------------------------------------------------- */

size_t remember_recent(const char *const **paths, struct arena *mem)
{
	const char **list = arena_alloc(mem, REMEMBER_MOST * sizeof *list), *lines[REMEMBER_MOST];
	size_t n = 0, found = state_file_read(RECENT, MOST_BYTES, lines, REMEMBER_MOST, mem);
	for (size_t i = 0; i < found; i++)
		if (*lines[i] == '/')
			list[n++] = lines[i];
	*paths = list;
	return n;
}

void remember_opened(const char *path)
{
	struct stat st;
	char full[PATH_MAX];
	bool lasts = stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
	if (!lasts || !realpath(path, full) || strchr(full, '\n'))
		return;
	struct arena mem = {0};
	const char *const *before;
	const char *lines[REMEMBER_MOST] = {full};
	size_t n_before = remember_recent(&before, &mem), n = 1;
	for (size_t i = 0; i < n_before && n < REMEMBER_MOST; i++)
		if (strcmp(before[i], full) != 0)
			lines[n++] = before[i];
	state_file_write(RECENT, lines, n);
	arena_free(&mem);
}
