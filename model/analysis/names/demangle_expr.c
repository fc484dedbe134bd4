/* Expressions in template arguments. */
#include "demangle_private.h"
#include <ctype.h>
#include <string.h>

/* clang-format off */
/*  code, text, operands in an expression (0 = only as a name) */
#define OPERATORS(_)                                                                                                   \
	_("nw", "new", 0) _("na", "new[]", 0) _("dl", "delete", 0) _("da", "delete[]", 0) _("ps", "+", 1)              \
	_("ng", "-", 1) _("ad", "&", 1) _("de", "*", 1) _("co", "~", 1) _("pl", "+", 2) _("mi", "-", 2)                \
	_("ml", "*", 2) _("dv", "/", 2) _("rm", "%", 2) _("an", "&", 2) _("or", "|", 2) _("eo", "^", 2)                \
	_("aS", "=", 2) _("pL", "+=", 2) _("mI", "-=", 2) _("mL", "*=", 2) _("dV", "/=", 2) _("rM", "%=", 2)           \
	_("aN", "&=", 2) _("oR", "|=", 2) _("eO", "^=", 2) _("ls", "<<", 2) _("rs", ">>", 2) _("lS", "<<=", 2)         \
	_("rS", ">>=", 2) _("eq", "==", 2) _("ne", "!=", 2) _("lt", "<", 2) _("gt", ">", 2) _("le", "<=", 2)           \
	_("ge", ">=", 2) _("ss", "<=>", 2) _("nt", "!", 1) _("aa", "&&", 2) _("oo", "||", 2) _("pp", "++", 1)          \
	_("mm", "--", 1) _("cm", ",", 2) _("pm", "->*", 2) _("pt", "->", 2) _("cl", "()", 0) _("ix", "[]", 0)          \
	_("qu", "?", 0)
/* clang-format on */

static const struct operator_info {
	const char *code, *text;
	int operands;
} operators[] = {
#define OPERATOR_ROW(code, text, operands) {code, text, operands},
	OPERATORS(OPERATOR_ROW)
#undef OPERATOR_ROW
};

static const struct operator_info *operator_of(const char *code)
{
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (code[0] == operators[i].code[0] && code[1] == operators[i].code[1])
			return &operators[i];
	return NULL;
}

const char *dm_operator(const char *code)
{
	const struct operator_info *o = operator_of(code);
	return o ? o->text : NULL;
}

/* ---- literals -------------------------------------------------------------------------------------------------- */

/* Digits up to the E; "n" in front is a minus sign. */
static struct span digits(struct mangled *m)
{
	bool minus = dm_take(m, "n");
	struct span text = {m->at, 0};
	while (isalnum((unsigned char)*m->at) && *m->at != 'E')
		m->at++;
	text.n = (size_t)(m->at - text.p);
	return minus ? DM_JOIN(m, DM_TEXT("-"), text) : text;
}

