/* tui/app/remember.h - what the program knows of earlier runs: which traces were opened, and whether the first hints were used.
 * Place:   $XDG_STATE_HOME/stepscope, else ~/.local/state/stepscope: two small text files in a folder that nobody else may enter.
 *          Where there can be no such folder nothing is kept, no hints are shown, and nobody is told: it is not worth a word.
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
