/* tui/report/report.c - dispatch to the formats; saving as a whole or not at all. */
#include "report.h"
#include "formats.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* clang-format off */
static const struct {
	const char *word;
	enum report_format format;
} words[] = {{"md", REPORT_MD}, {"html", REPORT_HTML}, {"svg", REPORT_SVG}, {"json", REPORT_JSON}, {"text", REPORT_TEXT},
	     {"markdown", REPORT_MD}, {"htm", REPORT_HTML}, {"txt", REPORT_TEXT}};
static void (*const writers[])(struct content *c, FILE *f) = {
	[REPORT_MD] = report_md, [REPORT_HTML] = report_html, [REPORT_SVG] = report_svg, [REPORT_JSON] = report_json,
	[REPORT_TEXT] = report_text};
/* clang-format on */

bool report_format_parse(const char *word, enum report_format *out)
{
	const char *dot = strrchr(word, '.');
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].word, dot ? dot + 1 : word) == 0) {
			*out = words[i].format;
			return true;
		}
	return false;
}

const char *report_format_ending(enum report_format f)
{
	return words[f].word;
}

bool report_write(const struct report_req *r, FILE *out, struct err *e)
{
	struct content c;
	trace_check_rest(derived_trace(r->d)); /* a report says what was lost */
	TRY(content_new(&c, r, e));
	writers[r->format](&c, out);
	content_free(&c);
	return true;
}

/* Not err_set: what cannot be written is no unreadable input. */
static bool cannot_write(struct err *e, const char *path, const char *why)
{
	return err_usage(e, "cannot write %.200s: %s", path, why);
}

static bool finish_file(FILE *f, struct err *e, const char *path)
{
	bool sound = fflush(f) == 0 && !ferror(f) && fsync(fileno(f)) == 0;
	int why = errno;
	sound = fclose(f) == 0 && sound;
	return sound || cannot_write(e, path, strerror(why));
}

/* Without force the final link() refuses a file that appeared meanwhile; rename() would replace it. */
static bool put_in_place(const char *temporary, const char *path, bool force, struct err *e)
{
	if (force)
		return rename(temporary, path) == 0 || cannot_write(e, path, strerror(errno));
	if (link(temporary, path) == 0) {
		unlink(temporary);
		return true;
	}
	if (errno == EEXIST)
		return err_usage(e, "%.200s exists; --force overwrites it", path);
	/* Some file systems have no hard links. */
	return access(path, F_OK) != 0 && rename(temporary, path) == 0 ? true : cannot_write(e, path, strerror(errno));
}

static FILE *open_temporary(char *name, struct err *e, const char *path)
{
	int fd = mkostemp(name, O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f) {
		cannot_write(e, path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	mode_t mask = umask(0);
	umask(mask);
	fchmod(fd, 0666 & ~mask);
	return f;
}

static bool save_file(const struct report_req *r, const char *path, bool force, struct err *e)
{
	char temporary[4096];
	if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= (int)sizeof temporary)
		return cannot_write(e, path, strerror(ENAMETOOLONG));
	FILE *f = open_temporary(temporary, e, path);
	if (!f)
		return false;
	bool sound = report_write(r, f, e);
	sound = finish_file(f, e, path) && sound;
	sound = sound && put_in_place(temporary, path, force, e);
	if (!sound)
		unlink(temporary);
	return sound;
}

bool report_save(const struct report_req *r, const char *path, bool force, struct err *e)
{
	if (strcmp(path, "-") == 0)
		return report_write(r, stdout, e);
	struct stat st;
	if (stat(path, &st) == 0) {
		if (!force)
			return err_usage(e, "%.200s exists; --force overwrites it", path);
		/* A pipe or a device has nothing to lose; replacing /dev/stdout would be wrong. */
		if (!S_ISREG(st.st_mode))
			return err_usage(e, "%.200s is no regular file", path);
	}
	return save_file(r, path, force, e);
}
