/* model/store/base/strings.h - every distinct text of a trace once, as a 32-bit id.
 * Ids:     0 is the empty string; ids count up from 1 in order of first use and never change.
 * Bytes:   any bytes, stored with a NUL behind them; writers of screens and reports escape what is not UTF-8.
 * Memory:  pointers stay valid until strings_free.
 * Threads: one writer; readers only of ids they were handed after they were added (publication is the caller's job). */
#ifndef STEPSCOPE_STRINGS_H
#define STEPSCOPE_STRINGS_H
#include <stddef.h>
#include <stdint.h>

typedef uint32_t str_id;
struct span {
	const char *p;
	size_t n;
};

struct strings;
struct strings *strings_new(void);
void strings_free(struct strings *s);
str_id strings_add(struct strings *s, const char *p, size_t n);        /* finds or adds */
str_id strings_addz(struct strings *s, const char *z);                 /* NULL counts as "" */
str_id strings_find(const struct strings *s, const char *p, size_t n); /* 0 when absent (or empty) */
struct span strings_get(const struct strings *s, str_id id);           /* unknown id: the empty span */
const char *strings_z(const struct strings *s, str_id id);             /* NUL-terminated; may hold inner NULs */
uint32_t strings_count(const struct strings *s);                       /* ids are 0 .. count-1 */
size_t strings_bytes(const struct strings *s);                         /* memory held */
#endif
