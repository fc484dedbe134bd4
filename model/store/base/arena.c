#include "arena.h"
#include "memory.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
	struct arena_block *before;
	size_t used, size;
	void *owned; /* from malloc, freed with the block */
	max_align_t bytes[];
};
/* Most arenas hold little: the first block is small, each further one twice as large, up to BLOCK_BYTES. */
enum { FIRST_BYTES = 2048 - 64, BLOCK_BYTES = 64 * 1024 - 64 };

/* A small block is zeroed piece by piece as it is handed out, a large one as a whole: of that nothing is touched before it is used. */
static bool is_small(const struct arena_block *b)
{
	return b->size <= BLOCK_BYTES;
}

static struct arena_block *block_new(struct arena *a, size_t bytes, bool zeroed)
{
	size_t before = a->last ? a->last->size : 0, usual = before < FIRST_BYTES       ? FIRST_BYTES
							     : before < BLOCK_BYTES / 2 ? 2 * before
											: BLOCK_BYTES;
	size_t size = bytes > usual ? bytes : usual;
	struct arena_block *b = zeroed && size > BLOCK_BYTES ? calloc(1, sizeof *b + size) : malloc(sizeof *b + size);
	if (!b)
		memory_exhausted();
	*b = (struct arena_block){.before = a->last, .size = size};
	a->last = b;
	return b;
}

/* align: a power of two, as all alignments are. */
static size_t up_to(size_t bytes, size_t align)
{
	return (bytes + align - 1) & ~(align - 1);
}

static void *alloc(struct arena *a, size_t bytes, size_t align, bool zeroed)
{
	if (bytes > SIZE_MAX / 2)
		memory_exhausted();
	bytes = up_to(bytes, align);
	struct arena_block *b = a->last;
	size_t at = b ? up_to(b->used, align) : 0;
	if (!b || at > b->size || b->size - at < bytes) {
		b = block_new(a, bytes, zeroed);
		at = 0;
	}
	b->used = at + bytes;
	a->bytes += bytes;
	char *p = (char *)b->bytes + at;
	return zeroed && is_small(b) ? memset(p, 0, bytes) : p;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	return alloc(a, bytes, _Alignof(max_align_t), true);
}

void *arena_room(struct arena *a, size_t bytes)
{
	return alloc(a, bytes, _Alignof(max_align_t), false);
}

void *arena_room_words(struct arena *a, size_t bytes)
{
	return alloc(a, bytes, _Alignof(uint32_t), false);
}

void *arena_grow(struct arena *a, void *old, size_t old_bytes, size_t new_bytes)
{
	void *p = arena_alloc(a, new_bytes);
	if (old_bytes)
		memcpy(p, old, old_bytes < new_bytes ? old_bytes : new_bytes);
	return p;
}

void *arena_next_row(struct arena *a, void *at, size_t n, size_t row_bytes)
{
	enum { FIRST_ROWS = 16 };
	bool full = n == 0 || (n >= FIRST_ROWS && (n & (n - 1)) == 0);
	return full ? arena_grow(a, at, n * row_bytes, (n ? n * 2 : FIRST_ROWS) * row_bytes) : at;
}

char *arena_strndup(struct arena *a, const char *p, size_t n)
{
	char *z = alloc(a, n + 1, 1, false); /* there may be as many as a trace has events */
	if (n)
		memcpy(z, p, n);
	z[n] = '\0';
	return z;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

char *arena_capital(struct arena *a, const char *s)
{
	char *z = arena_strdup(a, s);
	z[0] = (char)toupper((unsigned char)z[0]);
	return z;
}

/* "PyTorch", "TF32", "Python": the word `n` long. */
static bool is_name(const char *word, size_t n)
{
	static const char *const names[] = {"Python", "Keras", "Tensor"};
	for (size_t i = 1; i < n; i++)
		if (!islower((unsigned char)word[i]))
			return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == n && !strncmp(word, names[i], n))
			return true;
	return false;
}

char *arena_small(struct arena *a, const char *s)
{
	char *z = arena_strdup(a, s);
	if (!is_name(z, strcspn(z, " ,.;:")))
		z[0] = (char)tolower((unsigned char)z[0]);
	return z;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *z = arena_room(a, n < 0 ? 1 : (size_t)n + 1);
	z[0] = '\0';
	if (n > 0)
		vsnprintf(z, (size_t)n + 1, fmt, again);
	va_end(again);
	return z;
}

/* Below the block that is being filled, so that its rest stays in use. */
void arena_adopt(struct arena *a, struct arena *from)
{
	struct arena_block *oldest = from->last, **below = a->last ? &a->last->before : &a->last;
	if (!oldest)
		return;
	while (oldest->before)
		oldest = oldest->before;
	oldest->before = *below;
	*below = from->last;
	a->bytes += from->bytes;
	*from = (struct arena){0};
}

void *arena_own(struct arena *a, void *p, size_t bytes)
{
	struct arena of_it = {.bytes = bytes};
	void *fits = bytes ? realloc(p, bytes) : p;
	struct arena_block *b = must(calloc(1, sizeof *b));
	b->owned = fits ? fits : p;
	of_it.last = b;
	arena_adopt(a, &of_it);
	return b->owned;
}

void arena_clear(struct arena *a)
{
	struct arena_block *last = a->last;
	if (!last || last->size > BLOCK_BYTES || last->owned) {
		arena_free(a);
		return;
	}
	a->last = last->before;
	arena_free(a);
	last->used = 0;
	last->before = NULL;
	a->last = last;
}

void arena_free(struct arena *a)
{
	for (struct arena_block *b = a->last; b;) {
		struct arena_block *before = b->before;
		free(b->owned);
		free(b);
		b = before;
	}
	a->last = NULL;
	a->bytes = 0;
}
