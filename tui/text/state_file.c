#include "state_file.h"
#include "model/store/files/output.h"
#include "model/store/files/spill.h"
#include "model/store/files/trusted.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
bool state_file_path(const char *name, bool make, char *path, size_t size)
{
	char folder[PATH_MAX];
	bool there;
	if (!find_folder(folder, sizeof folder) || (make && !trusted_folder_make(folder)) ||
	    !trusted_folder(folder, &there))
		return false;
	int n = snprintf(path, size, "%s/%s", folder, name);
	return n > 0 && (size_t)n < size;
}

void state_file_write(const char *name, const char *const *lines, size_t n)
{
	char path[PATH_MAX];
	struct err e = {.at = -1};
	struct output *o = NULL;
	if (state_file_path(name, true, path, sizeof path))
		o = output_open(path, OUTPUT_FORCE | OUTPUT_EXPENDABLE | OUTPUT_ON_SCREEN, &e);
	if (!o)
		return;
	for (size_t i = 0; i < n; i++)
		fprintf(output_stream(o), "%s\n", lines[i]);
	output_close(o, &e);
}

size_t state_file_read(const char *name, size_t most_bytes, const char **lines, size_t most, struct arena *mem)
{
	char path[PATH_MAX], *save = NULL;
	const char *why;
	size_t n = 0;
	int fd = state_file_path(name, false, path, sizeof path) ? trusted_file(path, &why) : -1;
	if (fd < 0)
		return 0;
	char *text = arena_alloc(mem, most_bytes + 1);
	text[spill_read(fd, text, most_bytes, 0)] = 0;
	close(fd);
	for (char *line = strtok_r(text, "\n", &save); line && n < most; line = strtok_r(NULL, "\n", &save))
		lines[n++] = line;
	return n;
}
