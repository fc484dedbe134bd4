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
		if (!strncmp(code, operators[i].code, 2))
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
static const char *digits(struct mangled *m)
{
	bool minus = dm_take(m, "n");
	const char *from = m->at;
	while (isalnum((unsigned char)*m->at) && *m->at != 'E')
		m->at++;
	const char *text = arena_strndup(m->mem, from, (size_t)(m->at - from));
	return minus ? dm_join(m, "-", text, NULL) : text;
}

static const char *suffix_of(const char *type)
{
	static const struct {
		const char *type, *suffix;
	} known[] = {{"int", ""},         {"unsigned int", "u"},        {"long", "l"}, {"unsigned long", "ul"},
		     {"long long", "ll"}, {"unsigned long long", "ull"}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(known[i].type, type))
			return known[i].suffix;
	return NULL;
}

static const char *number_of_type(struct mangled *m, const char *type)
{
	const char *text = digits(m), *suffix = suffix_of(type);
	if (!strcmp(type, "bool") && (!strcmp(text, "0") || !strcmp(text, "1")))
		return *text == '1' ? "true" : "false";
	if (!strcmp(type, "decltype(nullptr)"))
		return "nullptr";
	return suffix ? dm_join(m, text, suffix, NULL) : dm_join(m, "(", type, ")", text, NULL);
}

/* "L" type value "E", or "L_Z" encoding "E": the function itself. */
const char *dm_literal(struct mangled *m)
{
	const char *text;
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

static const char *expressions_until_end(struct mangled *m)
{
	struct pieces v = {0};
	while (!m->failed && !dm_take(m, "E"))
		dm_add(m, &v, dm_plain(dm_expression(m)));
	return dm_list(m, &v);
}

static const char *call(struct mangled *m)
{
	const char *function = dm_expression(m);
	return dm_join(m, function, "(", expressions_until_end(m), ")", NULL);
}

/* Behind "sr": a member of a type. */
static const char *scoped(struct mangled *m)
{
	const char *type = dm_whole(m, dm_type(m)), *name = dm_unqualified(m);
	const char *args = *m->at == 'I' ? dm_args(m) : "";
	return dm_join(m, type, "::", name, args, NULL);
}

static const char *converted(struct mangled *m)
{
	const char *type = dm_whole(m, dm_type(m));
	const char *value = dm_take(m, "_") ? expressions_until_end(m) : dm_expression(m);
	return dm_join(m, "(", type, ")(", value, ")", NULL);
}

static const char *chosen(struct mangled *m)
{
	const char *which = dm_expression(m), *yes = dm_expression(m);
	return dm_join(m, "(", which, ") ? (", yes, ") : (", dm_expression(m), ")", NULL);
}

static const char *applied(struct mangled *m, const struct operator_info *o)
{
	m->at += 2;
	const char *first = dm_expression(m);
	if (o->operands == 1)
		return dm_join(m, o->text, "(", first, ")", NULL);
	return dm_join(m, "(", first, ")", o->text, "(", dm_expression(m), ")", NULL);
}

/* "fp_" is the first parameter. */
static const char *parameter(struct mangled *m)
{
	const char *number = isdigit((unsigned char)*m->at) ? digits(m) : "";
	return dm_take(m, "_") ? dm_join(m, "{parm#", *number ? number : "1", "}", NULL) : dm_fail(m).left;
}

/* Behind "adL". */
static const char *function_address(struct mangled *m)
{
	m->at--;
	return dm_join(m, "&", dm_literal(m), NULL);
}

static const char *one_expression(struct mangled *m)
{
	if (*m->at == 'L')
		return dm_literal(m);
	if (dm_take(m, "adL"))
		return function_address(m);
	if (dm_take(m, "T"))
		return dm_whole(m, dm_template_param(m));
	if (dm_take(m, "sZ"))
		return dm_join(m, "sizeof...(", dm_expression(m), ")", NULL);
	if (dm_take(m, "sr"))
		return scoped(m);
	if (dm_take(m, "st"))
		return dm_join(m, "sizeof (", dm_whole(m, dm_type(m)), ")", NULL);
	if (dm_take(m, "sz"))
		return dm_join(m, "sizeof (", dm_expression(m), ")", NULL);
	if (dm_take(m, "at"))
		return dm_join(m, "alignof (", dm_whole(m, dm_type(m)), ")", NULL);
	if (dm_take(m, "sp"))
		return dm_join(m, dm_expression(m), "...", NULL);
	if (dm_take(m, "cl"))
		return call(m);
	if (dm_take(m, "cv"))
		return converted(m);
	if (dm_take(m, "qu"))
		return chosen(m);
	if (dm_take(m, "fp"))
		return parameter(m);
	if (dm_take(m, "tl")) {
		const char *type = dm_whole(m, dm_type(m));
		return dm_join(m, type, "{", expressions_until_end(m), "}", NULL);
	}
	if (dm_take(m, "il"))
		return dm_join(m, "{", expressions_until_end(m), "}", NULL);
	const struct operator_info *o = operator_of(m->at);
	if (o && o->operands)
		return applied(m, o);
	dm_take(m, "on");
	const char *name = dm_unqualified(m);
	return *m->at == 'I' ? dm_join(m, name, dm_args(m), NULL) : name;
}

const char *dm_expression(struct mangled *m)
{
	const char *text = dm_enter(m) ? one_expression(m) : dm_fail(m).left;
	dm_leave(m);
	return m->failed ? "" : text;
}
