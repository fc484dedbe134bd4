/* tests/fuzz/feed.h - a fuzz input as a script: bytes are taken from its front, and after its end all is 0. */
#ifndef FEED_H
#define FEED_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct feed {
	const uint8_t *p;
	size_t n;
};

static inline unsigned feed_byte(struct feed *f)
{
	if (!f->n)
		return 0;
	f->n--;
	return *f->p++;
}

/* Fills `to`; what the input does not have stays as it is. */
static inline void feed_bytes(struct feed *f, void *to, size_t n)
{
	n = n < f->n ? n : f->n;
	if (n)
		memcpy(to, f->p, n);
	f->p += n;
	f->n -= n;
}

static inline uint64_t feed_u64(struct feed *f)
{
	uint64_t v = 0;
	feed_bytes(f, &v, sizeof v);
	return v;
}
#endif
