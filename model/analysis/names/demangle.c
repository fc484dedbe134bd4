#include "demangle_private.h"
#include "demangle.h"
#include "model/store/base/spans.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

enum { DEEPEST = 96, MOST_BYTES = 1 << 17, MOST_PIECES = 4096, MOST_DIGITS = 6, MOST_JOINED = 8 };

/* ---- texts ----------------------------------------------------------------------------------------------------- */

struct piece dm_plain(const char *text)
{
	return (struct piece){.left = text, .right = ""};
}

struct piece dm_fail(struct mangled *m)
{
	m->failed = true;
	return dm_plain("");
}

static void *bytes(struct mangled *m, size_t n)
{
	static char nothing[64];
	if (n > m->budget) {
		m->failed = true;
		m->budget = 0;
		return n <= sizeof nothing ? nothing : NULL;
	}
	m->budget -= n;
	return arena_alloc(m->mem, n);
}

const char *dm_join(struct mangled *m, ...)
{
	struct span parts[MOST_JOINED];
	va_list texts;
	size_t n = 1, n_parts = 0;
	va_start(texts, m);
	for (const char *s; n_parts < MOST_JOINED && (s = va_arg(texts, const char *)); n += parts[n_parts++].n)
		parts[n_parts] = span_of(s);
	va_end(texts);
	char *out = m->failed ? NULL : bytes(m, n), *to = out;
	if (!out || m->failed)
		return "";
	for (size_t i = 0; i < n_parts; to += parts[i++].n)
		memcpy(to, parts[i].p, parts[i].n);
	*to = '\0';
	return out;
}

const char *dm_whole(struct mangled *m, struct piece x)
{
	return *x.right ? dm_join(m, x.left, x.right, NULL) : x.left;
}

/* Not arena_next_row: what a hostile name may take is limited, in pieces and in bytes. */
void dm_add(struct mangled *m, struct pieces *v, struct piece x)
{
	if (v->n == v->cap) {
		uint32_t cap = v->cap ? v->cap * 2 : 8;
		struct piece *at = cap > MOST_PIECES ? NULL : bytes(m, cap * sizeof *at);
		if (!at || m->failed) {
			m->failed = true;
			return;
		}
		if (v->n)
			memcpy(at, v->at, v->n * sizeof *at);
		v->at = at;
		v->cap = cap;
	}
	v->at[v->n++] = x;
}

const char *dm_list(struct mangled *m, const struct pieces *v)
{
	const char *text = "";
	for (uint32_t i = 0; i < v->n; i++) {
		const char *one = dm_whole(m, v->at[i]);
		if (!(v->at[i].is_pack && !*one))
			text = dm_join(m, text, *text ? ", " : "", one, NULL);
	}
	return text;
}

/* ---- characters ------------------------------------------------------------------------------------------------ */

bool dm_enter(struct mangled *m)
{
	if (++m->depth > DEEPEST)
		m->failed = true;
	return !m->failed;
}

void dm_leave(struct mangled *m)
{
	m->depth--;
}

uint32_t dm_number(struct mangled *m)
{
	uint32_t n = 0;
	int digits = 0;
	for (; isdigit((unsigned char)*m->at); m->at++) {
		n = n * 10 + (uint32_t)(*m->at - '0');
		if (++digits > MOST_DIGITS)
			m->failed = true;
		if (m->failed)
			return 0;
	}
	if (!digits)
		m->failed = true;
	return n;
}

/* "_" is 0, "0_" is 1, ... in digits and capitals. */
static uint32_t read_seq(struct mangled *m, uint32_t base)
{
	uint32_t n = 0;
	bool any = false;
	for (; isdigit((unsigned char)*m->at) || (base == 36 && isupper((unsigned char)*m->at)); m->at++) {
		n = n * base + (uint32_t)(isdigit((unsigned char)*m->at) ? *m->at - '0' : *m->at - 'A' + 10);
		any = true;
		if (n > MOST_PIECES)
			m->failed = true;
		if (m->failed)
			return 0;
	}
	if (!dm_take(m, "_"))
		m->failed = true;
	return any ? n + 1 : 0;
}

/* ---- unqualified names ----------------------------------------------------------------------------------------- */

