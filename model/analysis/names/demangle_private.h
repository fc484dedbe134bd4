/* model/analysis/names/demangle_private.h - what the parts of the demangler share: what is written (demangle_text.c), names
 * (demangle.c), types (demangle_types.c), expressions in template arguments (demangle_expr.c). Every function moves on in the text; what it cannot read sets `failed`. */
#ifndef STEPSCOPE_DEMANGLE_PRIVATE_H
#define STEPSCOPE_DEMANGLE_PRIVATE_H
#include "model/store/base/arena.h"
#include "model/store/base/spans.h"
#include <stdbool.h>
#include <stdint.h>

/* Texts are spans: of the mangled name, of what was written last, to which more is added where it stands, or of literals. */
#define DM_TEXT(literal) ((struct span){literal, sizeof(literal) - 1})
/* A type is written around what is declared: "void (*" and ")(int)". Packs are lists; their text is their elements'. */
struct piece {
	struct span left, right;
	bool wraps; /* function or array: a pointer to it needs parentheses */
	bool is_pack;
	const struct piece *items; /* of a pack */
	uint32_t n;
};
struct pieces {
	struct piece *at;
	uint32_t n, cap;
};
/* Most names need no more room than lies on the stack, which may be small. */
struct dm_room {
	char text[2048];
	struct piece pieces[48];
	struct arena more;
};
struct mangled {
	const char *at;
	struct arena *mem;     /* of what is made of the name */
	char *more_text;       /* more room, until dm_close; NULL: none was needed */
	struct arena *more;    /* more than that, and for pieces */
	char *text, *text_end; /* what is written next stands here */
	struct piece *piece, *piece_end;
	struct pieces known; /* what S_, S0_, ... stand for */
	struct pieces args;  /* what T_, T0_, ... stand for */
	int depth, args_depth;
	bool in_name;        /* template arguments that are read now are those of the function */
	bool in_local;       /* the function around a local name: without what it returns */
	bool name_only;      /* a function as an argument: neither what it takes nor what it returns */
	bool in_lambda;      /* T_ is a parameter declared auto */
	int pack_item;       /* which element of packs T_ stands for; NO_ITEM: all */
	uint32_t pack_n;     /* elements of the packs met */
	size_t budget;       /* bytes that may still be written */
	struct span begun;   /* the function's name as far as it was read, without arguments; p NULL: nothing */
	bool begin_only;     /* stops where the function's template arguments begin */
	const char *stopped; /* there; NULL: not yet */
	bool odd_brackets; /* the function's name may have a blank outside of its brackets, or brackets that are no pairs */
	bool past_begin; /* what is read now is not in `begun` any more */
	bool failed;
};
enum { NO_ITEM = -1, EMPTY_PACK = -2, DM_MOST_PIECES = 4096 };

static inline bool dm_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
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
static inline struct piece dm_plain(struct span text)
{
	return (struct piece){.left = text};
}

/* demangle_text.c */
/* Begins at a mangled name. What is written lies in `room`, until dm_close; what is made of the name in `mem`. */
void dm_open(struct mangled *m, struct arena *mem, const char *name, struct dm_room *room);
void dm_close(struct mangled *m);
struct piece dm_fail(struct mangled *m);
/* Texts one after the other. */
struct span dm_join(struct mangled *m, const struct span *texts, size_t n);
#define DM_JOIN(m, ...) \
	dm_join(m, (const struct span[]){__VA_ARGS__}, sizeof((const struct span[]){__VA_ARGS__}) / sizeof(struct span))
struct span dm_whole(struct mangled *m, struct piece x);
struct span dm_count(struct mangled *m, uint32_t n); /* in digits */
void dm_add(struct mangled *m, struct pieces *v, struct piece x);
struct span dm_list(struct mangled *m, const struct pieces *v); /* "a, b"; empty packs do not count */
/* demangle.c */
bool dm_enter(struct mangled *m); /* one level deeper; false with `failed` when that is too deep */
void dm_leave(struct mangled *m);
uint32_t dm_number(struct mangled *m);      /* decimal digits */
struct span dm_encoding(struct mangled *m); /* a name and, for a function, what it returns and takes */
struct span dm_name(struct mangled *m);
struct span dm_unqualified(struct mangled *m);
struct span dm_source_name(struct mangled *m);
struct span dm_args(struct mangled *m);            /* "I...E" as "<...>" */
struct piece dm_substitution(struct mangled *m);   /* after "S" */
struct piece dm_template_param(struct mangled *m); /* after "T" */
struct span dm_cv_qualifiers(struct mangled *m);   /* " const" */
struct pieces dm_types_until(struct mangled *m, char end);
struct span dm_parameters(struct mangled *m, const struct pieces *v); /* "(int, float)"; a lone void is none */
/* demangle_types.c */
struct piece dm_type(struct mangled *m);
/* demangle_expr.c */
const char *dm_operator(const char *code); /* "pl" -> "+"; NULL */
struct span dm_literal(struct mangled *m);
struct span dm_expression(struct mangled *m);
#endif
