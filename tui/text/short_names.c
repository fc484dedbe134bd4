#include "short_names.h"
#include "utf8.h"
#include "model/analysis/names/demangle.h"
#include "model/analysis/names/kernel_name.h"
#include <stdio.h>
#include <string.h>

/* A text longer than the buffer is cut: no screen is that wide. */
static const char *keep(const char *s, size_t n, char *buf)
{
	n = n < NAMES_BUF ? n : NAMES_BUF - 1;
	memmove(buf, s, n);
	buf[n] = 0;
	return buf;
}

/* ---- Python ------------------------------------------------------------------------------------------------------- */

/* "<built-in method f of type object at 0x7f00>": the f. */
static const char *built_in(const char *name, char *buf)
{
	static const char *const heads[] = {"<built-in function ", "<built-in method "};
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		size_t n = strlen(heads[i]);
		if (strncmp(name, heads[i], n) == 0)
			return keep(name + n, strcspn(name + n, " >"), buf);
	}
	return NULL;
}

/* "a/b/file.py(12): f" without as many directories as it takes. */
static const char *frame(const char *name, int cols)
{
	const char *line = strstr(name, ".py("), *slash;
	if (!line)
		return name;
	while (!utf8_fits(name, cols) && (slash = strchr(name, '/')) && slash < line)
		name = slash + 1;
	return name;
}

/* ---- C++ ---------------------------------------------------------------------------------------------------------- */

/* Parameters go first, then what kernel_name_short leaves out. */
static const char *cplusplus(const char *name, int cols, char *buf)
{
	struct arena mem = {0};
	name += strncmp(name, "void ", 5) == 0 ? 5 : 0;
	size_t all = strlen(name), n = cxx_without_parameters(name, all);
	if (utf8_fits(name, cols) || (n == all && !strchr(name, '<')))
		return name;
	const char *bare = kernel_name_bare(&mem, name);
	const char *text = utf8_fits(bare, cols) ? bare : kernel_name_short(&mem, name);
	text = keep(text, strlen(text), buf);
	arena_free(&mem);
	return text;
}

/* Bars on the timeline have little room and are many: of a long name only the start is read. */
enum { ROOM_FOR_ARGUMENTS = 32, ROOM_FOR_BOTH = 16, TEMPLATE_COLS = 24, LONG_NAME = 200 };

/* Reduced like any other C++ name, once it is readable; what was cut off keeps its start. */
static const char *mangled(const char *name, int cols, char *buf)
{
	struct arena mem = {0};
	char reduced[NAMES_BUF];
	bool begin = cols < ROOM_FOR_ARGUMENTS && strlen(name) > LONG_NAME;
	const char *full = begin ? NULL : demangle(&mem, name), *text = full ? full : demangle_begin(&mem, name);
	if (text) {
		text = utf8_fits(text, cols) ? text : cplusplus(text, cols, reduced);
		text = keep(text, strlen(text), buf);
	}
	arena_free(&mem);
	return text;
}

const char *name_reduce(const char *name, int cols, char *buf)
{
	if (utf8_fits(name, cols))
		return name;
	const char *f = is_mangled(name) ? mangled(name, cols, buf) : built_in(name, buf);
	if (f || strstr(name, ".py("))
		return f ? f : frame(name, cols);
	return *name == '<' ? name : cplusplus(name, cols, buf);
}

bool name_cut_end(const char *name)
{
	return *name != '<' && strchr(name, '<');
}

/* "vectorized_elementwise_kernel<4, AddFunctor" in little room: dozens of kernels share the template, so its name gives
 * way down to what is still recognised and its arguments get the rest. NULL: the template is not what is long. */
static const char *fit_template(const char *name, int cols, char *buf)
{
	char head[NAMES_BUF], shorter[NAMES_BUF], whole[2 * NAMES_BUF];
	const char *arguments = strchr(name, '<');
	keep(name, (size_t)(arguments - name), head);
	int head_cols = utf8_width(head), room = cols - utf8_width(arguments);
	int least = cols * 3 / 5 < TEMPLATE_COLS ? cols * 3 / 5 : TEMPLATE_COLS;
	room = room < least ? least : room;
	if (cols < ROOM_FOR_BOTH || head_cols <= room)
		return NULL;
	snprintf(whole, sizeof whole, "%s%s", utf8_cut(head, room, shorter, sizeof shorter), arguments);
	return utf8_cut(whole, cols, buf, NAMES_BUF);
}

/* One long word in a template: both its ends tell. */
static bool is_one_argument(const char *name)
{
	const char *arguments = strchr(name, '<') + 1;
	return !strpbrk(arguments, "<,");
}

/* surface_text marks what it cuts at the end; here the text ends where it must, with the mark. */
const char *name_fit(const char *name, int cols, char *buf)
{
	char reduced[NAMES_BUF];
	const char *text = name_reduce(name, cols, reduced);
	if (utf8_fits(text, cols) || !name_cut_end(text) || is_one_argument(text))
		return utf8_shorten(text, cols, buf, NAMES_BUF);
	const char *fit = fit_template(text, cols, buf);
	return fit ? fit : utf8_cut(text, cols, buf, NAMES_BUF);
}
