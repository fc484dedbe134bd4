#include "column.h"
#include "memory.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A large page costs the kernel what 85 small ones do, but nobody knows how far a column will grow: it lies on large ones when it fills
 * one. The end of an array whose size is known is one when half of it is used. */
enum { FIRST_BYTES = 64 * 1024, HUGE_PAGE = 2 << 20 };

static size_t round_up(size_t bytes, size_t step)
{
	return (bytes + step - 1) / step * step;
}

/* The last large page is one when half of it is used. */
static size_t on_large_pages(size_t bytes)
{
	bool half = bytes >= HUGE_PAGE && bytes <= SIZE_MAX / 2 && bytes % HUGE_PAGE >= HUGE_PAGE / 2;
	return half ? round_up(bytes, HUGE_PAGE) : bytes;
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

/* Cuts what a mapping has before and after [p, p + bytes), and asks for large pages there. */
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

/* Moves n large pages to where others lie; those that came from several places go one by one. On failure some may have gone. */
static bool move_run(char *from, char *to, size_t n)
{
	bool ok = mremap(from, n * HUGE_PAGE, n * HUGE_PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
	if (ok || n < 2)
		return ok;
	for (size_t at = 0; at < n * HUGE_PAGE; at += HUGE_PAGE)
		if (mremap(from + at, HUGE_PAGE, HUGE_PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to + at) == MAP_FAILED)
			return false;
	return true;
}

/* Of a column whose pages came from several places (column_grow_from), which no single call moves. */
static void *move_pieces(char *from, size_t old, size_t bytes)
{
	char *p = fresh_large(bytes);
	if (p != MAP_FAILED && !move_run(from, p, old / HUGE_PAGE))
		memory_exhausted();
	return p;
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
		bool in_pieces = errno == EFAULT;
		munmap(place, room);
		return in_pieces ? move_pieces(from, old, bytes) : mremap(from, old, bytes, MREMAP_MAYMOVE);
	}
	return trimmed(place, room, p, bytes);
}

/* From small pages to large ones: the bytes there are copied, so that the first one is large, too. */
static void *copied_to_large_pages(void *from, size_t old, size_t bytes)
{
	void *p = fresh_large(bytes);
	if (p == MAP_FAILED)
		return p;
	memcpy(p, from, old);
	munmap(from, old);
	return p;
}

static void *larger(void *from, size_t old, size_t bytes)
{
	if (!from)
		return bytes < HUGE_PAGE ? fresh(bytes, PROT_READ | PROT_WRITE) : fresh_large(bytes);
	if (bytes < HUGE_PAGE)
		return mremap(from, old, bytes, MREMAP_MAYMOVE);
	return old < HUGE_PAGE ? copied_to_large_pages(from, old, bytes) : move_to_large_pages(from, old, bytes);
}

bool column_grow(struct column *c, size_t want)
{
	if (want <= c->cap)
		return true;
	size_t old = room_of(c);
	if (want > SIZE_MAX / 4 / c->size)
		return false;
	size_t bytes = want * c->size;
	if (bytes < old + old / 2)
		bytes = old + old / 2;
	/* what is asked for at once may be all there will be */
	bytes = c->p ? round_up(bytes, bytes < HUGE_PAGE ? FIRST_BYTES : HUGE_PAGE)
		     : round_up(on_large_pages(bytes), FIRST_BYTES);
	void *p = larger(c->p, old, bytes);
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

void column_in_small_pages(struct column *c)
{
	if (c->p)
		madvise(c->p, room_of(c), MADV_NOHUGEPAGE);
}

void *large_alloc(size_t bytes)
{
	void *p = NULL;
	if (bytes < HUGE_PAGE)
		return malloc(bytes);
	bytes = on_large_pages(bytes);
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
	if (move_run(p, to, n))
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
		fill_pages(s, to, on_large_pages(bytes) / HUGE_PAGE);
	return to;
}

bool column_grow_from(struct column *c, size_t want, struct spare *s)
{
	if (want <= c->cap)
		return true;
	size_t from = round_up(room_of(c), HUGE_PAGE);
	if (!column_grow(c, want))
		return false;
	bool aligned = (uintptr_t)c->p % HUGE_PAGE == 0;
	if (aligned && room_of(c) > from)
		fill_pages(s, (char *)c->p + from, (room_of(c) - from) / HUGE_PAGE);
	return true;
}

void spare_free(struct spare *s)
{
	for (size_t i = 0; i < s->n; i++)
		column_free(&s->of[i]);
	s->n = 0;
}
