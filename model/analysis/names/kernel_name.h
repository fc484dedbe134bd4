/* model/analysis/names/kernel_name.h - a kernel's name at three lengths: as the compiler means it, as a person says it, in a word.
 *   full    mangled names readable again, else as recorded
 *   short   what it is and what tells it from others: without return type, parameters, namespaces, deep template arguments
 *   family  see rules/family_rules.h */
#ifndef STEPSCOPE_KERNEL_NAME_H
#define STEPSCOPE_KERNEL_NAME_H
#include "model/store/base/arena.h"
#include <stddef.h>

/* `name` itself or a text in `mem`. */
const char *kernel_name_full(struct arena *mem, const char *name);
/* At most KERNEL_SHORT_BYTES long, with an ellipsis where something is cut. */
enum { KERNEL_SHORT_BYTES = 96 };
const char *kernel_name_short(struct arena *mem, const char *name);
/* The full name without what it returns and takes: what rules about kernels should look at. */
const char *kernel_name_bare(struct arena *mem, const char *name);

/* Length of a C++ name without its parameter list; n when it ends with none. "Memcpy HtoD (Pageable -> Device)" has none. */
size_t cxx_without_parameters(const char *s, size_t n);
#endif
