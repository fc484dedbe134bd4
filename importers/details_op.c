/* How TensorFlow's profiler recognises ops by their text. The patterns are those of its sources, as full matches. */
#include "details.h"
#include <string.h>
#include <strings.h>

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* [A-Za-z0-9.][A-Za-z0-9_./>-]* */
static bool is_tf_name(struct span s)
{
	if (!s.n)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool first = is_upper(c) || is_lower(c) || is_digit(c) || c == '.';
		bool later = i && (c == '_' || c == '/' || c == '>' || c == '-');
		if (!first && !later)
			return false;
	}
	return true;
}

/* [A-Z_][a-zA-Z0-9_]* */
static bool is_tf_type(struct span s)
{
	if (!s.n)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool first = is_upper(c) || c == '_';
		bool later = i && (is_lower(c) || is_digit(c));
		if (!first && !later)
			return false;
	}
	return true;
}

/* [a-z_][a-z0-9_]*(\[.*\])?  with the part before '[' as *type; '.' meets no newline */
static bool is_jax_type(struct span s, struct span *type)
{
	size_t n = 0;
	while (n < s.n && (is_lower(s.p[n]) || s.p[n] == '_' || (n && is_digit(s.p[n]))))
		n++;
	*type = (struct span){s.p, n};
	if (!n || n == s.n)
		return n > 0;
	return s.p[n] == '[' && s.p[s.n - 1] == ']' && !memchr(s.p + n, '\n', s.n - n);
}

/* "a/b/MatMul_12" -> "MatMul" */
static struct span derived_type(struct span name)
{
	const char *slash = memrchr(name.p, '/', name.n);
	if (slash)
		name = (struct span){slash + 1, name.n - (size_t)(slash + 1 - name.p)};
	size_t digits = 0;
	while (digits < name.n && is_digit(name.p[name.n - 1 - digits]))
		digits++;
	if (digits && digits < name.n && name.p[name.n - 1 - digits] == '_')
		name.n -= digits + 1;
	return name;
}

static struct span copy_type(struct span s)
{
	static const char *const words[] = {"MemcpyHToD", "MemcpyDToH", "MemcpyDToD", "MemcpyHToH"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (s.n >= strlen(words[i]) && !strncasecmp(s.p, words[i], strlen(words[i])))
			return (struct span){words[i], strlen(words[i])};
	return (struct span){"", 0};
}

struct op_text {
	struct span name, type;
};

static struct op_text split_op(struct span all)
{
	const char *colon = memchr(all.p, ':', all.n);
	if (!colon)
		return (struct op_text){all, copy_type(all)};
	struct span left = {all.p, (size_t)(colon - all.p)}, right = {colon + 1, all.n - left.n - 1}, jax;
	if (left.n == strlen("Iterator") && !memcmp(left.p, "Iterator", left.n))
		return (struct op_text){all, {"Dataset", strlen("Dataset")}};
	if (is_tf_name(left) && is_tf_type(right))
		return (struct op_text){left, right};
	struct span type = right.n ? right : derived_type(left);
	if (is_jax_type(type, &jax))
		return (struct op_text){left, jax};
	if (!right.n)
		return (struct op_text){left, type};
	return (struct op_text){all, {"", 0}};
}

void details_tf_op(struct strings *s, const char *p, size_t n, str_id *op, str_id *op_type)
{
	struct op_text t = split_op((struct span){n ? p : "", n});
	*op = strings_add(s, t.name.p, t.name.n);
	*op_type = strings_add(s, t.type.p, t.type.n);
}
