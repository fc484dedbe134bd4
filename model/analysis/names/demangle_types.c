/* Types: built-in ones, pointers, functions, arrays, expanded packs. */
#include "demangle_private.h"
#include "demangle.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
#define LETTER_TYPES(_)                                                                                                \
	_('v', "void") _('b', "bool") _('c', "char") _('a', "signed char") _('h', "unsigned char") _('s', "short")     \
	_('t', "unsigned short") _('i', "int") _('j', "unsigned int") _('l', "long") _('m', "unsigned long")           \
	_('x', "long long") _('y', "unsigned long long") _('n', "__int128") _('o', "unsigned __int128")                \
	_('f', "float") _('d', "double") _('e', "long double") _('g', "__float128") _('w', "wchar_t") _('z', "...")
/* After "D". */
#define LONG_TYPES(_)                                                                                                  \
	_("n", "decltype(nullptr)") _("i", "char32_t") _("s", "char16_t") _("u", "char8_t") _("a", "auto")             \
	_("c", "decltype(auto)") _("F16b", "std::bfloat16_t") _("F16_", "_Float16") _("F32_", "_Float32")              \
	_("F64_", "_Float64") _("h", "half")
/* clang-format on */

/* Moves on only when it is one. */
static struct span long_builtin(struct mangled *m)
{
	static const struct {
		const char *code;
		struct span text;
	} types[] = {
#define LONG_TYPE(code, text) {"D" code, {text, sizeof(text) - 1}},
		LONG_TYPES(LONG_TYPE)
#undef LONG_TYPE
	};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (dm_take(m, types[i].code))
			return types[i].text;
	return (struct span){0};
}

/* p NULL: it is none. */
static struct span builtin(struct mangled *m)
{
	static const struct span types[256] = {
#define LETTER_TYPE(letter, text) [letter] = {text, sizeof(text) - 1},
		LETTER_TYPES(LETTER_TYPE)
#undef LETTER_TYPE
	};
	struct span text = types[(unsigned char)*m->at];
	m->at += text.p != NULL;
	return !text.p && *m->at == 'D' ? long_builtin(m) : text;
}

/* A reference to a reference is one: "&" wins over "&&". */
static bool collapses(struct span type, struct span mark)
{
	return mark.p[0] == '&' && span_ends(type, "&") && !(mark.n == 1 && span_ends(type, "&&"));
}

static struct span without_end(struct span text)
{
	return (struct span){text.p, text.n - 1};
}

static struct piece pointer(struct mangled *m, struct piece x, struct span mark)
{
	if (x.is_pack)
		return dm_fail(m);
	if (!x.wraps && collapses(x.left, mark))
		return x;
	if (!x.wraps && mark.p[0] == '&' && collapses(x.left, DM_TEXT("&&")))
		return (struct piece){.left = without_end(x.left), .right = x.right};
	struct piece out = {.right = x.wraps ? DM_JOIN(m, DM_TEXT(")"), x.right) : x.right};
	out.left = DM_JOIN(m, x.left, x.wraps ? DM_TEXT("(") : DM_TEXT(""), mark);
	return out;
}

/* After "F". */
static struct piece function_type(struct mangled *m)
{
	dm_take(m, "Y");
	struct piece returns = dm_type(m);
	struct pieces v = dm_types_until(m, 'E');
	if (!dm_take(m, "E"))
		return dm_fail(m);
	return (struct piece){.left = DM_JOIN(m, returns.left, DM_TEXT(" ")),
			      .right = DM_JOIN(m, dm_parameters(m, &v), returns.right),
			      .wraps = true};
}

/* After "A". */
static struct piece array_type(struct mangled *m)
{
	struct span n = dm_is_digit(*m->at) ? dm_count(m, dm_number(m))
			: *m->at == '_'     ? DM_TEXT("")
					    : dm_expression(m);
	if (!dm_take(m, "_"))
		return dm_fail(m);
	struct piece x = dm_type(m);
	return (struct piece){.left = DM_JOIN(m, x.left, DM_TEXT(" ")),
			      .right = DM_JOIN(m, DM_TEXT("["), n, DM_TEXT("]"), x.right),
			      .wraps = true};
}

/* After "M": class, then what the member is. */
static struct piece member_type(struct mangled *m)
{
	struct span class = dm_whole(m, dm_type(m));
	struct piece x = dm_type(m);
	if (!x.wraps)
		x.left = DM_JOIN(m, x.left, DM_TEXT(" "));
	return pointer(m, x, DM_JOIN(m, class, DM_TEXT("::*")));
}

/* After "Dp": the pattern once for each element of the packs in it. */
static struct piece expansion(struct mangled *m)
{
	const char *from = m->at;
	int item = m->pack_item;
	struct pieces v = {0};
	m->pack_n = 0;
	m->pack_item = 0;
	struct piece first = dm_type(m);
	uint32_t n = m->pack_n, known = m->known.n;
	const char *end = m->at;
	for (uint32_t i = 0; i < n && !m->failed; i++) {
		m->at = from;
		m->pack_item = (int)i;
		dm_add(m, &v, i ? dm_type(m) : first);
		m->known.n = m->known.n > known ? known : m->known.n;
	}
	m->at = end;
	m->pack_item = item;
	struct piece all = dm_plain(dm_list(m, &v));
	all.is_pack = true;
	return all;
}

