/* model/store/base/strings.h - every distinct text of a trace once, as a 32-bit id.
 * Ids:     0 is the empty string; ids count up from 1 in order of first use and never change.
 * Bytes:   any bytes, stored with a NUL after them; writers of screens and reports escape what is not UTF-8.
 * Memory:  pointers stay valid until strings_free.
 * Threads: one writer; readers only of ids they were handed after they were added (publication is the caller's job). */
#ifndef STEPSCOPE_STRINGS_H
#define STEPSCOPE_STRINGS_H
#include <stdbool.h>
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
str_id strings_add(struct strings *s, const char *p, size_t n); /* finds or adds */
/* Room for `n` texts in all, for who knows how many will come. False: memory is out. */
bool strings_expect(struct strings *s, uint32_t n);
str_id strings_addz(struct strings *s, const char *z); /* NULL counts as "" */
/* As strings_add, of a text of 1 to UINT32_MAX bytes, for who has its strings_hash already. */
str_id strings_add_hashed(struct strings *s, const char *p, size_t n, uint32_t hash);
/* For who will add or find a text soon: asks for what strings_add will look at, so that it does not wait for memory. Each of
 * the three some texts before the next; hash: strings_hash of the text. */
uint32_t strings_hash(const char *p, size_t n);
void strings_ahead_slot(const struct strings *s, uint32_t hash);
void strings_ahead_row(const struct strings *s, uint32_t hash);
void strings_ahead_text(const struct strings *s, uint32_t hash);
str_id strings_find(const struct strings *s, const char *p, size_t n); /* 0 when absent (or empty) */
struct span strings_get(const struct strings *s, str_id id);           /* unknown id: the empty span */
const char *strings_z(const struct strings *s, str_id id);             /* NUL-terminated; may hold inner NULs */
uint32_t strings_count(const struct strings *s);                       /* ids are 0 .. count-1 */
size_t strings_bytes(const struct strings *s);                         /* memory held */
#endif
