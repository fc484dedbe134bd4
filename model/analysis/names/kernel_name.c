#include "kernel_name.h"
#include "demangle.h"
#include <ctype.h>
#include <stdint.h>
#include <string.h>

static const char anonymous[] = "(anonymous namespace)";
static const char ellipsis[] = "\xe2\x80\xa6";

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* ---- parts of a C++ name -------------------------------------------------------------------------------------------- */

size_t cxx_without_parameters(const char *s, size_t n)
{
	int depth = 0;
	if (n == 0 || s[n - 1] != ')')
		return n;
	for (size_t i = n; i-- > 0;) {
		if (s[i] != ')' && s[i] != '(')
			continue;
		depth += s[i] == ')' ? 1 : -1;
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

/* Without "a::b::" in front of names, also inside template arguments. Writes up to `size` bytes, returns `to`, which may be `s`. */
static char *cxx_without_namespaces(const char *s, size_t n, char *to, size_t size)
{
	size_t k = 0;
	for (size_t i = 0; i < n && k + 1 < size; i++) {
		size_t from = i + 1 < n && s[i] == ':' && s[i + 1] == ':' ? qualifier(to, k) : k;
		if (from < k) {
			k = from;
			i++;
		} else {
			to[k++] = s[i];
		}
	}
	to[k] = '\0';
	return to;
}

/* Where the bracket at s[i] closes: one after it; n when it does not. Angles inside round brackets are comparisons. */
static size_t behind_bracket(const char *s, size_t i, size_t n)
{
	enum { ROUND = 1, ANGLE = 2 };
	static const signed char brackets[256] = {['('] = ROUND,  ['{'] = ROUND,  ['['] = ROUND,  ['<'] = ANGLE,
						  [')'] = -ROUND, ['}'] = -ROUND, [']'] = -ROUND, ['>'] = -ANGLE};
	int round = 0, angles = 0;
	for (size_t begin = i; i < n; i++) {
		int is = brackets[(unsigned char)s[i]];
		if (!is && i > begin) /* as open as before */
			continue;
		round += is == ROUND || is == -ROUND ? is : 0;
		if (round == 0)
			angles += is == ANGLE ? 1 : is == -ANGLE && (!i || s[i - 1] != '-') ? -1 : 0;
		if (round <= 0 && angles <= 0)
			return i + 1;
	}
	return n;
}

/* Begin of the function's own name: after the last blank outside of brackets. */
static size_t behind_return_type(const char *s, size_t n)
{
	size_t begin = 0;
	for (size_t i = 0; i < n;) {
		if (s[i] == ' ')
			begin = i + 1;
		i = s[i] == '(' || s[i] == '<' || s[i] == '{' || s[i] == '[' ? behind_bracket(s, i, n) : i + 1;
	}
	return begin;
}

/* "std::enable_if<...>::type ns::f<4>(int)" is "ns::f<4>". Texts that are no C++ stay. */
static void cut_to_name(const char **s, size_t *n)
{
	size_t bare = cxx_without_parameters(*s, *n);
	bool is_void = strncmp(*s, "void ", 5) == 0;
	if (bare == *n && !is_void)
		return;
	size_t begin = behind_return_type(*s, bare);
	*s += begin;
	*n = bare - begin;
}

const char *kernel_name_full(struct arena *mem, const char *name)
{
	const char *readable = is_mangled(name) ? demangle(mem, name) : NULL;
	return readable ? readable : name;
}

/* A name that was cut off still says what it is. */
static const char *readable_name(struct arena *mem, const char *name)
{
	const char *full = kernel_name_full(mem, name);
	const char *begun = full == name && is_mangled(name) ? demangle_begin(mem, name) : NULL;
	return begun ? begun : full;
}

const char *kernel_name_bare(struct arena *mem, const char *name)
{
	enum bare bare = BARE_NOT;
	const char *readable = is_mangled(name) ? demangle_bare(mem, name, &bare) : NULL;
	const char *s = readable ? readable : name, *from = s;
	if (bare == BARE_WORD)
		return s;
	size_t all = strlen(s), n = all;
	if (bare)
		return s + behind_return_type(s, n);
	cut_to_name(&from, &n);
	return n == all ? s : arena_strndup(mem, from, n);
}

/* ---- short names ----------------------------------------------------------------------------------------------------- */

/* After "::" at s[i] when a lambda or a call operator follows: they tell nothing that their function does not. */
static size_t behind_closure(const char *s, size_t i, size_t n)
{
	static const char *const calls[] = {"::operator()() const", "::operator()()", "::operator()"};
	if (n - i > 3 && strncmp(s + i, "::{", 3) == 0)
		return behind_bracket(s, i + 2, n);
	for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
		if (n - i >= strlen(calls[k]) && strncmp(s + i, calls[k], strlen(calls[k])) == 0)
			return i + strlen(calls[k]);
	return i;
}

/* Without the parameters of functions inside the arguments and without lambdas; in place. */
static size_t without_closures(char *s, size_t n)
{
	size_t k = 0;
	for (size_t i = 0; i < n;) {
		bool call = s[i] == '(' && k && (is_word(s[k - 1]) || s[k - 1] == '>');
		size_t next = call ? behind_bracket(s, i, n) : s[i] == ':' ? behind_closure(s, i, n) : i;
		if (call && n - next >= 6 && strncmp(s + next, " const", 6) == 0)
			next += 6;
		if (next == i)
			s[k++] = s[i++];
		else
			i = next;
	}
	s[k] = '\0';
	return k;
}

/* Templates that say nothing but how an element-wise functor is called: the functor stands for them. In place. */
static size_t without_wrappers(char *s, size_t n)
{
	enum { MOST = 8 }; /* real names do not nest them; each one moves the rest of the text */
	static const char *const wrappers[] = {"gpu_kernel_impl_nocast<", "gpu_kernel_impl<", "gpu_index_kernel<"};
	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
		size_t k = strlen(wrappers[i]);
		char *at = s;
		for (int found = 0; found < MOST && (at = strstr(at, wrappers[i])); found++) {
			size_t from = (size_t)(at - s), close = behind_bracket(s, from + k - 1, n);
			if (s[close - 1] != '>' || (from && is_word(s[from - 1])))
				break;
			memmove(s + close - 1, s + close, n - close + 1);
			memmove(at, at + k, n - 1 - from - k + 1);
			n -= k + 1;
		}
	}
	return n;
}

/* Templates of which one argument tells what the kernel computes; the others are types, shapes and places. */
static const struct told {
	const char *open;
	int argument;
	bool alone; /* the argument stands for the whole template */
} told[] = {
	{"TensorMap<", 0, true},       {"Tensor<", 0, true},         {"TensorAssignOp<", 1, true},
	{"TensorEvaluator<", 0, true}, {"BinaryFunctor<", 3, false}, {"AUnaryFunctor<", 3, false},
	{"BUnaryFunctor<", 3, false},
};

/* Argument number `want` of the template whose first argument begins at s[i] and that closes at s[close]. */
static bool find_argument(const char *s, size_t i, size_t close, int want, size_t *from, size_t *to)
{
	for (*from = i; i <= close; i++) {
		if (strchr("(<{[", s[i]))
			i = behind_bracket(s, i, close) - 1;
		else if (i == close || s[i] == ',') {
			*to = i;
			if (want-- == 0)
				return *to > *from;
			*from = i + 1 < close && s[i + 1] == ' ' ? i + 2 : i + 1;
		}
	}
	return false;
}

static size_t without_const(const char *s, size_t from, size_t to)
{
	static const char word[] = " const";
	size_t k = sizeof word - 1;
	return to - from > k && memcmp(s + to - k, word, k) == 0 ? to - k : to;
}

/* Of the template at s[at] the telling argument stays; in place. The new length. */
static size_t tell(char *s, size_t n, size_t at, const struct told *t)
{
	size_t open = strlen(t->open), behind = behind_bracket(s, at + open - 1, n), from, to;
	if (s[behind - 1] != '>' || !find_argument(s, at + open, behind - 1, t->argument, &from, &to))
		return n;
	to = without_const(s, from, to);
	if (t->alone && strncmp(s + behind, " const", 6) == 0)
		behind += 6;
	size_t begin = t->alone ? at : at + open, rest = t->alone ? behind : behind - 1;
	memmove(s + begin, s + from, to - from);
	memmove(s + begin + (to - from), s + rest, n - rest + 1);
	return begin + (to - from) + (n - rest);
}

static size_t with_what_tells(char *s, size_t n)
{
	enum { MOST = 32 }; /* each one moves the rest */
	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		char *at = s;
		for (int found = 0; found < MOST && (at = strstr(at, told[i].open)); found++) {
			size_t before = n;
			if (at > s && !is_word(at[-1]))
				n = tell(s, n, (size_t)(at - s), &told[i]);
			at += n == before; /* else what stands there now may tell more */
		}
	}
	return n;
}

