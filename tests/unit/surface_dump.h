/* tests/unit/surface_dump.h - a surface as text, and what a test expects of it. */
#ifndef SURFACE_DUMP_H
#define SURFACE_DUMP_H
#include "tui/screen/shot.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Rows as UTF-8 lines without trailing blanks; from malloc. */
static inline char *surface_dump(const struct surface *s)
{
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	shot_write(f, s, NULL, SHOT_TEXT, NULL);
	fclose(f);
	return text;
}
/* One of them, from the top; negative counts from the bottom. Good until the next call. */
static inline const char *surface_line(const struct surface *s, int y)
{
	static char buf[4096];
	char *all = surface_dump(s), *p = all;
	for (int i = y < 0 ? s->rows + y : y; i > 0; i--)
		p = strchr(p, '\n') + 1;
	snprintf(buf, sizeof buf, "%.*s", (int)strcspn(p, "\n"), p);
	free(all);
	return buf;
}
static inline void surface_says(const struct surface *s, const char *text)
{
	char *all = surface_dump(s);
	if (!strstr(all, text))
		fail_msg("\"%s\" is not on this screen:\n%s", text, all);
	free(all);
}
static inline void surface_keeps_quiet_about(const struct surface *s, const char *text)
{
	char *all = surface_dump(s);
	if (strstr(all, text))
		fail_msg("\"%s\" should not be on this screen:\n%s", text, all);
	free(all);
}
#endif
