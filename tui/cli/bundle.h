/* tui/cli/bundle.h - what the one-file program (`make static`) carries because a machine may lack it: a UTF-8 locale and the
 * libraries of live mode. Other builds carry neither. */
#ifndef STEPSCOPE_BUNDLE_H
#define STEPSCOPE_BUNDLE_H
#include <stdbool.h>
#include <stddef.h>
#include "model/store/base/err.h"

/* Sets the character set by the environment, as setlocale(LC_CTYPE, "") does. The one-file program knows UTF-8 by itself where
 * the environment names it and the machine has no such locale. False when the locale is not UTF-8. Before the first thread. */
bool bundle_locale(void);
bool bundle_has_library(void);
/* Writes the libraries of live mode into a folder of this user that no other may enter, and leaves them there: what `run`
 * starts may load them long after we are gone. A folder of the same content is used again. path: the library that goes into
 * the target. False with e when there is no place for them or none is carried. */
bool bundle_library(char *path, size_t size, struct err *e);
#endif