/* The text with template arguments up to `levels` deep, as far as it takes to know that it is too long. */
static const char *levels_of(struct arena *mem, const char *s, size_t n, int levels)
{
	enum { ENOUGH = KERNEL_SHORT_BYTES + 1 };
	char *to = arena_alloc(mem, ENOUGH + 1);
	size_t k = 0;
	int level = 0;
	for (size_t i = 0; i < n && k < ENOUGH; i++) {
		if (s[i] == '<' && level == levels) {
			i = behind_bracket(s, i, n) - 1;
			continue;
		}
		level += s[i] == '<' ? 1 : s[i] == '>' ? -1 : 0;
		if (s[i] == ' ' && i + 1 < n && s[i + 1] == '>')
			continue;
		to[k++] = s[i];
	}
	to[k] = '\0';
	return to;
}

static const char *cut_end(struct arena *mem, const char *s)
{
	size_t n = KERNEL_SHORT_BYTES - (sizeof ellipsis - 1);
	while (n && ((unsigned char)s[n] & 0xc0) == 0x80) /* not inside a character */
		n--;
	return arena_printf(mem, "%.*s%s", (int)n, s, ellipsis);
}

static const char *shortened(struct arena *mem, const char *name)
{
	enum { DEEPEST_LEVEL = 4 };
	const char *s = readable_name(mem, name);
	size_t n = strlen(s);
	cut_to_name(&s, &n);
	char *text = arena_strndup(mem, s, n);
	n = without_closures(text, n);
	text = cxx_without_namespaces(text, n, text, n + 1);
	n = with_what_tells(text, without_wrappers(text, strlen(text)));
	const char *shown = text;
	for (int levels = DEEPEST_LEVEL; levels > 0; levels--) {
		shown = levels_of(mem, text, n, levels);
		if (strlen(shown) <= KERNEL_SHORT_BYTES)
			return strcmp(shown, name) == 0 ? name : shown;
	}
	return cut_end(mem, shown);
}

const char *kernel_name_short(struct arena *mem, const char *name)
{
	enum { LONG = 1 << 12 }; /* what is made on the way is kept of others: it is little */
	if (strnlen(name, LONG) < LONG)
		return shortened(mem, name);
	struct arena scratch = {0};
	const char *text = shortened(&scratch, name);
	text = text == name ? name : arena_strdup(mem, text);
	arena_free(&scratch);
	return text;
}
