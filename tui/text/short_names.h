/* tui/text/short_names.h - names of kernels, ops and functions in little room: what tells events apart stays, what only the
 * compiler or the interpreter needed goes. A name is never changed where it fits as it is. */
#ifndef STEPSCOPE_SHORT_NAMES_H
#define STEPSCOPE_SHORT_NAMES_H
#include <stdbool.h>

enum { NAMES_BUF = 512 };
/* The least reduced form of the name that fits into `cols` columns, else its most reduced one, which may be wider:
 *   C++      without "void ", then without all that it returns and takes, then as short as kernel_name_short makes it
 *   mangled  readable first, then like any C++ name: "_ZN5aiter3addILi4EEEvPf" as "aiter::add<4>"
 *   Python   "file.py(12): f" without leading directories; "<built-in function f>" as "f"
 * Returns `name` itself or buf (NAMES_BUF bytes). */
const char *name_reduce(const char *name, int cols, char *buf);
/* The same in at most `cols` columns, with an ellipsis where something is missing. buf: NAMES_BUF bytes. */
const char *name_fit(const char *name, int cols, char *buf);
/* Where a reduced name that is still too wide loses least: true = at its end (templates), false = in its middle. */
bool name_cut_end(const char *name);
#endif
