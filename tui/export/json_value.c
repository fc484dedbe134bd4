#include "json_value.h"
#include <string.h>

enum { DEPTH_MOST = 64 };
struct text {
	const char *p, *end;
};

static bool value(struct text *t, int depth);

static void blanks(struct text *t)
{
	while (t->p < t->end && *t->p && strchr(" \t\r\n", *t->p))
		t->p++;
}

static bool take(struct text *t, char c)
{
	if (t->p == t->end || *t->p != c)
		return false;
	t->p++;
	return true;
}

static bool word(struct text *t, const char *w)
{
	size_t n = strlen(w);
	if ((size_t)(t->end - t->p) < n || memcmp(t->p, w, n) != 0)
		return false;
	t->p += n;
	return true;
}

static size_t digits(struct text *t)
{
	const char *from = t->p;
	while (t->p < t->end && *t->p >= '0' && *t->p <= '9')
		t->p++;
	return (size_t)(t->p - from);
}

static bool number(struct text *t)
{
	take(t, '-');
	bool zero = t->p < t->end && *t->p == '0';
	size_t n = digits(t);
	if (n == 0 || (zero && n > 1) || (take(t, '.') && !digits(t)))
		return false;
	if (!take(t, 'e') && !take(t, 'E'))
		return true;
	if (!take(t, '-'))
		take(t, '+');
	return digits(t) > 0;
}

/* Plain ASCII, and escapes that every reader knows. */
static bool string(struct text *t)
{
	if (!take(t, '"'))
		return false;
	for (; t->p < t->end && *t->p != '"'; t->p++)
		if (*t->p < ' ' || *t->p > '~' || (*t->p == '\\' && (++t->p == t->end || !strchr("\"\\/bfnrt", *t->p))))
			return false;
	return take(t, '"');
}

static bool list(struct text *t, char end, bool members, int depth)
{
	blanks(t);
	if (take(t, end))
		return true;
	do {
		blanks(t);
		if (members && !(string(t) && (blanks(t), take(t, ':'))))
			return false;
		if (!value(t, depth + 1))
			return false;
		blanks(t);
	} while (take(t, ','));
	return take(t, end);
}

static bool value(struct text *t, int depth)
{
	blanks(t);
	if (t->p == t->end || depth > DEPTH_MOST)
		return false;
	if (*t->p == '"')
		return string(t);
	if (take(t, '['))
		return list(t, ']', false, depth);
	if (take(t, '{'))
		return list(t, '}', true, depth);
	return word(t, "true") || word(t, "false") || word(t, "null") || number(t);
}

bool json_value_is(const char *p, size_t n)
{
	struct text t = {p, p + n};
	return value(&t, 0) && (blanks(&t), t.p == t.end);
}
