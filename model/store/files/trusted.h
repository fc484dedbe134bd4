/* model/store/files/trusted.h - looks at what a path leads to before it is relied on.
 * Threads: any. */
#ifndef STEPSCOPE_TRUSTED_H
#define STEPSCOPE_TRUSTED_H
#include <stdbool.h>

/* A regular file, open for reading; never waits for a FIFO's writer. -1 with *why, a text that stays. */
int trusted_file(const char *path, const char **why);
/* A folder that this user owns and no other may enter (mode 0700), and no link: otherwise another user could plant files
 * that we would take for our own. *there: something stands at `path`. */
bool trusted_folder(const char *path, bool *there);
/* Makes the folder, and those above it, with mode 0700, where they are not there. False when it cannot be had. */
bool trusted_folder_make(const char *path);
#endif
