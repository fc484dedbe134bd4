/* importers/xspace/wire_write.h - protobuf's wire format, written into memory that grows.
 * Life: zero-initialise -> put -> wire_out_free. Out of memory ends the program (memory.h). */
#ifndef STEPSCOPE_WIRE_WRITE_H
#define STEPSCOPE_WIRE_WRITE_H
#include "protobuf_wire.h"
#include "model/store/base/grow.h"

struct wire_out {
	unsigned char *p;
	size_t n, cap;
};

static inline void wire_put(struct wire_out *o, const void *bytes, size_t n)
{
	if (n)
		GROW_ARRAY(o->p, o->n + n - 1, o->cap);
	if (n)
		memcpy(o->p + o->n, bytes, n);
	o->n += n;
}

/* The bytes of a varint at `to`, which has room for ten; returns how many. */
static inline size_t wire_varint_at(unsigned char *to, uint64_t v)
{
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		to[n++] = (unsigned char)(v | 0x80);
	to[n++] = (unsigned char)v;
	return n;
}

/* The head of a field of bytes: tag and length; `to` has room for WIRE_HEAD_MAX. Returns how many bytes it takes. */
static inline size_t wire_head_at(unsigned char *to, uint32_t number, size_t size)
{
	size_t n = wire_varint_at(to, (uint64_t)number << 3 | WIRE_BYTES);
	return n + wire_varint_at(to + n, size);
}

static inline void wire_put_block(struct wire_out *o, uint32_t number, const void *bytes, size_t n)
{
	unsigned char head[WIRE_HEAD_MAX];
	wire_put(o, head, wire_head_at(head, number, n));
	wire_put(o, bytes, n);
}

static inline void wire_out_free(struct wire_out *o)
{
	free(o->p);
	*o = (struct wire_out){0};
}
#endif
