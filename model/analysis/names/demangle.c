#include "demangle_private.h"
#include "demangle.h"
#include <ctype.h>
#include <string.h>

enum { DEEPEST = 96, MOST_DIGITS = 6 };

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
	const char *from = m->at;
	for (; dm_is_digit(*m->at) && m->at - from <= MOST_DIGITS; m->at++)
		n = n * 10 + (uint32_t)(*m->at - '0');
	m->failed |= m->at == from || m->at - from > MOST_DIGITS;
	return m->failed ? 0 : n;
}

/* "_" is 0, "0_" is 1, ... in digits and capitals. */
static uint32_t read_seq(struct mangled *m, uint32_t base)
{
	uint32_t n = 0;
	bool any = false;
	for (; dm_is_digit(*m->at) || (base == 36 && isupper((unsigned char)*m->at)); m->at++) {
		n = n * base + (uint32_t)(dm_is_digit(*m->at) ? *m->at - '0' : *m->at - 'A' + 10);
		any = true;
		if (n > DM_MOST_PIECES)
			m->failed = true;
		if (m->failed)
			return 0;
	}
	if (!dm_take(m, "_"))
		m->failed = true;
	return any ? n + 1 : 0;
}

/* ---- unqualified names ----------------------------------------------------------------------------------------- */

static bool is_anonymous(struct span name)
{
	return name.n >= 10 && span_starts(name, "_GLOBAL_") && strchr("_.$", name.p[8]) && name.p[9] == 'N';
}

struct span dm_source_name(struct mangled *m)
{
	struct span text = {.n = dm_number(m)};
	text.p = m->at;
	if (m->failed || !text.n || strnlen(text.p, text.n) < text.n)
		return dm_fail(m).left;
	m->at += text.n;
	return is_anonymous(text) ? DM_TEXT("(anonymous namespace)") : text;
}

struct pieces dm_types_until(struct mangled *m, char end)
{
	struct pieces v = {0};
	while (!m->failed && *m->at != end && *m->at && *m->at != '.')
		dm_add(m, &v, dm_type(m));
	return v;
}

/* "(int, float)"; a lone void is none. */
struct span dm_parameters(struct mangled *m, const struct pieces *v)
{
	bool none = v->n == 1 && span_is(dm_whole(m, v->at[0]), "void");
	return DM_JOIN(m, DM_TEXT("("), none ? DM_TEXT("") : dm_list(m, v), DM_TEXT(")"));
}

/* "Ul" types "E" [number] "_" */
static struct span lambda(struct mangled *m)
{
	bool before = m->in_lambda;
	m->in_lambda = true;
	struct pieces v = dm_types_until(m, 'E');
	m->in_lambda = before;
	if (!dm_take(m, "E"))
		return dm_fail(m).left;
	struct span params = dm_parameters(m, &v);
	return DM_JOIN(m, DM_TEXT("{lambda"), params, DM_TEXT("#"), dm_count(m, read_seq(m, 10) + 1), DM_TEXT("}"));
}

static struct span operator_name(struct mangled *m)
{
	char code[3] = {m->at[0], m->at[0] ? m->at[1] : '\0', '\0'};
	m->odd_brackets |= strcmp(code, "cl") != 0;
	if (dm_take(m, "cv"))
		return DM_JOIN(m, DM_TEXT("operator "), dm_whole(m, dm_type(m)));
	if (dm_take(m, "li"))
		return DM_JOIN(m, DM_TEXT("operator\"\" "), dm_source_name(m));
	const char *text = dm_operator(code);
	if (!text)
		return dm_fail(m).left;
	m->at += 2;
	return DM_JOIN(m, DM_TEXT("operator"), isalpha((unsigned char)*text) ? DM_TEXT(" ") : DM_TEXT(""),
		       span_of(text));
}

static struct span bare_unqualified(struct mangled *m)
{
	dm_take(m, "L"); /* internal linkage */
	if (dm_is_digit(*m->at))
		return dm_source_name(m);
	if (dm_take(m, "Ul"))
		return lambda(m);
	if (dm_take(m, "Ut"))
		return DM_JOIN(m, DM_TEXT("{unnamed type#"), dm_count(m, read_seq(m, 10) + 1), DM_TEXT("}"));
	return operator_name(m);
}

