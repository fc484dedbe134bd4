#include "column.h"
#include "memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_BYTES = 64 * 1024, HUGE_PAGE = 2 << 20 };

static size_t round_up(size_t bytes, size_t step)
{
	return (bytes + step - 1) / step * step;
}

/* What is mapped: a multiple of the step, less than one element of which is no room. */
static size_t room_of(const struct column *c)
{
	return round_up(c->cap * c->size, FIRST_BYTES);
}

static void *fresh(size_t bytes, int protection)
{
	return mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Cuts what a mapping has before and behind [p, p + bytes), and asks for large pages there. */
static void *trimmed(char *place, size_t room, char *p, size_t bytes)
{
	if (p > place)
		munmap(place, (size_t)(p - place));
	if (place + room > p + bytes)
		munmap(p + bytes, (size_t)(place + room - p) - bytes);
	madvise(p, bytes, MADV_HUGEPAGE);
	return p;
}

static char *large_page_in(char *place)
{
	return place + (HUGE_PAGE - (uintptr_t)place % HUGE_PAGE) % HUGE_PAGE;
}

static void *fresh_large(size_t bytes)
{
	char *place = fresh(bytes + HUGE_PAGE, PROT_READ | PROT_WRITE);
	return place == MAP_FAILED ? place : trimmed(place, bytes + HUGE_PAGE, large_page_in(place), bytes);
}

/* Moves to an address where a large page begins and asks for such pages from there on: what is filled once from front to back
 * is a fault for every 4 KiB otherwise. Moving later is a matter of a few entries per large page. (Where something was moved to,
 * its first large page stays one of small ones, touched or not.) */
static void *move_to_large_pages(void *from, size_t old, size_t bytes)
{
	size_t room = bytes + HUGE_PAGE;
	char *place = fresh(room, PROT_NONE);
	if (place == MAP_FAILED)
		return mremap(from, old, bytes, MREMAP_MAYMOVE);
	char *p = mremap(from, old, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, large_page_in(place));
	if (p == MAP_FAILED) {
		munmap(place, room);
		return mremap(from, old, bytes, MREMAP_MAYMOVE);
	}
	return trimmed(place, room, p, bytes);
}

/* used: bytes that are wanted now. At once on large pages is what fills them: the last one would be cleared in vain else. */
static void *larger(void *from, size_t old, size_t bytes, size_t used)
{
	if (!from)
		return used % HUGE_PAGE ? fresh(bytes, PROT_READ | PROT_WRITE) : fresh_large(bytes);
	if (bytes < HUGE_PAGE)
		return mremap(from, old, bytes, MREMAP_MAYMOVE);
	return move_to_large_pages(from, old, bytes);
}

bool column_grow(struct column *c, size_t want)
{
	if (want <= c->cap)
		return true;
	size_t old = room_of(c);
	if (want > SIZE_MAX / 4 / c->size)
		return false;
	size_t used = want * c->size, bytes = used;
	if (bytes < old + old / 2)
		bytes = old + old / 2;
	bytes = round_up(bytes, bytes < HUGE_PAGE ? FIRST_BYTES : HUGE_PAGE);
	void *p = larger(c->p, old, bytes, used);
	if (p == MAP_FAILED)
		return false;
	c->p = p;
	c->cap = bytes / c->size;
	return true;
}

void column_free(struct column *c)
{
	if (c->p)
		munmap(c->p, room_of(c));
	c->p = NULL;
	c->n = c->cap = 0;
}

void *large_alloc(size_t bytes)
{
	void *p = NULL;
	if (bytes < HUGE_PAGE)
		return malloc(bytes);
	if (posix_memalign(&p, HUGE_PAGE, bytes) != 0)
		return NULL;
	madvise(p, bytes, MADV_HUGEPAGE);
	return p;
}

/* ---- pages used again --------------------------------------------------------------------------------------------- */

void spare_column(struct spare *s, struct column *c)
{
	if (room_of(c) < HUGE_PAGE || s->n == SPARE_COLUMNS) {
		column_free(c);
		return;
	}
	s->of[s->n++] = (struct column){.p = c->p, .cap = room_of(c) / HUGE_PAGE, .size = HUGE_PAGE};
	c->p = NULL;
	c->n = c->cap = 0;
}

/* Puts n large pages of the column where fresh ones lie. Whatever happens, memory lies there. */
static bool move_pages(struct column *from, void *to, size_t n)
{
	size_t bytes = n * HUGE_PAGE;
	char *p = from->p;
	from->p = p + bytes; /* from the front: the end may never have been touched */
	from->cap -= n;
	if (mremap(p, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED)
		return true;
	munmap(p, bytes);
	if (mmap(to, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		memory_exhausted();
	return false;
}

/* Pages from these for n large ones that begin at `to`, as far as they reach. */
static void fill_pages(struct spare *s, char *to, size_t n)
{
	while (n && s->n) {
		struct column *from = &s->of[s->n - 1];
		size_t some = from->cap < n ? from->cap : n;
		bool moved = move_pages(from, to, some);
		to += some * HUGE_PAGE;
		n = moved ? n - some : 0;
		s->n -= !from->cap;
	}
}

void *spare_alloc(struct spare *s, size_t bytes)
{
	char *to = large_alloc(bytes);
	if (to)
		fill_pages(s, to, bytes / HUGE_PAGE);
	return to;
}

void spare_free(struct spare *s)
{
	for (size_t i = 0; i < s->n; i++)
		column_free(&s->of[i]);
	s->n = 0;
}
