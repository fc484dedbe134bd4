/* tui/keys/keys_file.h - the user's own keys: a text file `keys` beside the themes, a line for each action that gets other keys.
 * Format:   ACTION KEY...   with the names and key words of keymap.h; `none` takes an action's keys away; # begins a comment.
 * Wrong:    a line that names no action or no key, or a key that means something else in the same place already, is left out,
 *           and the first such line is told with its number. Keys that the file moves away from are free. */
#ifndef STEPSCOPE_KEYS_FILE_H
#define STEPSCOPE_KEYS_FILE_H
#include "keymap.h"
#include "model/store/base/arena.h"
#include "model/store/base/err.h"

/* The rows of keymap with the keys of this text; rows and words are of mem. False with the first complaint in e: the rows hold all the
 * same what was right. name: of the file, for messages. */
bool keys_file_read(const char *text, size_t n, const char *name, struct arena *mem, const struct key_binding **rows,
		    struct err *e);
/* Reads the user's file and uses it from now on: keymap_use. Nothing happens when there is none. mem lives as long as keys are asked. */
bool keys_file_load(struct arena *mem, struct err *e);
#endif