struct span dm_unqualified(struct mangled *m)
{
	struct span name = bare_unqualified(m);
	while (!m->failed && dm_take(m, "B"))
		name = DM_JOIN(m, name, DM_TEXT("[abi:"), dm_source_name(m), DM_TEXT("]"));
	return name;
}

/* ---- what stands for something --------------------------------------------------------------------------------- */

/* clang-format off */
#define STANDARD_NAMES(_)                                                                   \
	_('a', "std::allocator") _('b', "std::basic_string") _('s', "std::string")          \
	_('i', "std::istream")   _('o', "std::ostream")      _('d', "std::iostream")
/* clang-format on */

/* After "S". */
struct piece dm_substitution(struct mangled *m)
{
#define STANDARD_NAME(letter, text)             \
	if (*m->at == (letter)) {               \
		m->at++;                        \
		return dm_plain(DM_TEXT(text)); \
	}
	STANDARD_NAMES(STANDARD_NAME)
#undef STANDARD_NAME
	uint32_t i = read_seq(m, 36);
	return m->failed || i >= m->known.n ? dm_fail(m) : m->known.at[i];
}

/* After "T". */
struct piece dm_template_param(struct mangled *m)
{
	uint32_t i = read_seq(m, 10);
	if (m->failed)
		return dm_fail(m);
	if (m->in_lambda)
		return dm_plain(DM_JOIN(m, DM_TEXT("auto:"), dm_count(m, i + 1)));
	if (i >= m->args.n)
		return dm_fail(m);
	struct piece x = m->args.at[i];
	if (!x.is_pack || m->pack_item == NO_ITEM)
		return x;
	m->pack_n = x.n;
	if (m->pack_item == EMPTY_PACK || (uint32_t)m->pack_item >= x.n)
		return (struct piece){0};
	return x.items[m->pack_item];
}

/* ---- template arguments ---------------------------------------------------------------------------------------- */

static struct piece read_arg(struct mangled *m);

/* After "J". */
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
	struct piece x;
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

