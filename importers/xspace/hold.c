#include "hold.h"
#include "model/store/files/spill.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_CAP = 32 << 20, FIRST_ROOM = 64 << 10 };

void hold_borrow(struct hold *h, int fd)
{
	h->fd = fd;
	h->borrowed = true;
	/* every offset of the file counts as written: hold_view reads there, hold_add keeps nothing */
	h->spilled = INT64_MAX;
}

uint64_t hold_size(const struct hold *h)
{
	return h->spilled + h->n;
}

static size_t cap_of(const struct hold *h)
{
	return h->cap ? h->cap : DEFAULT_CAP;
}

/* Doubles, but not GROW_ARRAY: after the bytes there is padding, and memory that is out is an ordinary error. */
static bool grow(struct hold *h, size_t need)
{
	size_t room = h->room ? h->room : FIRST_ROOM;
	while (room < need)
		room *= 2;
	if (room == h->room)
		return true;
	unsigned char *mem = realloc(h->mem, room + HOLD_PAD);
	if (!mem)
		return false;
	h->mem = mem;
	h->room = room;
	return true;
}

static bool write_all(struct hold *h)
{
	if (!spill_write(h->fd, h->mem, h->n, (int64_t)h->spilled))
		return false;
	h->spilled += h->n;
	h->n = 0;
	return true;
}

/* Without a file everything stays in memory; a disk that fills up later is an error. */
static bool spill(struct hold *h)
{
	if (!h->spilled && !h->no_file)
		h->no_file = (h->fd = spill_open()) < 0;
	return h->no_file || write_all(h);
}

bool hold_add(struct hold *h, const void *bytes, size_t n)
{
	if (h->borrowed)
		return true;
	/* a single run of fields may be larger than the limit: it is kept whole, so that each field can be viewed at once */
	if (h->n && h->n + n > cap_of(h) && !spill(h))
		return false;
	if (!grow(h, h->n + n))
		return false;
	if (n)
		memcpy(h->mem + h->n, bytes, n);
	h->n += n;
	return true;
}

/* What is still in memory goes after the rest, so that offsets of the file are offsets of the hold. */
bool hold_settle(struct hold *h)
{
	return h->borrowed || !h->spilled || write_all(h);
}

const unsigned char *hold_view(const struct hold *h, struct hold_view *v, uint64_t at, size_t n, size_t *have)
{
	if (h->spilled) {
		v->mem.size = 1;
		*have = column_grow(&v->mem, n + HOLD_PAD) ? spill_read(h->fd, v->mem.p, n, (int64_t)at) : 0;
		return *have ? v->mem.p : NULL;
	}
	*have = at < h->n ? h->n - (size_t)at : 0;
	*have = *have < n ? *have : n;
	return *have ? h->mem + at : NULL;
}

void hold_view_free(struct hold_view *v)
{
	column_free(&v->mem);
}

void hold_clear(struct hold *h)
{
	if (h->spilled && !h->borrowed)
		close(h->fd);
	h->spilled = 0;
	h->n = 0;
	h->borrowed = h->no_file = false;
}

void hold_free(struct hold *h)
{
	hold_clear(h);
	free(h->mem);
	*h = (struct hold){.cap = h->cap};
}