/* After "Dv": number "_" type. */
static struct piece vector_type(struct mangled *m)
{
	struct span n = dm_count(m, dm_number(m));
	if (!dm_take(m, "_"))
		return dm_fail(m);
	return dm_plain(DM_JOIN(m, dm_whole(m, dm_type(m)), DM_TEXT(" __vector("), n, DM_TEXT(")")));
}

static struct piece decltype_of(struct mangled *m)
{
	struct span text = DM_JOIN(m, DM_TEXT("decltype ("), dm_expression(m), DM_TEXT(")"));
	return dm_take(m, "E") ? dm_plain(text) : dm_fail(m);
}

static struct piece qualified(struct mangled *m, struct span words)
{
	struct piece x = dm_type(m);
	if (x.wraps && !span_starts(x.right, "["))
		x.right = DM_JOIN(m, x.right, words);
	else if (x.wraps)
		x.left = DM_JOIN(m, without_end(x.left), words, DM_TEXT(" "));
	else
		x.left = DM_JOIN(m, x.left, words);
	return x;
}

/* After "T" or "S", when arguments follow: a template as a parameter or met before. */
static struct piece with_args(struct mangled *m, struct piece x, bool is_known)
{
	if (*m->at != 'I')
		return x;
	if (!is_known)
		dm_add(m, &m->known, x);
	return dm_plain(DM_JOIN(m, dm_whole(m, x), dm_args(m)));
}

/* After "D". */
static struct piece long_compound(struct mangled *m)
{
	m->at++;
	if (dm_take(m, "oF"))
		return function_type(m);
	if (dm_take(m, "v"))
		return vector_type(m);
	if (dm_take(m, "t") || dm_take(m, "T"))
		return decltype_of(m);
	m->at--;
	return dm_plain(dm_name(m));
}

static struct piece vendor_qualified(struct mangled *m)
{
	struct span vendor = dm_source_name(m);
	return dm_plain(DM_JOIN(m, dm_whole(m, dm_type(m)), DM_TEXT(" "), vendor));
}

static struct piece compound(struct mangled *m)
{
	char c = *m->at++;
	switch (c) {
	case 'P':
		return pointer(m, dm_type(m), DM_TEXT("*"));
	case 'R':
		return pointer(m, dm_type(m), DM_TEXT("&"));
	case 'O':
		return pointer(m, dm_type(m), DM_TEXT("&&"));
	case 'F':
		return function_type(m);
	case 'A':
		return array_type(m);
	case 'M':
		return member_type(m);
	case 'T':
		return with_args(m, dm_template_param(m), false);
	case 'u':
		return dm_plain(dm_source_name(m));
	case 'U':
		return vendor_qualified(m);
	}
	m->at--;
	if (c == 'r' || c == 'V' || c == 'K')
		return qualified(m, dm_cv_qualifiers(m));
	return c == 'D' ? long_compound(m) : dm_plain(dm_name(m));
}

static struct piece one_type(struct mangled *m)
{
	struct span text = builtin(m);
	if (text.p)
		return dm_plain(text);
	if (dm_take(m, "Dp"))
		return expansion(m);
	if (m->at[0] == 'S' && m->at[1] != 't') {
		m->at++;
		struct piece x = dm_substitution(m);
		bool more = *m->at == 'I';
		x = with_args(m, x, true);
		if (more)
			dm_add(m, &m->known, x);
		return x;
	}
	struct piece x = *m->at ? compound(m) : dm_fail(m);
	dm_add(m, &m->known, x);
	return x;
}

struct piece dm_type(struct mangled *m)
{
	struct piece x = dm_enter(m) ? one_type(m) : dm_fail(m);
	dm_leave(m);
	return m->failed ? dm_fail(m) : x;
}

/* ---- what is no part of the mangled name --------------------------------------------------------------------------- */

static bool is_in(const char *word, const char *text, size_t n)
{
	for (size_t at = 0, all = strlen(word); at + n <= all; at++)
		if (!strncasecmp(word + at, text, n))
			return true;
	return false;
}

/* Counts, and values with the letters behind them. */
static bool may_be_number(const char *text, size_t n)
{
	while (n && isdigit((unsigned char)*text)) {
		text++;
		n--;
	}
	return is_in("ull", text, n);
}

bool demangle_may_write(const char *text, size_t n)
{
	static const char *const words[] = {
#define TYPE_WORD(code, text) text,
		LETTER_TYPES(TYPE_WORD) LONG_TYPES(TYPE_WORD)
#undef TYPE_WORD
			"std",
		"allocator",
		"basic_string",
		"istream",
		"ostream",
		"iostream",
		"anonymous",
		"namespace",
		"lambda",
		"unnamed",
		"type",
		"operator",
		"new",
		"delete",
		"abi",
		"restrict",
		"volatile",
		"const",
		"__vector",
		"literal",
		"sizeof",
		"alignof",
		"parm",
		"true",
		"false"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (is_in(words[i], text, n))
			return true;
	return may_be_number(text, n);
}
