/* tui/text/config.h - where the user's own files lie: $XDG_CONFIG_HOME/stepscope, else ~/.config/stepscope. */
#ifndef STEPSCOPE_CONFIG_H
#define STEPSCOPE_CONFIG_H
#include <stdbool.h>
#include <stddef.h>

/* The path of `name` in that directory. False when the directory cannot be determined, or buf is too small. */
bool config_path(const char *name, char *buf, size_t size);
/* The same when a file of that name can be read. */
bool config_file(const char *name, char *buf, size_t size);
#endif
