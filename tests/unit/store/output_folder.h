/* tests/unit/store/output_folder.h - a folder of its own to write outputs into: folder_enter() before the first test, folder_leave()
 * after the last one, and short words for what is done and found there. */
#ifndef OUTPUT_FOLDER_H
#define OUTPUT_FOLDER_H
#include "model/store/files/output_private.h"
#include "tests/unit/unit.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/stepscope-test-XXXXXX";
static struct err e;

/* Names in the folder, in order, with blanks between; temporaries count as "T". */
static inline const char *names(void)
{
	static char text[512];
	struct dirent **list;
	int n = scandir(".", &list, NULL, alphasort);
	text[0] = 0;
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "",
				 strncmp(name, ".stepscope-", 11) == 0 ? "T" : name);
		free(list[i]);
	}
	free(list);
	return text;
}

static inline void put_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static inline const char *text_of(const char *path)
{
	static char text[64];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	text[n] = 0;
	if (f)
		fclose(f);
	return text;
}

static inline struct output *begin(const char *path, unsigned flags, const char *text)
{
	e = (struct err){.at = -1};
	struct output *o = output_open(path, flags, &e);
	if (o)
		fputs(text, output_stream(o));
	return o;
}

static inline enum output_end write_it(const char *path, unsigned flags, const char *text)
{
	struct output *o = begin(path, flags, text);
	return o ? output_close(o, &e) : OUTPUT_LOST;
}

static inline mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode;
}

static inline int folder_enter(void **state)
{
	(void)state;
	return mkdtemp(folder) ? chdir(folder) : 1;
}

static inline int folder_clean(void **state)
{
	(void)state;
	return system("rm -rf ./* ./.[a-z]*");
}

static inline int folder_leave(void **state)
{
	(void)state;
	return chdir("/") || rmdir(folder);
}

#endif
