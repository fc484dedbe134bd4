/* tui/tables/private_words.h - names that must not be told, and how a text looks without them: salted hashes (salted.h) stand for them,
 * the same for the same name in one run of the program.
 * Life: private_words_new -> add -> seal -> read only, by any thread -> private_words_free. */
#ifndef STEPSCOPE_PRIVATE_WORDS_H
#define STEPSCOPE_PRIVATE_WORDS_H
#include "model/store/base/arena.h"

struct private_words;
struct private_words *private_words_new(void);
void private_words_free(struct private_words *w);
/* kind: what it names, "thread"; begins the hash. Both must stay until the end; of a name that is added twice the first kind counts. */
void private_words_add(struct private_words *w, const char *name, const char *kind);
void private_words_seal(struct private_words *w);
/* The kind of the name; NULL: it is none of them. */
const char *private_words_kind(const struct private_words *w, const char *name);
/* The text, or one in `mem` in which hashes stand for every name: the longest one at each place, where no letter or digit is before
 * or after it; names that were cut ("begin...", "begin...end") too. */
const char *private_words_hide(const struct private_words *w, const char *text, struct arena *mem);
#endif
