#include "strings.h"
#include "column.h"
#include "seed.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes live in chunks that never move; `slots` is an open-addressing table of ids, at most half full. */
enum { CHUNK_BYTES = 1 << 20, MANY_BYTES = 8 << 20, LARGE_PAGE = 2 << 20 };
struct text {
	const char *p;
	uint32_t n, hash;
};
struct strings {
	struct column texts;  /* struct text, by id */
	struct column chunks; /* char *, owned */
	char *room;
	size_t room_left, bytes;
	struct column slot_memory; /* str_id: on large pages, as they are met in no order */
	str_id *slots;
	uint32_t mask;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9fb21c651e98df25u;
	return h ^ (h >> 35);
}

uint32_t strings_hash(const char *p, size_t n)
{
	uint64_t h = n * 0x9e3779b97f4a7c15u ^ table_seed, v;
	size_t i = 0;
	for (; i + 8 <= n; i += 8) {
		memcpy(&v, p + i, 8);
		h = mix(h, v);
	}
	for (v = 0; i < n; i++)
		v = v << 8 | (unsigned char)p[i];
	h = mix(h, v + 1);
	return (uint32_t)(h ^ (h >> 32));
}

static bool rehash(struct strings *s, uint32_t slots)
{
	struct column memory = {.size = sizeof(str_id)};
	if (!column_grow(&memory, slots))
		return false;
	str_id *t = memory.p;
	pages_take(t, slots * sizeof *t);
	const struct text *x = s->texts.p;
	for (str_id id = 1; id < s->texts.n; id++) {
		uint32_t i = x[id].hash & (slots - 1);
		while (t[i])
			i = (i + 1) & (slots - 1);
		t[i] = id;
	}
	column_free(&s->slot_memory);
	s->slot_memory = memory;
	s->slots = t;
	s->mask = slots - 1;
	return true;
}

bool strings_expect(struct strings *s, uint32_t n)
{
	uint64_t slots = (uint64_t)s->mask + 1;
	while (slots <= 2 * (uint64_t)n)
		slots *= 2;
	if (!column_grow(&s->texts, (size_t)n + 1))
		return false;
	pages_take(s->texts.p, n * sizeof(struct text));
	return slots == (uint64_t)s->mask + 1 || (slots <= UINT32_MAX && rehash(s, (uint32_t)slots));
}

struct strings *strings_new(void)
{
	struct strings *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->texts.size = sizeof(struct text);
	s->chunks.size = sizeof(char *);
	struct text *empty = column_push(&s->texts);
	if (!empty || !rehash(s, 1024)) {
		strings_free(s);
		return NULL;
	}
	*empty = (struct text){.p = ""};
	return s;
}

void strings_free(struct strings *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->chunks.n; i++)
		free(((char **)s->chunks.p)[i]);
	column_free(&s->chunks);
	column_free(&s->texts);
	column_free(&s->slot_memory);
	free(s);
}

/* Where there are many texts they lie in large pages, of which only those that are written are there. */
static char *chunk_new(size_t size)
{
	if (size != MANY_BYTES)
		return malloc(size);
	char *p = aligned_alloc(LARGE_PAGE, size);
	if (p)
		madvise(p, size, MADV_HUGEPAGE);
	return p;
}

static char *reserve(struct strings *s, size_t n)
{
	if (s->room_left < n) {
		size_t usual = s->bytes < MANY_BYTES ? CHUNK_BYTES : MANY_BYTES, size = n > usual ? n : usual;
		char **slot = column_push(&s->chunks);
		char *chunk = slot ? chunk_new(size) : NULL;
		if (!chunk)
			memory_exhausted(); /* an id must mean its text: nothing sensible can go on without it */
		*slot = s->room = chunk;
		s->room_left = size;
		s->bytes += size;
	}
	char *p = s->room;
	s->room += n;
	s->room_left -= n;
	return p;
}

/* The slot where the text is or would be. */
static uint32_t slot_of(const struct strings *s, const char *p, size_t n, uint32_t hash)
{
	const struct text *x = s->texts.p;
	uint32_t i = hash & s->mask;
	for (; s->slots[i]; i = (i + 1) & s->mask) {
		const struct text *t = &x[s->slots[i]];
		if (t->hash == hash && t->n == n && memcmp(t->p, p, n) == 0)
			break;
	}
	return i;
}

str_id strings_add(struct strings *s, const char *p, size_t n)
{
	n = n < UINT32_MAX ? n : UINT32_MAX;
	return n ? strings_add_hashed(s, p, n, strings_hash(p, n)) : 0;
}

str_id strings_add_hashed(struct strings *s, const char *p, size_t n, uint32_t hash)
{
	uint32_t slot = slot_of(s, p, n, hash);
	if (s->slots[slot])
		return s->slots[slot];
	struct text *t = column_push(&s->texts);
	if (!t)
		memory_exhausted();
	char *copy = reserve(s, n + 1);
	memcpy(copy, p, n);
	copy[n] = 0;
	*t = (struct text){copy, (uint32_t)n, hash};
	str_id id = (str_id)(s->texts.n - 1);
	s->slots[slot] = id;
	if (s->texts.n * 2 > s->mask && !rehash(s, (s->mask + 1) * 2) && s->texts.n > s->mask)
		memory_exhausted();
	return id;
}

str_id strings_addz(struct strings *s, const char *z)
{
	return z ? strings_add(s, z, strlen(z)) : 0;
}

str_id strings_find(const struct strings *s, const char *p, size_t n)
{
	return n && n <= UINT32_MAX ? s->slots[slot_of(s, p, n, strings_hash(p, n))] : 0;
}

void strings_ahead_slot(const struct strings *s, uint32_t hash)
{
	__builtin_prefetch(&s->slots[hash & s->mask]);
}

static const struct text *likely_row(const struct strings *s, uint32_t hash)
{
	return (const struct text *)s->texts.p + s->slots[hash & s->mask];
}

void strings_ahead_row(const struct strings *s, uint32_t hash)
{
	__builtin_prefetch(likely_row(s, hash));
}

void strings_ahead_text(const struct strings *s, uint32_t hash)
{
	const struct text *t = likely_row(s, hash);
	__builtin_prefetch(t->p);
	__builtin_prefetch(t->p + t->n);
}

struct span strings_get(const struct strings *s, str_id id)
{
	if (id >= s->texts.n)
		return (struct span){"", 0};
	const struct text *t = (const struct text *)s->texts.p + id;
	return (struct span){t->p, t->n};
}

const char *strings_z(const struct strings *s, str_id id)
{
	return strings_get(s, id).p;
}

uint32_t strings_count(const struct strings *s)
{
	return (uint32_t)s->texts.n;
}

size_t strings_bytes(const struct strings *s)
{
	return s->bytes - s->room_left + s->texts.n * s->texts.size + ((size_t)s->mask + 1) * sizeof(str_id);
}
