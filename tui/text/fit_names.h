/* tui/text/fit_names.h - the names of one list in little room, so that names that differ look different. */
#ifndef STEPSCOPE_FIT_NAMES_H
#define STEPSCOPE_FIT_NAMES_H
#include "model/store/base/arena.h"
#include <stddef.h>

/* Each of the n names in at most `cols` columns, into out[n]: as name_fit cuts it; names that would look the same then are cut
 * in what they have in common instead. Texts lie in `mem` or are the names themselves. Where the difference alone is wider
 * than the room, names may still look the same. */
void names_fit(const char *const *names, size_t n, int cols, const char **out, struct arena *mem);
#endif
