/* model/analysis/names/demangle.h - C++ names as compilers for NVIDIA's and AMD's devices mangle them (Itanium ABI), readable again.
 * Reads:  functions, templates, packs, lambdas, local names, the types in their parameters, the expressions in their
 *         template arguments that kernels are made of.
 * Safe:   any bytes may be given: depth and size are bounded; what does not fit the grammar gives NULL. */
#ifndef STEPSCOPE_DEMANGLE_H
#define STEPSCOPE_DEMANGLE_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* "_ZN5aiter3addILi4EEEvPf" -> "void aiter::add<4>(float*)", in `mem`. A suffix after '.' (".kd", ".constprop.0") stays.
 * NULL: the name is not mangled, or not in a way this reads. */
const char *demangle(struct arena *mem, const char *name);
/* The function's name up to its first template arguments ("aiter::add"): quickly read, and told of names that recorders cut
 * off, too. NULL: not even that. */
const char *demangle_begin(struct arena *mem, const char *name);
/* The same, and how many bytes tell it, those up to the arguments: all names that begin with these have it. 0: all of the name does. */
const char *demangle_begin_of_many(struct arena *mem, const char *name, size_t *n_read);
/* What tells a function from others, read once: without what it returns and takes where these are plain, else as demangle has it (BARE_NOT)
 * or, when that gives NULL, demangle_begin. */
enum bare {
	BARE_NOT,
	BARE,      /* blanks may stand outside of its brackets */
	BARE_WORD, /* none does */
};
const char *demangle_bare(struct arena *mem, const char *name, enum bare *bare);
/* False: these letters, digits and underscores, in either case, stand in a readable name only where they stand in the mangled one, too. */
bool demangle_may_write(const char *text, size_t n);
static inline bool is_mangled(const char *name)
{
	return name[0] == '_' && name[1] == 'Z';
}
#endif