const char *dm_source_name(struct mangled *m)
{
	uint32_t n = dm_number(m);
	if (m->failed || !n || strnlen(m->at, n) < n)
		return dm_fail(m).left;
	const char *from = m->at;
	m->at += n;
	if (n >= 10 && !strncmp(from, "_GLOBAL_", 8) && (from[8] == '_' || from[8] == '.' || from[8] == '$') &&
	    from[9] == 'N')
		return "(anonymous namespace)";
	char *text = bytes(m, n + 1);
	if (!text || m->failed)
		return dm_fail(m).left;
	memcpy(text, from, n);
	text[n] = '\0';
	return text;
}

struct pieces dm_types_until(struct mangled *m, char end)
{
	struct pieces v = {0};
	while (!m->failed && *m->at != end && *m->at && *m->at != '.')
		dm_add(m, &v, dm_type(m));
	return v;
}

/* "(int, float)"; a lone void is none. */
const char *dm_parameters(struct mangled *m, const struct pieces *v)
{
	bool none = v->n == 1 && !strcmp(dm_whole(m, v->at[0]), "void");
	return dm_join(m, "(", none ? "" : dm_list(m, v), ")", NULL);
}

const char *dm_count(struct mangled *m, uint32_t n)
{
	return arena_printf(m->mem, "%u", n);
}

/* "Ul" types "E" [number] "_" */
static const char *lambda(struct mangled *m)
{
	bool before = m->in_lambda;
	m->in_lambda = true;
	struct pieces v = dm_types_until(m, 'E');
	m->in_lambda = before;
	if (!dm_take(m, "E"))
		return dm_fail(m).left;
	const char *params = dm_parameters(m, &v);
	return dm_join(m, "{lambda", params, "#", dm_count(m, read_seq(m, 10) + 1), "}", NULL);
}

static const char *operator_name(struct mangled *m)
{
	char code[3] = {m->at[0], m->at[0] ? m->at[1] : '\0', '\0'};
	if (dm_take(m, "cv"))
		return dm_join(m, "operator ", dm_whole(m, dm_type(m)), NULL);
	if (dm_take(m, "li"))
		return dm_join(m, "operator\"\" ", dm_source_name(m), NULL);
	const char *text = dm_operator(code);
	if (!text)
		return dm_fail(m).left;
	m->at += 2;
	return dm_join(m, "operator", isalpha((unsigned char)*text) ? " " : "", text, NULL);
}

static const char *bare_unqualified(struct mangled *m)
{
	dm_take(m, "L"); /* internal linkage */
	if (isdigit((unsigned char)*m->at))
		return dm_source_name(m);
	if (dm_take(m, "Ul"))
		return lambda(m);
	if (dm_take(m, "Ut"))
		return dm_join(m, "{unnamed type#", dm_count(m, read_seq(m, 10) + 1), "}", NULL);
	return operator_name(m);
}

const char *dm_unqualified(struct mangled *m)
{
	const char *name = bare_unqualified(m);
	while (!m->failed && dm_take(m, "B"))
		name = dm_join(m, name, "[abi:", dm_source_name(m), "]", NULL);
	return name;
}

/* ---- what stands for something --------------------------------------------------------------------------------- */

/* clang-format off */
#define STANDARD_NAMES(_)                                                                   \
	_('a', "std::allocator") _('b', "std::basic_string") _('s', "std::string")          \
	_('i', "std::istream")   _('o', "std::ostream")      _('d', "std::iostream")
/* clang-format on */

/* Behind "S". */
struct piece dm_substitution(struct mangled *m)
{
#define STANDARD_NAME(letter, text)    \
	if (*m->at == (letter)) {      \
		m->at++;               \
		return dm_plain(text); \
	}
	STANDARD_NAMES(STANDARD_NAME)
#undef STANDARD_NAME
	uint32_t i = read_seq(m, 36);
	return m->failed || i >= m->known.n ? dm_fail(m) : m->known.at[i];
}

/* Behind "T". */
struct piece dm_template_param(struct mangled *m)
{
	uint32_t i = read_seq(m, 10);
	if (m->failed)
		return dm_fail(m);
	if (m->in_lambda)
		return dm_plain(dm_join(m, "auto:", dm_count(m, i + 1), NULL));
	if (i >= m->args.n)
		return dm_fail(m);
	struct piece x = m->args.at[i];
	if (!x.is_pack || m->pack_item == NO_ITEM)
		return x;
	m->pack_n = x.n;
	if (m->pack_item == EMPTY_PACK || (uint32_t)m->pack_item >= x.n)
		return dm_plain("");
	return x.items[m->pack_item];
}

/* ---- template arguments ---------------------------------------------------------------------------------------- */

