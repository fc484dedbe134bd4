#include "hold.h"
#include "model/store/files/spill.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_CAP = 32 << 20, WINDOW = 256 << 10, FIRST_ROOM = 64 << 10 };

void hold_borrow(struct hold *h, int fd)
{
	h->fd = fd;
	h->borrowed = h->reading = true;
	/* every offset of the file counts as written: hold_view reads there, hold_add keeps nothing */
	h->spilled = INT64_MAX;
}

uint64_t hold_size(const struct hold *h)
{
	return h->spilled + (h->reading ? 0 : h->n);
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

static void fill_window(struct hold *h, uint64_t at, size_t want)
{
	uint64_t left = h->spilled - at;
	size_t need = want > WINDOW ? want : WINDOW;
	need = need < left ? need : (size_t)left;
	h->window_at = at;
	h->n = 0;
	if (grow(h, need))
		h->n = spill_read(h->fd, h->mem, need, (int64_t)at);
}

const unsigned char *hold_view(struct hold *h, uint64_t at, size_t want, size_t *have)
{
	uint64_t base = h->spilled ? h->window_at : 0;
	/* the first view: what is still in memory goes after the rest, so that offsets of the file are offsets of the hold */
	if (h->spilled && !h->reading && !(h->reading = write_all(h))) {
		*have = 0;
		return NULL;
	}
	bool inside = at >= base && at < base + h->n;
	if (h->spilled && (!inside || at + want > base + h->n) && at < h->spilled) {
		fill_window(h, at, want);
		base = at;
		inside = h->n > 0;
	}
	*have = inside ? (size_t)(base + h->n - at) : 0;
	return inside ? h->mem + (at - base) : NULL;
}

void hold_clear(struct hold *h)
{
	if (h->spilled && !h->borrowed)
		close(h->fd);
	h->spilled = h->window_at = 0;
	h->n = 0;
	h->reading = h->borrowed = h->no_file = false;
}

void hold_free(struct hold *h)
{
	hold_clear(h);
	free(h->mem);
	*h = (struct hold){.cap = h->cap};
}
