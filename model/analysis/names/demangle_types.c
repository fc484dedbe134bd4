/* Types: built-in ones, pointers, functions, arrays, expanded packs. */
#include "demangle_private.h"
#include <ctype.h>
#include <string.h>

/* clang-format off */
#define LETTER_TYPES(_)                                                                                                \
	_('v', "void") _('b', "bool") _('c', "char") _('a', "signed char") _('h', "unsigned char") _('s', "short")     \
	_('t', "unsigned short") _('i', "int") _('j', "unsigned int") _('l', "long") _('m', "unsigned long")           \
	_('x', "long long") _('y', "unsigned long long") _('n', "__int128") _('o', "unsigned __int128")                \
	_('f', "float") _('d', "double") _('e', "long double") _('g', "__float128") _('w', "wchar_t") _('z', "...")
/* Behind "D". */
#define LONG_TYPES(_)                                                                                                  \
	_("n", "decltype(nullptr)") _("i", "char32_t") _("s", "char16_t") _("u", "char8_t") _("a", "auto")             \
	_("c", "decltype(auto)") _("F16b", "std::bfloat16_t") _("F16_", "_Float16") _("F32_", "_Float32")              \
	_("F64_", "_Float64") _("h", "half")
/* clang-format on */

/* Moves on only when it is one. */
static const char *long_builtin(struct mangled *m)
{
	static const struct {
		const char *code, *text;
	} types[] = {
#define LONG_TYPE(code, text) {"D" code, text},
		LONG_TYPES(LONG_TYPE)
#undef LONG_TYPE
	};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (dm_take(m, types[i].code))
			return types[i].text;
	return NULL;
}

static const char *builtin(struct mangled *m)
{
	static const char *const types[256] = {
#define LETTER_TYPE(letter, text) [letter] = text,
		LETTER_TYPES(LETTER_TYPE)
#undef LETTER_TYPE
	};
	const char *text = types[(unsigned char)*m->at];
	m->at += text != NULL;
	return !text && *m->at == 'D' ? long_builtin(m) : text;
}

/* A reference to a reference is one: "&" wins over "&&". */
static bool collapses(const char *type, const char *mark)
{
	size_t n = strlen(type);
	return *mark == '&' && n && type[n - 1] == '&' && !(mark[1] == '\0' && n > 1 && type[n - 2] == '&');
}

static struct piece pointer(struct mangled *m, struct piece x, const char *mark)
{
	if (x.is_pack)
		return dm_fail(m);
	if (!x.wraps && collapses(x.left, mark))
		return x;
	if (!x.wraps && *mark == '&' && collapses(x.left, "&&"))
		return (struct piece){.left = arena_strndup(m->mem, x.left, strlen(x.left) - 1), .right = x.right};
	struct piece out = {.right = x.wraps ? dm_join(m, ")", x.right, NULL) : x.right};
	out.left = dm_join(m, x.left, x.wraps ? "(" : "", mark, NULL);
	return out;
}

/* Behind "F". */
static struct piece function_type(struct mangled *m)
{
	dm_take(m, "Y");
	struct piece returns = dm_type(m);
	struct pieces v = dm_types_until(m, 'E');
	if (!dm_take(m, "E"))
		return dm_fail(m);
	return (struct piece){.left = dm_join(m, returns.left, " ", NULL),
			      .right = dm_join(m, dm_parameters(m, &v), returns.right, NULL),
			      .wraps = true};
}

/* Behind "A". */
static struct piece array_type(struct mangled *m)
{
	const char *n = isdigit((unsigned char)*m->at) ? dm_count(m, dm_number(m))
			: *m->at == '_'                ? ""
						       : dm_expression(m);
	if (!dm_take(m, "_"))
		return dm_fail(m);
	struct piece x = dm_type(m);
	return (struct piece){
		.left = dm_join(m, x.left, " ", NULL), .right = dm_join(m, "[", n, "]", x.right, NULL), .wraps = true};
}

/* Behind "M": class, then what the member is. */
static struct piece member_type(struct mangled *m)
{
	const char *class = dm_whole(m, dm_type(m));
	struct piece x = dm_type(m);
	if (!x.wraps)
		x.left = dm_join(m, x.left, " ", NULL);
	return pointer(m, x, dm_join(m, class, "::*", NULL));
}

/* Behind "Dp": the pattern once for each element of the packs in it. */
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

/* Behind "Dv": number "_" type. */
static struct piece vector_type(struct mangled *m)
{
	const char *n = dm_count(m, dm_number(m));
	if (!dm_take(m, "_"))
		return dm_fail(m);
	return dm_plain(dm_join(m, dm_whole(m, dm_type(m)), " __vector(", n, ")", NULL));
}

static struct piece decltype_of(struct mangled *m)
{
	const char *text = dm_join(m, "decltype (", dm_expression(m), ")", NULL);
	return dm_take(m, "E") ? dm_plain(text) : dm_fail(m);
}

static struct piece qualified(struct mangled *m, const char *words)
{
	struct piece x = dm_type(m);
	if (x.wraps && *x.right != '[')
		x.right = dm_join(m, x.right, words, NULL);
	else if (x.wraps)
		x.left = dm_join(m, arena_strndup(m->mem, x.left, strlen(x.left) - 1), words, " ", NULL);
	else
		x.left = dm_join(m, x.left, words, NULL);
	return x;
}

/* Behind "T" or "S", when arguments follow: a template as a parameter or met before. */
static struct piece with_args(struct mangled *m, struct piece x, bool is_known)
{
	if (*m->at != 'I')
		return x;
	if (!is_known)
		dm_add(m, &m->known, x);
	return dm_plain(dm_join(m, dm_whole(m, x), dm_args(m), NULL));
}

static struct piece compound(struct mangled *m)
{
	if (strchr("rVK", *m->at))
		return qualified(m, dm_cv_qualifiers(m));
	if (dm_take(m, "P"))
		return pointer(m, dm_type(m), "*");
	if (dm_take(m, "R"))
		return pointer(m, dm_type(m), "&");
	if (dm_take(m, "O"))
		return pointer(m, dm_type(m), "&&");
	if (dm_take(m, "DoF") || dm_take(m, "F"))
		return function_type(m);
	if (dm_take(m, "A"))
		return array_type(m);
	if (dm_take(m, "M"))
		return member_type(m);
	if (dm_take(m, "Dv"))
		return vector_type(m);
	if (dm_take(m, "Dt") || dm_take(m, "DT"))
		return decltype_of(m);
	if (dm_take(m, "T"))
		return with_args(m, dm_template_param(m), false);
	if (dm_take(m, "u"))
		return dm_plain(dm_source_name(m));
	if (dm_take(m, "U")) {
		const char *vendor = dm_source_name(m);
		return dm_plain(dm_join(m, dm_whole(m, dm_type(m)), " ", vendor, NULL));
	}
	return dm_plain(dm_name(m));
}

static struct piece one_type(struct mangled *m)
{
	const char *text = builtin(m);
	if (text)
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
