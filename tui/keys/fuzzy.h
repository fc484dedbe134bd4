/* tui/keys/fuzzy.h - how well a few typed letters stand for a text. */
#ifndef STEPSCOPE_FUZZY_H
#define STEPSCOPE_FUZZY_H

/* The words of `typed` (separated by blanks) must each be found in the text, their letters in this order with others between them;
 * not too many; capitals do not count. -1: they are not; else the more the better: letters in one piece, at the beginnings of words and of the
 * text, in a short text. */
int fuzzy_score(const char *typed, const char *text);
#endif
