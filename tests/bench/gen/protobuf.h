/* tests/bench/gen/protobuf.h - fields of protobuf messages, appended to bytes that grow. Whoever fills a struct bytes frees its p. */
#ifndef BENCH_GEN_PROTOBUF_H
#define BENCH_GEN_PROTOBUF_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	uint8_t *p;
	size_t n, cap;
};
static inline uint8_t *room(struct bytes *b, size_t k)
{
	if (b->n + k > b->cap) {
		b->cap = (b->n + k) * 3 / 2 + 4096;
		b->p = realloc(b->p, b->cap);
		if (!b->p) {
			perror("realloc");
			exit(1);
		}
	}
	return b->p + b->n;
}
static inline size_t varint_len(uint64_t v)
{
	size_t n = 1;
	while (v >= 128) {
		v >>= 7;
		n++;
	}
	return n;
}
static inline void put_varint(struct bytes *b, uint64_t v)
{
	uint8_t *q = room(b, 10), *s = q;
	while (v >= 128) {
		*q++ = (uint8_t)(v | 128);
		v >>= 7;
	}
	*q++ = (uint8_t)v;
	b->n += (size_t)(q - s);
}
static inline void put_int(struct bytes *b, int f, uint64_t v)
{
	put_varint(b, (uint64_t)f << 3);
	put_varint(b, v);
}
static inline void put_bytes(struct bytes *b, int f, const void *d, size_t n)
{
	put_varint(b, (uint64_t)f << 3 | 2);
	put_varint(b, n);
	memcpy(room(b, n), d, n);
	b->n += n;
}
static inline void put_text(struct bytes *b, int f, const char *s)
{
	put_bytes(b, f, s, strlen(s));
}
static inline void put_all(struct bytes *b, const struct bytes *what)
{
	if (what->n)
		memcpy(room(b, what->n), what->p, what->n);
	b->n += what->n;
}
#endif
