#include "column.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_BYTES = 64 * 1024, HUGE_PAGE = 2 << 20 };

static size_t round_up(size_t bytes)
{
	return (bytes + FIRST_BYTES - 1) / FIRST_BYTES * FIRST_BYTES;
}

bool column_grow(struct column *c, size_t want)
{
	if (want <= c->cap)
		return true;
	size_t old = round_up(c->cap * c->size);
	if (want > SIZE_MAX / 4 / c->size)
		return false;
	size_t bytes = round_up(want * c->size);
	if (bytes < old + old / 2)
		bytes = round_up(old + old / 2);
	void *p = c->p ? mremap(c->p, old, bytes, MREMAP_MAYMOVE)
		       : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return false;
	c->p = p;
	c->cap = bytes / c->size;
	return true;
}

void column_free(struct column *c)
{
	if (c->p)
		munmap(c->p, round_up(c->cap * c->size));
	c->p = NULL;
	c->n = c->cap = 0;
}

void *large_room(size_t bytes)
{
	void *p = NULL;
	if (bytes < HUGE_PAGE)
		return malloc(bytes);
	if (posix_memalign(&p, HUGE_PAGE, bytes) != 0)
		return NULL;
	madvise(p, bytes, MADV_HUGEPAGE);
	return p;
}
