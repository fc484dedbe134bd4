/* model/store/base/arena.h - bump allocation for results: one owner, freed as a whole.
 * Life:    zero-initialise -> alloc any number of times -> arena_free (reusable afterwards).
 * Memory:  out of memory ends the program (memory.h): results are small next to the trace.
 * Threads: one arena, one thread. */
#ifndef STEPSCOPE_ARENA_H
#define STEPSCOPE_ARENA_H
#include <stdarg.h>
#include <stddef.h>

struct arena_block;
struct arena {
	struct arena_block *last;
	size_t bytes; /* handed out so far */
};

void *arena_alloc(struct arena *a, size_t bytes); /* zeroed, aligned for any type */
void *arena_room(struct arena *a, size_t bytes);  /* the same, not zeroed: for what is written as a whole */
/* The same for small ones of which there are very many: not zeroed, aligned for 32 bits. */
void *arena_room_words(struct arena *a, size_t bytes);
void *arena_grow(struct arena *a, void *old, size_t old_bytes, size_t new_bytes); /* copy of old, rest zeroed */
/* Rows that come one by one: `at` with place for row n, zeroed. The place doubles at 16, 32, 64 ... rows, so that n alone tells how
 * much there is: call it before every row, with n from 0 on. */
void *arena_next_row(struct arena *a, void *at, size_t n, size_t row_bytes);
char *arena_strdup(struct arena *a, const char *s);            /* NULL -> NULL */
char *arena_strndup(struct arena *a, const char *p, size_t n); /* NUL-terminated copy */
char *arena_capital(struct arena *a, const char *s);           /* a copy that begins with a capital letter */
/* A copy that begins with a small letter, for the middle of a sentence; a name keeps its capital: a first word with another one in it
 * ("PyTorch", "GPU"), and a few that have none. */
char *arena_small(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What `from` holds belongs to `a` from now on; `from` is empty. For results that several threads made. */
void arena_adopt(struct arena *a, struct arena *from);
/* What came from malloc belongs to `a` from now on: its first `bytes`, the rest is given back; NULL stays NULL. Returns where it lies
 * now. For large results that grew elsewhere: a copy would need the memory twice. */
void *arena_own(struct arena *a, void *p, size_t bytes);
/* Gives back all that it holds; small blocks are used again. For texts made one after the other. */
void arena_clear(struct arena *a);
void arena_free(struct arena *a);
#endif
