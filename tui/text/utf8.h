/* tui/text/utf8.h - untrusted UTF-8 as code points and screen columns. Nothing a trace contains reaches a terminal unseen:
 * control characters, bytes that are not UTF-8, what turns the direction of writing and what is invisible (soft hyphens,
 * joiners, fillers, tags: Unicode's Default_Ignorable_Code_Point, and noncharacters) come out as UTF8_BAD, tab and newline
 * as a blank. U+FE0E and U+FE0F, which make terminals draw an emoji narrower or wider than they count it, are passed over.
 * Widths follow wcwidth and so the locale's LC_CTYPE; in the C locale everything counts one column. */
#ifndef STEPSCOPE_UTF8_H
#define STEPSCOPE_UTF8_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_BAD = 0xFFFD };
uint32_t utf8_next(const char **p);       /* next code point of a NUL-terminated text, 0 at its end */
uint32_t utf8_next_exact(const char **p); /* for data formats: what is invisible or turns the direction stays */
int utf8_cols(uint32_t cp);               /* 0 for combining and invisible ones, 1 or 2 */
int utf8_width(const char *s);            /* columns of the whole text */
bool utf8_fits(const char *s, int cols);  /* it has no more: read only as far as it takes to know */
/* Bytes at the start of s that are printable ASCII: a character and a column each, all of which stay what they are. */
size_t utf8_plain(const char *s);
char utf8_ascii(uint32_t cp);                 /* stand-in for ASCII screens, '?' when there is none */
size_t utf8_encode(uint32_t cp, char out[5]); /* UTF-8, NUL-terminated; returns bytes */
/* The text in at most `cols` columns: when it is longer, an ellipsis takes the place of its middle. buf is NUL-terminated. */
const char *utf8_shorten(const char *s, int cols, char *buf, size_t size);
/* The same with the ellipsis at the end. */
const char *utf8_cut(const char *s, int cols, char *buf, size_t size);
#endif