struct span dm_args(struct mangled *m)
{
	struct pieces own = {0};
	bool of_function = m->in_name && m->args_depth == 0;
	struct pieces *v = of_function ? &m->args : &own;
	bool here = dm_take(m, "I");
	if (!here || (of_function && m->begin_only)) {
		m->stopped = here ? m->at : NULL;
		return dm_fail(m).left;
	}
	if (of_function) {
		m->args = own;
		m->past_begin = true;
	}
	m->args_depth++;
	while (!m->failed && !dm_take(m, "E"))
		dm_add(m, v, read_arg(m));
	m->args_depth--;
	struct span list = dm_list(m, v);
	return DM_JOIN(m, DM_TEXT("<"), list, span_ends(list, ">") ? DM_TEXT(" >") : DM_TEXT(">"));
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

struct name {
	struct span text, qualifiers; /* of a member function: " const" */
	bool has_args;                /* ends with template arguments: a return type follows */
	bool is_made;                 /* constructor, destructor, conversion: no return type */
};

struct span dm_cv_qualifiers(struct mangled *m)
{
	struct span text = {0};
	if (dm_take(m, "r"))
		text = DM_TEXT(" restrict");
	if (dm_take(m, "V"))
		text = DM_JOIN(m, text, DM_TEXT(" volatile"));
	if (dm_take(m, "K"))
		text = DM_JOIN(m, text, DM_TEXT(" const"));
	return text;
}

/* Constructors and destructors are called like their class. p NULL: it is none. */
static struct span constructor(struct mangled *m, struct span class)
{
	bool destroys = m->at[0] == 'D' && m->at[1] >= '0' && m->at[1] <= '5';
	if (!destroys && !(m->at[0] == 'C' && m->at[1] >= '1' && m->at[1] <= '5'))
		return (struct span){0};
	m->at += 2;
	return DM_JOIN(m, destroys ? DM_TEXT("~") : DM_TEXT(""), class.n ? class : DM_TEXT(""));
}

/* Of the function itself, not of what stands in its arguments. */
static void begin_with(struct mangled *m, struct span text)
{
	if (!m->failed && !m->past_begin && m->in_name && m->args_depth == 0)
		m->begun = text;
}

static void add_prefix(struct mangled *m, struct span text)
{
	if (*m->at != 'E')
		dm_add(m, &m->known, dm_plain(text));
}

/* One more part of a nested name. */
static void nested_part(struct mangled *m, struct name *x, struct span *last)
{
	struct span made = x->text.n ? constructor(m, *last) : (struct span){0};
	x->is_made = made.p || (m->at[0] == 'c' && m->at[1] == 'v');
	*last = made.p ? made : dm_unqualified(m);
	x->text = x->text.n ? DM_JOIN(m, x->text, DM_TEXT("::"), *last) : *last;
	x->has_args = false;
	begin_with(m, x->text);
	add_prefix(m, x->text);
}

/* After "N". */
static struct name nested_name(struct mangled *m)
{
	struct name x = {.qualifiers = dm_cv_qualifiers(m)};
	struct span last = {0};
	if (dm_take(m, "R"))
		x.qualifiers = DM_JOIN(m, x.qualifiers, DM_TEXT(" &"));
	else if (dm_take(m, "O"))
		x.qualifiers = DM_JOIN(m, x.qualifiers, DM_TEXT(" &&"));
	while (!m->failed && !dm_take(m, "E")) {
		if (dm_take(m, "St")) {
			x.text = last = DM_TEXT("std");
		} else if (*m->at == 'S') {
			m->at++;
			x.text = last = dm_whole(m, dm_substitution(m));
		} else if (*m->at == 'T') {
			m->at++;
			x.text = last = dm_whole(m, dm_template_param(m));
			add_prefix(m, x.text);
		} else if (*m->at == 'I') {
			x.text = DM_JOIN(m, x.text, dm_args(m));
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
	} else if (m->at[0] == '_' && dm_is_digit(m->at[1])) {
		m->at += 2;
	}
}

/* After "Z": something inside a function. */
static struct name local_name(struct mangled *m)
{
	struct pieces args = m->args;
	bool in_name = m->in_name, in_lambda = m->in_lambda;
	int args_depth = m->args_depth;
	m->odd_brackets |= !args_depth;
	m->args_depth = 0;
	m->in_lambda = false;
	m->in_local = true;
	struct span function = dm_encoding(m);
	m->args_depth = args_depth;
	m->in_lambda = in_lambda;
	m->in_name = in_name;
	if (!in_name || args_depth)
		m->args = args;
	if (!dm_take(m, "E"))
		dm_fail(m);
	if (dm_take(m, "s")) {
		discriminator(m);
		return (struct name){.text = DM_JOIN(m, function, DM_TEXT("::string literal"))};
	}
	if (dm_take(m, "d"))
		read_seq(m, 10);
	struct name x = read_name(m);
	discriminator(m);
	x.text = DM_JOIN(m, function, DM_TEXT("::"), x.text);
	return x;
}

static struct name read_name(struct mangled *m)
{
	struct name x = {0};
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
			struct span space = dm_take(m, "St") ? DM_TEXT("std::") : DM_TEXT("");
			x.is_made = m->at[0] == 'c' && m->at[1] == 'v';
			x.text = DM_JOIN(m, space, dm_unqualified(m));
			begin_with(m, x.text);
		}
		if (*m->at == 'I') {
			if (!known)
				dm_add(m, &m->known, dm_plain(x.text));
			x.text = DM_JOIN(m, x.text, dm_args(m));
			x.has_args = true;
		}
	}
	dm_leave(m);
	return x;
}

struct span dm_name(struct mangled *m)
{
	return read_name(m).text;
}

static bool at_end(const struct mangled *m)
{
	return !*m->at || *m->at == 'E' || *m->at == '.';
}

struct encoding {
	struct name name;
	bool is_function, is_local, odd_brackets;
	bool told;            /* what it returns */
	struct piece returns; /* where it is told */
	struct pieces takes;
};

