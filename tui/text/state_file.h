/* tui/text/state_file.h - small text files that the program keeps for itself, line by line.
 * Place:   $XDG_STATE_HOME/stepscope, else ~/.local/state/stepscope, a folder that nobody else may enter. Where there can be no such
 *          folder nothing is kept, and nobody is told: it is not worth a word.
 * Threads: one. */
#ifndef STEPSCOPE_STATE_FILE_H
#define STEPSCOPE_STATE_FILE_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* The path of a file there. make: the folder, too, where it is not there. False: nothing can be kept. */
bool state_file_path(const char *name, bool make, char *path, size_t size);
/* Its lines, at most `most`, as texts of mem; 0 when there is none. most_bytes: what is read at all. */
size_t state_file_read(const char *name, size_t most_bytes, const char **lines, size_t most, struct arena *mem);
/* All of it anew. */
void state_file_write(const char *name, const char *const *lines, size_t n);
#endif
