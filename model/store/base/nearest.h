/* model/store/base/nearest.h - which word was probably meant. */
#ifndef STEPSCOPE_NEAREST_H
#define STEPSCOPE_NEAREST_H

/* The one of `words` that was probably meant by `word`, NULL = none looks like it; NULL and "" among them are left out. */
const char *nearest_word(const char *word, const char *const *words, unsigned n);
#endif
