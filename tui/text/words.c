#include "words.h"
#include "salted.h"
#include "short_names.h"
#include "utf8.h"
#include "model/store/base/paths.h"
#include <ctype.h>
#include <string.h>

char *words_clean(struct arena *mem, const char *s)
{
	if (!s)
		return arena_strdup(mem, "");
	size_t plain = utf8_plain(s), n = plain + strlen(s + plain);
	char *out = arena_alloc(mem, plain + 3 * (n - plain) + 2), *at = mempcpy(out, s, plain), one[5];
	s += plain;
	for (uint32_t c; (c = utf8_next(&s));)
		at = mempcpy(at, one, utf8_encode(c, one));
	return out;
}

/* The text itself where cleaning changes nothing. */
static const char *cleaned(struct arena *mem, const char *s)
{
	return s && !s[utf8_plain(s)] ? s : words_clean(mem, s);
}

/* Bytes from the start of s that fit into cols columns. */
static size_t fit_head(const char *s, int cols)
{
	const char *at = s, *next = s;
	for (uint32_t c; (c = utf8_next(&next)); at = next) {
		cols -= utf8_cols(c);
		if (cols < 0)
			break;
	}
	return (size_t)(at - s);
}

/* Where the end of s begins that fits into cols columns. */
static const char *fit_tail(const char *s, int cols)
{
	int wide = utf8_width(s), plain = (int)utf8_plain(s), skip = wide - cols < plain ? wide - cols : plain;
	if (skip > 0) {
		s += skip;
		wide -= skip;
	}
	while (wide > cols)
		wide -= utf8_cols(utf8_next(&s));
	return s;
}

bool words_stay(const char *text, size_t at)
{
	static const char *const units[] = {"%", "s", "ms", "us", "ns", "B", "KiB", "MiB", "GiB", "TiB"};
	if (!at || !isdigit((unsigned char)text[at - 1]))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t n = strlen(units[i]);
		if (strncmp(text + at + 1, units[i], n) == 0)
			return !isalnum((unsigned char)text[at + 1 + n]);
	}
	return false;
}

char *words_end(struct arena *mem, const char *s, int cols)
{
	if (!s || utf8_fits(s, cols))
		return words_clean(mem, s);
	int dots = cols < 3 ? cols : 3;
	char *head = arena_strndup(mem, s, fit_head(s, cols - dots));
	return arena_printf(mem, "%s%.*s", words_clean(mem, head), dots, "...");
}

char *words_middle(struct arena *mem, const char *s, int cols)
{
	const char *clean = cleaned(mem, s);
	if (utf8_fits(clean, cols) || cols < 8)
		return words_end(mem, clean, cols);
	int head = (cols - 3) / 2, tail = cols - 3 - head;
	return arena_printf(mem, "%.*s...%s", (int)fit_head(clean, head), clean, fit_tail(clean, tail));
}

char *words_name(struct arena *mem, const char *s, int cols)
{
	char buf[NAMES_BUF];
	const char *name = name_reduce(cleaned(mem, s), cols, buf);
	return name_cut_end(name) ? words_end(mem, name, cols) : words_middle(mem, name, cols);
}

static bool is_bare(const char *s)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+=@%-";
	return *s && s[strspn(s, bare)] == '\0';
}

char *words_quote(struct arena *mem, const char *s)
{
	if (is_bare(s))
		return arena_strdup(mem, s);
	char *out = arena_alloc(mem, 4 * strlen(s) + 3), *at = out;
	*at++ = '\'';
	for (; *s; s++) {
		if (*s == '\'')
			at = stpcpy(at, "'\\''");
		else
			*at++ = *s;
	}
	*at = '\'';
	return out;
}

char *words_hash(struct arena *mem, const char *kind, const char *s)
{
	uint64_t h = salted_hash(s);
	return arena_printf(mem, "%s-%08x", kind, (unsigned)(h ^ h >> 32));
}

const char *words_base(const char *path)
{
	const char *last = path_last(path);
	return *last ? last : path;
}
