#include "names.h"
#include "../utf8.h"
#include <ctype.h>
#include <string.h>

static const char anonymous[] = "(anonymous namespace)";

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

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
	while (utf8_width(name) > cols && (slash = strchr(name, '/')) && slash < line)
		name = slash + 1;
	return name;
}

/* ---- mangled names ------------------------------------------------------------------------------------------------ */

/* "_ZN5aiter3addILi4EEEvPf": "aiter::add". NULL when the name does not begin so. */
static const char *mangled(const char *name, char *buf)
{
	size_t k = 0;
	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	name += name[2] == 'N' ? 3 : 2;
	while (*name >= '1' && *name <= '9') {
		size_t n = 0;
		while (isdigit((unsigned char)*name) && n < NAMES_BUF)
			n = n * 10 + (size_t)(*name++ - '0');
		if (strnlen(name, n) < n || k + n + 3 > NAMES_BUF)
			return NULL;
		k += (size_t)(stpcpy(buf + k, k ? "::" : "") - (buf + k));
		keep(name, n, buf + k);
		k += n;
		name += n;
	}
	return k ? buf : NULL;
}

/* ---- C++ ---------------------------------------------------------------------------------------------------------- */

/* Length without a parameter list; "Memcpy HtoD (Pageable -> Device)" has none. */
static size_t without_parameters(const char *s, size_t n)
{
	int depth = 0;
	if (n == 0 || s[n - 1] != ')')
		return n;
	for (size_t i = n; i-- > 0;) {
		depth += s[i] == ')' ? 1 : s[i] == '(' ? -1 : 0;
		if (depth == 0)
			return i > 0 && (is_word(s[i - 1]) || s[i - 1] == '>') ? i : n;
	}
	return n;
}

/* Start of the namespace that ends at s[n]; n when that is something else. */
static size_t qualifier(const char *s, size_t n)
{
	size_t k = sizeof anonymous - 1, at = n;
	if (n >= k && memcmp(s + n - k, anonymous, k) == 0)
		return n - k;
	while (at > 0 && is_word(s[at - 1]))
		at--;
	return at;
}

static const char *without_namespaces(const char *s, size_t n, char *buf)
{
	size_t k = 0;
	for (size_t i = 0; i < n && k + 1 < NAMES_BUF; i++) {
		size_t from = i + 1 < n && s[i] == ':' && s[i + 1] == ':' ? qualifier(buf, k) : k;
		if (from < k) {
			k = from;
			i++;
		} else {
			buf[k++] = s[i];
		}
	}
	buf[k] = 0;
	return buf;
}

static const char *cplusplus(const char *name, int cols, char *buf)
{
	name += strncmp(name, "void ", 5) == 0 ? 5 : 0;
	size_t all = strlen(name), n = without_parameters(name, all);
	if (utf8_width(name) <= cols || (n == all && !strchr(name, '<')))
		return name;
	const char *bare = keep(name, n, buf);
	return utf8_width(bare) <= cols ? bare : without_namespaces(name, n, buf);
}

const char *name_reduce(const char *name, int cols, char *buf)
{
	if (utf8_width(name) <= cols)
		return name;
	const char *f = *name == '_' ? mangled(name, buf) : built_in(name, buf);
	if (f || strstr(name, ".py("))
		return f ? f : frame(name, cols);
	return *name == '<' ? name : cplusplus(name, cols, buf);
}

bool name_cut_end(const char *name)
{
	return *name != '<' && strchr(name, '<');
}

/* surface_text marks what it cuts at the end; here the text ends where it must, with the mark. */
const char *name_fit(const char *name, int cols, char *buf)
{
	char reduced[NAMES_BUF];
	const char *text = name_reduce(name, cols, reduced);
	if (utf8_width(text) <= cols || !name_cut_end(text))
		return utf8_shorten(text, cols, buf, NAMES_BUF);
	return utf8_cut(text, cols, buf, NAMES_BUF);
}
