#include "op_text.h"
#include "spans.h"

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

static struct op_name parse_copy(struct span text)
{
	static const char *const words[] = {"MemcpyHToD", "MemcpyDToH", "MemcpyDToD", "MemcpyHToH"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (span_starts_any_case(text, words[i]))
			return (struct op_name){text, span_of(words[i]), OP_COPY};
	return (struct op_name){text, {"", 0}, OP_UNKNOWN};
}

struct op_name op_name_parse(struct span text)
{
	const char *colon = text.n ? memchr(text.p, ':', text.n) : NULL;
	if (!colon)
		return parse_copy(text);
	struct span left = {text.p, (size_t)(colon - text.p)}, right = {colon + 1, text.n - left.n - 1}, jax;
	if (span_is(left, "Iterator"))
		return (struct op_name){text, span_of("Dataset"), OP_DATASET};
	if (is_tf_name(left) && is_tf_type(right))
		return (struct op_name){left, right, OP_TENSORFLOW};
	struct span type = right.n ? right : derived_type(left);
	if (is_jax_type(type, &jax))
		return (struct op_name){left, jax, OP_JAX};
	if (!right.n)
		return (struct op_name){left, type, OP_TENSORFLOW};
	return (struct op_name){text, {"", 0}, OP_UNKNOWN};
}

enum op_category op_category_of(struct span type)
{
	struct span cut;
	if (span_is(type, "Dataset"))
		return OP_DATASET;
	if (parse_copy(type).category == OP_COPY)
		return OP_COPY;
	return is_jax_type(type, &cut) ? OP_JAX : OP_TENSORFLOW;
}