/* NULL: the type stands in front of its numbers. */
static const char *suffix_of(struct span type)
{
	static const struct {
		const char *type, *suffix;
	} known[] = {{"int", ""},         {"unsigned int", "u"},        {"long", "l"}, {"unsigned long", "ul"},
		     {"long long", "ll"}, {"unsigned long long", "ull"}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (span_is(type, known[i].type))
			return known[i].suffix;
	return NULL;
}

static struct span number_of_type(struct mangled *m, struct span type)
{
	struct span text = digits(m);
	const char *suffix = suffix_of(type);
	if (span_is(type, "bool") && (span_is(text, "0") || span_is(text, "1")))
		return *text.p == '1' ? DM_TEXT("true") : DM_TEXT("false");
	if (span_is(type, "decltype(nullptr)"))
		return DM_TEXT("nullptr");
	return suffix ? DM_JOIN(m, text, span_of(suffix)) : DM_JOIN(m, DM_TEXT("("), type, DM_TEXT(")"), text);
}

/* "L" type value "E", or "L_Z" encoding "E": the function itself. */
struct span dm_literal(struct mangled *m)
{
	struct span text;
	if (!dm_take(m, "L") || !dm_enter(m))
		return dm_fail(m).left;
	if (dm_take(m, "_Z") || dm_take(m, "Z")) {
		struct pieces args = m->args;
		int depth = m->args_depth;
		m->args_depth = 0;
		m->name_only = true;
		text = dm_encoding(m);
		m->args = args;
		m->args_depth = depth;
		m->in_name = depth > 0;
	} else {
		text = number_of_type(m, dm_whole(m, dm_type(m)));
	}
	dm_leave(m);
	return dm_take(m, "E") ? text : dm_fail(m).left;
}

/* ---- expressions ----------------------------------------------------------------------------------------------- */

static struct span expressions_until_end(struct mangled *m)
{
	struct pieces v = {0};
	while (!m->failed && !dm_take(m, "E"))
		dm_add(m, &v, dm_plain(dm_expression(m)));
	return dm_list(m, &v);
}

static struct span call(struct mangled *m)
{
	struct span function = dm_expression(m);
	return DM_JOIN(m, function, DM_TEXT("("), expressions_until_end(m), DM_TEXT(")"));
}

/* After "sr": a member of a type. */
static struct span scoped(struct mangled *m)
{
	struct span type = dm_whole(m, dm_type(m)), name = dm_unqualified(m);
	struct span args = *m->at == 'I' ? dm_args(m) : DM_TEXT("");
	return DM_JOIN(m, type, DM_TEXT("::"), name, args);
}

static struct span converted(struct mangled *m)
{
	struct span type = dm_whole(m, dm_type(m));
	struct span value = dm_take(m, "_") ? expressions_until_end(m) : dm_expression(m);
	return DM_JOIN(m, DM_TEXT("("), type, DM_TEXT(")("), value, DM_TEXT(")"));
}

static struct span chosen(struct mangled *m)
{
	struct span which = dm_expression(m), yes = dm_expression(m);
	return DM_JOIN(m, DM_TEXT("("), which, DM_TEXT(") ? ("), yes, DM_TEXT(") : ("), dm_expression(m), DM_TEXT(")"));
}

static struct span applied(struct mangled *m, const struct operator_info *o)
{
	m->at += 2;
	m->odd_brackets = true;
	struct span first = dm_expression(m);
	if (o->operands == 1)
		return DM_JOIN(m, span_of(o->text), DM_TEXT("("), first, DM_TEXT(")"));
	return DM_JOIN(m, DM_TEXT("("), first, DM_TEXT(")"), span_of(o->text), DM_TEXT("("), dm_expression(m),
		       DM_TEXT(")"));
}

/* "fp_" is the first parameter. */
static struct span parameter(struct mangled *m)
{
	struct span number = isdigit((unsigned char)*m->at) ? digits(m) : DM_TEXT("");
	return dm_take(m, "_") ? DM_JOIN(m, DM_TEXT("{parm#"), number.n ? number : DM_TEXT("1"), DM_TEXT("}"))
			       : dm_fail(m).left;
}

/* After "adL". */
static struct span function_address(struct mangled *m)
{
	m->at--;
	return DM_JOIN(m, DM_TEXT("&"), dm_literal(m));
}

static struct span one_expression(struct mangled *m)
{
	if (*m->at == 'L')
		return dm_literal(m);
	if (dm_take(m, "adL"))
		return function_address(m);
	if (dm_take(m, "T"))
		return dm_whole(m, dm_template_param(m));
	if (dm_take(m, "sZ"))
		return DM_JOIN(m, DM_TEXT("sizeof...("), dm_expression(m), DM_TEXT(")"));
	if (dm_take(m, "sr"))
		return scoped(m);
	if (dm_take(m, "st"))
		return DM_JOIN(m, DM_TEXT("sizeof ("), dm_whole(m, dm_type(m)), DM_TEXT(")"));
	if (dm_take(m, "sz"))
		return DM_JOIN(m, DM_TEXT("sizeof ("), dm_expression(m), DM_TEXT(")"));
	if (dm_take(m, "at"))
		return DM_JOIN(m, DM_TEXT("alignof ("), dm_whole(m, dm_type(m)), DM_TEXT(")"));
	if (dm_take(m, "sp"))
		return DM_JOIN(m, dm_expression(m), DM_TEXT("..."));
	if (dm_take(m, "cl"))
		return call(m);
	if (dm_take(m, "cv"))
		return converted(m);
	if (dm_take(m, "qu"))
		return chosen(m);
	if (dm_take(m, "fp"))
		return parameter(m);
	if (dm_take(m, "tl")) {
		struct span type = dm_whole(m, dm_type(m));
		return DM_JOIN(m, type, DM_TEXT("{"), expressions_until_end(m), DM_TEXT("}"));
	}
	if (dm_take(m, "il"))
		return DM_JOIN(m, DM_TEXT("{"), expressions_until_end(m), DM_TEXT("}"));
	const struct operator_info *o = operator_of(m->at);
	if (o && o->operands)
		return applied(m, o);
	dm_take(m, "on");
	struct span name = dm_unqualified(m);
	return *m->at == 'I' ? DM_JOIN(m, name, dm_args(m)) : name;
}

struct span dm_expression(struct mangled *m)
{
	struct span text = dm_enter(m) ? one_expression(m) : dm_fail(m).left;
	dm_leave(m);
	return m->failed ? DM_TEXT("") : text;
}
