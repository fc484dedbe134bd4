/* model/analysis/names/demangle_private.h - what the parts of the demangler share: names (demangle.c), types
 * (demangle_types.c), expressions in template arguments (demangle_expr.c). Every function moves on in the text; what it cannot read sets `failed`. */
#ifndef STEPSCOPE_DEMANGLE_PRIVATE_H
#define STEPSCOPE_DEMANGLE_PRIVATE_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* A type is written around what is declared: "void (*" and ")(int)". Packs are lists; their text is their elements'. */
struct piece {
	const char *left, *right;
	bool wraps; /* function or array: a pointer to it needs parentheses */
	bool is_pack;
	const struct piece *items; /* of a pack */
	uint32_t n;
};
struct pieces {
	struct piece *at;
	uint32_t n, cap;
};
struct mangled {
	const char *at;
	struct arena *mem;
	struct pieces known; /* what S_, S0_, ... stand for */
	struct pieces args;  /* what T_, T0_, ... stand for */
	int depth, args_depth;
	bool in_name;      /* template arguments that are read now are those of the function */
	bool in_local;     /* the function around a local name: without what it returns */
	bool name_only;    /* a function as an argument: neither what it takes nor what it returns */
	bool in_lambda;    /* T_ is a parameter declared auto */
	int pack_item;     /* which element of packs T_ stands for; NO_ITEM: all */
	uint32_t pack_n;   /* elements of the packs met */
	size_t budget;     /* bytes that may still be written */
	const char *begun; /* the function's name as far as it was read, without arguments */
	bool begin_only;   /* stops where the function's template arguments begin */
	bool failed;
};
enum { NO_ITEM = -1, EMPTY_PACK = -2 };

struct piece dm_fail(struct mangled *m);
/* Up to eight texts one after the other, and NULL. */
const char *dm_join(struct mangled *m, ...) __attribute__((sentinel));
/* Moves on when the text goes on so. Here, since most questions end at the first letter. */
static inline bool dm_take(struct mangled *m, const char *word)
{
	const char *at = m->at;
	while (*word)
		if (*at++ != *word++)
			return false;
	m->at = at;
	return true;
}
bool dm_enter(struct mangled *m); /* one level deeper; false with `failed` when that is too deep */
void dm_leave(struct mangled *m);
struct piece dm_plain(const char *text);
const char *dm_whole(struct mangled *m, struct piece x);
void dm_add(struct mangled *m, struct pieces *v, struct piece x);
const char *dm_list(struct mangled *m, const struct pieces *v); /* "a, b"; empty packs do not count */
uint32_t dm_number(struct mangled *m);                          /* decimal digits */

/* demangle.c */
const char *dm_encoding(struct mangled *m); /* a name and, for a function, what it returns and takes */
const char *dm_name(struct mangled *m);
const char *dm_unqualified(struct mangled *m);
const char *dm_source_name(struct mangled *m);
const char *dm_args(struct mangled *m);            /* "I...E" as "<...>" */
struct piece dm_substitution(struct mangled *m);   /* behind "S" */
struct piece dm_template_param(struct mangled *m); /* behind "T" */
const char *dm_cv_qualifiers(struct mangled *m);   /* " const" */
struct pieces dm_types_until(struct mangled *m, char end);
const char *dm_parameters(struct mangled *m, const struct pieces *v); /* "(int, float)"; a lone void is none */
const char *dm_count(struct mangled *m, uint32_t n);
/* demangle_types.c */
struct piece dm_type(struct mangled *m);
/* demangle_expr.c */
const char *dm_operator(const char *code); /* "pl" -> "+"; NULL */
const char *dm_literal(struct mangled *m);
const char *dm_expression(struct mangled *m);
#endif