static struct piece read_arg(struct mangled *m);

/* Behind "J". */
static struct piece arg_pack(struct mangled *m)
{
	struct pieces v = {0};
	while (!m->failed && !dm_take(m, "E"))
		dm_add(m, &v, read_arg(m));
	struct piece pack = dm_plain(dm_list(m, &v));
	pack.is_pack = true;
	pack.items = v.at;
	pack.n = v.n;
	return pack;
}

static struct piece read_arg(struct mangled *m)
{
	struct piece x = {0};
	if (!dm_enter(m))
		return dm_fail(m);
	if (dm_take(m, "Tn")) /* the parameter's own type, which newer compilers write down */
		dm_type(m);
	else
		dm_take(m, "Ty");
	if (dm_take(m, "J")) {
		x = arg_pack(m);
	} else if (dm_take(m, "X")) {
		x = dm_plain(dm_expression(m));
		if (!dm_take(m, "E"))
			dm_fail(m);
	} else {
		x = *m->at == 'L' ? dm_plain(dm_literal(m)) : dm_type(m);
	}
	dm_leave(m);
	return x;
}

const char *dm_args(struct mangled *m)
{
	struct pieces own = {0};
	bool of_function = m->in_name && m->args_depth == 0;
	struct pieces *v = of_function ? &m->args : &own;
	if (!dm_take(m, "I") || (of_function && m->begin_only))
		return dm_fail(m).left;
	if (of_function)
		m->args = own;
	m->args_depth++;
	while (!m->failed && !dm_take(m, "E"))
		dm_add(m, v, read_arg(m));
	m->args_depth--;
	const char *list = dm_list(m, v);
	size_t n = strlen(list);
	return dm_join(m, "<", list, n && list[n - 1] == '>' ? " >" : ">", NULL);
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

struct name {
	const char *text, *qualifiers; /* of a member function: " const" */
	bool has_args;                 /* ends with template arguments: a return type follows */
	bool is_made;                  /* constructor, destructor, conversion: no return type */
};

const char *dm_cv_qualifiers(struct mangled *m)
{
	const char *text = "";
	if (dm_take(m, "r"))
		text = " restrict";
	if (dm_take(m, "V"))
		text = dm_join(m, text, " volatile", NULL);
	if (dm_take(m, "K"))
		text = dm_join(m, text, " const", NULL);
	return text;
}

/* Constructors and destructors are called like their class. NULL: it is none. */
static const char *constructor(struct mangled *m, const char *class)
{
	bool destroys = m->at[0] == 'D' && m->at[1] >= '0' && m->at[1] <= '5';
	if (!destroys && !(m->at[0] == 'C' && m->at[1] >= '1' && m->at[1] <= '5'))
		return NULL;
	m->at += 2;
	return dm_join(m, destroys ? "~" : "", class, NULL);
}

/* Of the function itself, not of what stands in its arguments. */
static void begin_with(struct mangled *m, const char *text)
{
	if (!m->failed && m->in_name && m->args_depth == 0)
		m->begun = text;
}

static void add_prefix(struct mangled *m, const char *text)
{
	if (*m->at != 'E')
		dm_add(m, &m->known, dm_plain(text));
}

/* One more part of a nested name. */
static void nested_part(struct mangled *m, struct name *x, const char **last)
{
	const char *made = *x->text ? constructor(m, *last) : NULL;
	x->is_made = made || (m->at[0] == 'c' && m->at[1] == 'v');
	*last = made ? made : dm_unqualified(m);
	x->text = *x->text ? dm_join(m, x->text, "::", *last, NULL) : *last;
	x->has_args = false;
	begin_with(m, x->text);
	add_prefix(m, x->text);
}

/* Behind "N". */
static struct name nested_name(struct mangled *m)
{
	struct name x = {.text = "", .qualifiers = dm_cv_qualifiers(m)};
	const char *last = "";
	if (dm_take(m, "R"))
		x.qualifiers = dm_join(m, x.qualifiers, " &", NULL);
	else if (dm_take(m, "O"))
		x.qualifiers = dm_join(m, x.qualifiers, " &&", NULL);
	while (!m->failed && !dm_take(m, "E")) {
		if (dm_take(m, "St")) {
			x.text = last = "std";
		} else if (*m->at == 'S') {
			m->at++;
			x.text = last = dm_whole(m, dm_substitution(m));
		} else if (*m->at == 'T') {
			m->at++;
			x.text = last = dm_whole(m, dm_template_param(m));
			add_prefix(m, x.text);
		} else if (*m->at == 'I') {
			x.text = dm_join(m, x.text, dm_args(m), NULL);
			x.has_args = true;
			add_prefix(m, x.text);
		} else {
			nested_part(m, &x, &last);
		}
	}
	return x;
}

static struct name read_name(struct mangled *m);

static void discriminator(struct mangled *m)
{
	if (dm_take(m, "__")) {
		dm_number(m);
		dm_take(m, "_");
	} else if (m->at[0] == '_' && isdigit((unsigned char)m->at[1])) {
		m->at += 2;
	}
}

/* Behind "Z": something inside a function. */
static struct name local_name(struct mangled *m)
{
	struct pieces args = m->args;
	bool in_name = m->in_name, in_lambda = m->in_lambda;
	int args_depth = m->args_depth;
	m->args_depth = 0;
	m->in_lambda = false;
	m->in_local = true;
	const char *function = dm_encoding(m);
	m->args_depth = args_depth;
	m->in_lambda = in_lambda;
	m->in_name = in_name;
	if (!in_name || args_depth)
		m->args = args;
	if (!dm_take(m, "E"))
		dm_fail(m);
	if (dm_take(m, "s")) {
		discriminator(m);
		return (struct name){dm_join(m, function, "::string literal", NULL), "", false, false};
	}
	if (dm_take(m, "d"))
		read_seq(m, 10);
	struct name x = read_name(m);
	discriminator(m);
	x.text = dm_join(m, function, "::", x.text, NULL);
	return x;
}

static struct name read_name(struct mangled *m)
{
	struct name x = {.text = "", .qualifiers = ""};
	if (!dm_enter(m))
		return x;
	bool known = false;
	if (dm_take(m, "N")) {
		x = nested_name(m);
	} else if (dm_take(m, "Z")) {
		x = local_name(m);
	} else {
		if (m->at[0] == 'S' && m->at[1] != 't') {
			m->at++;
			x.text = dm_whole(m, dm_substitution(m));
			known = true;
		} else {
			const char *space = dm_take(m, "St") ? "std::" : "";
			x.is_made = m->at[0] == 'c' && m->at[1] == 'v';
			x.text = dm_join(m, space, dm_unqualified(m), NULL);
			begin_with(m, x.text);
		}
		if (*m->at == 'I') {
			if (!known)
				dm_add(m, &m->known, dm_plain(x.text));
			x.text = dm_join(m, x.text, dm_args(m), NULL);
			x.has_args = true;
		}
	}
	dm_leave(m);
	return x;
}

const char *dm_name(struct mangled *m)
{
	return read_name(m).text;
}

static bool at_end(const struct mangled *m)
{
	return !*m->at || *m->at == 'E' || *m->at == '.';
}

/* A name and, for a function, what it returns and takes. */
const char *dm_encoding(struct mangled *m)
{
	bool in_local = m->in_local, name_only = m->name_only;
	m->in_name = true;
	m->in_local = m->name_only = false;
	struct name x = read_name(m);
	m->in_name = false;
	if (m->failed || at_end(m))
		return x.text;
	struct piece returns = {.left = "", .right = ""};
	bool told = x.has_args && !x.is_made;
	if (told)
		returns = dm_type(m);
	struct pieces v = dm_types_until(m, 'E');
	if (name_only)
		return x.text;
	if (in_local)
		return dm_join(m, x.text, dm_parameters(m, &v), x.qualifiers, NULL);
	return dm_join(m, returns.left, told ? " " : "", x.text, dm_parameters(m, &v), x.qualifiers, returns.right,
		       NULL);
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static struct mangled open_name(struct arena *mem, const char *name)
{
	return (struct mangled){.at = name + 2, .mem = mem, .pack_item = NO_ITEM, .budget = MOST_BYTES};
}

const char *demangle(struct arena *mem, const char *name)
{
	struct mangled m = open_name(mem, name);
	const char *text = is_mangled(name) ? dm_encoding(&m) : NULL;
	if (!text || m.failed || (*m.at && *m.at != '.'))
		return NULL;
	return *m.at ? dm_join(&m, text, m.at, NULL) : text;
}

const char *demangle_begin(struct arena *mem, const char *name)
{
	struct mangled m = open_name(mem, name);
	m.begin_only = true;
	if (is_mangled(name))
		dm_encoding(&m);
	return m.begun;
}
