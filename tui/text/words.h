/* tui/text/words.h - names from a trace are untrusted bytes; here they become text that is safe to show.
 * Cleaning: as utf8_next does: a name can neither drive a terminal, nor reorder the line around it, nor hide a part of itself.
 * Memory:   every function returns arena memory. */
#ifndef STEPSCOPE_REPORT_WORDS_H
#define STEPSCOPE_REPORT_WORDS_H
#include "model/store/base/arena.h"
#include <stdbool.h>
#include <stddef.h>

char *words_clean(struct arena *mem, const char *s);            /* NULL gives "" */
char *words_end(struct arena *mem, const char *s, int cols);    /* cut at the end with "..." to fit cols */
char *words_middle(struct arena *mem, const char *s, int cols); /* cut in the middle: both ends of a path stay */
/* The blank at text[at] stands between a number and its unit: no row ends there. */
bool words_stay(const char *text, size_t at);
/* A kernel or function name: reduced as short_names.h says before anything is cut. */
char *words_name(struct arena *mem, const char *s, int cols);
char *words_quote(struct arena *mem, const char *s); /* one word for a POSIX shell */
/* What a path ends in: the text itself where nothing follows its last slash. */
const char *words_base(const char *path);
char *words_hash(struct arena *mem, const char *kind,
		 const char *s); /* "file-9f3a01bc": same name, same word in one run (salted.h) */
#endif
