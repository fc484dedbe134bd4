/* tui/app/remember.h - what the program knows of earlier runs: which traces were opened, and whether the first hints were used.
 * Place:   two files of tui/text/state_file.h; where nothing can be kept no hints are shown.
 * Threads: one. */
#ifndef STEPSCOPE_REMEMBER_H
#define STEPSCOPE_REMEMBER_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stddef.h>

enum { REMEMBER_MOST = 20 };

/* The first hints are due: they can be remembered as used, and are not. */
bool remember_hints_due(void);
void remember_hints_used(void);
/* A file or folder that was opened, as the user named it; anything else is passed over. */
void remember_opened(const char *path);
/* Full paths of what was opened, the latest first, at most REMEMBER_MOST, whether they still exist or not. Texts and list are of mem. */
size_t remember_recent(const char *const **paths, struct arena *mem);
#endif