static struct encoding read_encoding(struct mangled *m)
{
	struct encoding x = {.is_local = m->in_local};
	bool name_only = m->name_only;
	m->in_name = true;
	m->in_local = m->name_only = false;
	x.name = read_name(m);
	x.odd_brackets = m->odd_brackets;
	m->in_name = false;
	if (m->failed || at_end(m))
		return x;
	x.told = x.name.has_args && !x.name.is_made;
	if (x.told)
		x.returns = dm_type(m);
	x.takes = dm_types_until(m, 'E');
	x.is_function = !name_only;
	return x;
}

static struct span encoding_text(struct mangled *m, const struct encoding *x)
{
	if (!x->is_function)
		return x->name.text;
	struct span takes = dm_parameters(m, &x->takes);
	if (x->is_local)
		return DM_JOIN(m, x->name.text, takes, x->name.qualifiers);
	return DM_JOIN(m, x->returns.left, x->told ? DM_TEXT(" ") : DM_TEXT(""), x->name.text, takes,
		       x->name.qualifiers, x->returns.right);
}

/* A name and, for a function, what it returns and takes. */
struct span dm_encoding(struct mangled *m)
{
	struct encoding x = read_encoding(m);
	return encoding_text(m, &x);
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static const char *kept(struct mangled *m, struct span text)
{
	return m->failed || !text.p ? NULL : arena_strndup(m->mem, text.p, text.n);
}

/* Everything was read, but for a suffix. */
static const char *whole(struct mangled *m, const struct encoding *x)
{
	if (m->failed || (*m->at && *m->at != '.'))
		return NULL;
	struct span text = encoding_text(m, x);
	return kept(m, DM_JOIN(m, text, span_of(m->at)));
}

const char *demangle(struct arena *mem, const char *name)
{
	struct dm_room room;
	struct mangled m;
	if (!is_mangled(name))
		return NULL;
	dm_open(&m, mem, name, &room);
	struct encoding x = read_encoding(&m);
	const char *text = whole(&m, &x);
	dm_close(&m);
	return text;
}

static const char *begin_of(struct mangled *m)
{
	return m->begun.p ? arena_strndup(m->mem, m->begun.p, m->begun.n) : NULL;
}

const char *demangle_begin_of_many(struct arena *mem, const char *name, size_t *n_read)
{
	struct dm_room room;
	struct mangled m;
	*n_read = 0;
	if (!is_mangled(name))
		return NULL;
	dm_open(&m, mem, name, &room);
	m.begin_only = true;
	dm_encoding(&m);
	*n_read = m.stopped ? (size_t)(m.stopped - name) : 0;
	const char *begin = begin_of(&m);
	dm_close(&m);
	return begin;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

const char *demangle_begin(struct arena *mem, const char *name)
{
	size_t n_read;
	return demangle_begin_of_many(mem, name, &n_read);
}

static bool is_words(const char *text)
{
	while (is_word(*text))
		text++;
	return !*text;
}

static bool has_brackets(struct span text)
{
	for (size_t i = 0; i < text.n; i++)
		if (strchr("(<[{}]>)", text.p[i]))
			return true;
	return false;
}

/* What stands around the function's name begins and ends where one sees it in the text, too. */
static bool is_plain(const struct mangled *m, const char *mangled, const struct encoding *x)
{
	const struct span *name = &x->name.text;
	return !m->failed && !*m->at && x->is_function && !x->name.qualifiers.n && !x->returns.right.n &&
	       !has_brackets(x->returns.left) && name->n &&
	       (is_word(name->p[name->n - 1]) || name->p[name->n - 1] == '>') && is_words(mangled);
}

const char *demangle_bare(struct arena *mem, const char *name, enum bare *bare)
{
	struct dm_room room;
	struct mangled m;
	*bare = BARE_NOT;
	if (!is_mangled(name))
		return NULL;
	dm_open(&m, mem, name, &room);
	struct encoding x = read_encoding(&m);
	if (is_plain(&m, name, &x))
		*bare = x.odd_brackets ? BARE : BARE_WORD;
	const char *text = *bare ? kept(&m, x.name.text) : whole(&m, &x);
	text = text ? text : begin_of(&m);
	dm_close(&m);
	return text;
}
