#include "remember.h"
#include "model/store/files/output.h"
#include "model/store/files/spill.h"
#include "model/store/files/trusted.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = REMEMBER_MOST * PATH_MAX };
#define HINTS  "hints-used"
#define RECENT "recent"

/* A relative XDG_STATE_HOME counts as none, as its specification says. */
static bool find_folder(char *folder, size_t size)
{
	const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n = -1;
	if (base && *base == '/')
		n = snprintf(folder, size, "%s/stepscope", base);
	else if (home && *home == '/')
		n = snprintf(folder, size, "%s/.local/state/stepscope", home);
	return n > 0 && (size_t)n < size;
}

/* make: the folder, too, where it is not there. */
static bool file_path(const char *name, bool make, char *path, size_t size)
{
	char folder[PATH_MAX];
	bool there;
	if (!find_folder(folder, sizeof folder) || (make && !trusted_folder_make(folder)) ||
	    !trusted_folder(folder, &there))
		return false;
	int n = snprintf(path, size, "%s/%s", folder, name);
	return n > 0 && (size_t)n < size;
}

static void write_file(const char *name, const char *const *lines, size_t n)
{
	char path[PATH_MAX];
	struct err e = {.at = -1};
	struct output *o = NULL;
	if (file_path(name, true, path, sizeof path))
		o = output_open(path, OUTPUT_FORCE | OUTPUT_EXPENDABLE | OUTPUT_ON_SCREEN, &e);
	if (!o)
		return;
	for (size_t i = 0; i < n; i++)
		fprintf(output_stream(o), "%s\n", lines[i]);
	output_close(o, &e);
}

/* ---- hints -------------------------------------------------------------------------------------------------------- */

bool remember_hints_due(void)
{
	char path[PATH_MAX];
	return file_path(HINTS, true, path, sizeof path) && access(path, F_OK) != 0 &&
	       output_check(path, OUTPUT_ON_SCREEN, NULL);
}

void remember_hints_used(void)
{
	write_file(HINTS, NULL, 0);
}

/* ---- traces ------------------------------------------------------------------------------------------------------- */

static char *read_recent(struct arena *mem)
{
	char path[PATH_MAX];
	const char *why;
	int fd = file_path(RECENT, false, path, sizeof path) ? trusted_file(path, &why) : -1;
	if (fd < 0)
		return NULL;
	char *text = arena_alloc(mem, MOST_BYTES + 1);
	text[spill_read(fd, text, MOST_BYTES, 0)] = 0;
	close(fd);
	return text;
}

size_t remember_recent(const char *const **paths, struct arena *mem)
{
	const char **list = arena_alloc(mem, REMEMBER_MOST * sizeof *list);
	char *text = read_recent(mem), *save = NULL;
	size_t n = 0;
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line && n < REMEMBER_MOST;
	     line = strtok_r(NULL, "\n", &save))
		if (*line == '/')
			list[n++] = line;
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
	write_file(RECENT, lines, n);
	arena_free(&mem);
}
