/* importers/xspace/protobuf_wire.h - protobuf's wire format, one field at a time, over bytes at hand.
 * Bounds:  nothing is read after `end`, except by wire_quick; a varint takes at most ten bytes; nothing recurses.
 * Result:  SHORT means that the bytes end inside the field, BAD that no field can stand here. The cursor moves only on OK. */
#ifndef STEPSCOPE_PROTOBUF_WIRE_H
#define STEPSCOPE_PROTOBUF_WIRE_H
#include "model/store/base/word.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wire {
	const unsigned char *p, *end;
};
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };
enum wire_result { WIRE_OK, WIRE_SHORT, WIRE_BAD };
enum { WIRE_HEAD_MAX = 20 }; /* tag and length, ten bytes each at worst */

struct wire_field {
	uint32_t number;
	uint8_t type;
	uint64_t size;             /* payload bytes after the head: 0 for a varint */
	uint64_t value;            /* varint, or the little-endian fixed number (after wire_next) */
	const unsigned char *data; /* the payload (after wire_next) */
};

/* Tags of one byte, for readers that know what they expect. */
#define WIRE_TAG(number, type) ((number) << 3 | (type))

static inline enum wire_result wire_varint(struct wire *w, uint64_t *out)
{
	const unsigned char *p = w->p;
	uint64_t v = 0;
	if (p < w->end && *p < 0x80) { /* most of them */
		*out = *p;
		w->p = p + 1;
		return WIRE_OK;
	}
	for (unsigned shift = 0; shift < 70; shift += 7) {
		if (p == w->end)
			return WIRE_SHORT;
		v |= (uint64_t)(*p & 0x7f) << (shift & 63);
		if (*p++ < 0x80) {
			*out = v;
			w->p = p;
			return WIRE_OK;
		}
	}
	return WIRE_BAD;
}

/* How many bytes must be readable after any that the two below are given, whatever the message's end. */
enum { WIRE_PAD = 32 };

/* A varint at p, read eight bytes at a time; the caller compares the pointer it gets with the message's end. NULL when no varint
 * stands there. */
static inline const unsigned char *wire_quick(const unsigned char *p, uint64_t *out)
{
	uint64_t v;
	if (*p < 0x80) {
		*out = *p;
		return p + 1;
	}
	v = load_word(p);
	uint64_t stop = ~v & 0x8080808080808080; /* the first byte without the bit that says "more" */
	if (!stop) {
		struct wire w = {p, p + 10};
		return wire_varint(&w, out) == WIRE_OK ? w.p : NULL;
	}
	v &= (stop ^ (stop - 1)) & 0x7f7f7f7f7f7f7f7f;
	v = (v & 0x007f007f007f007f) | (v & 0x7f007f007f007f00) >> 1;
	v = (v & 0x00003fff00003fff) | (v & 0x3fff00003fff0000) >> 2;
	*out = (v & 0x000000000fffffff) | (v & 0x0fffffff00000000) >> 4;
	return p + (__builtin_ctzll(stop) >> 3) + 1;
}

/* A length and that many bytes. */
static inline bool wire_bytes(struct wire *w, const unsigned char **data, size_t *n)
{
	uint64_t size;
	if (wire_varint(w, &size) != WIRE_OK || size > (uint64_t)(w->end - w->p))
		return false;
	*data = w->p;
	*n = (size_t)size;
	w->p += size;
	return true;
}

/* The head of a field: number, type and the size of what follows, or the varint itself. */
static inline enum wire_result wire_head(struct wire *w, struct wire_field *f)
{
	struct wire at = *w;
	uint64_t tag;
	enum wire_result r = wire_varint(&at, &tag);
	if (r != WIRE_OK)
		return r;
	if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff)
		return WIRE_BAD;
	f->number = (uint32_t)(tag >> 3);
	f->type = tag & 7;
	f->value = f->size = 0;
	if (f->type == WIRE_VARINT)
		r = wire_varint(&at, &f->value);
	else if (f->type == WIRE_BYTES)
		r = wire_varint(&at, &f->size);
	else if (f->type == WIRE_FIXED64 || f->type == WIRE_FIXED32)
		f->size = f->type == WIRE_FIXED64 ? 8 : 4;
	else
		return WIRE_BAD;
	if (r == WIRE_OK)
		*w = at;
	return r;
}

/* A whole field, payload included. */
static inline enum wire_result wire_next(struct wire *w, struct wire_field *f)
{
	struct wire at = *w;
	enum wire_result r = wire_head(&at, f);
	if (r != WIRE_OK)
		return r;
	if (f->size > (uint64_t)(at.end - at.p))
		return WIRE_SHORT;
	f->data = at.p;
	if (f->type == WIRE_FIXED64 || f->type == WIRE_FIXED32)
		memcpy(&f->value, at.p, f->size);
	w->p = at.p + f->size;
	return WIRE_OK;
}

/* Passes over a field whose number is above `known`; false for damage and for a known number in an unknown form. */
static inline bool wire_pass(struct wire *w, uint32_t known)
{
	struct wire_field f;
	return wire_next(w, &f) == WIRE_OK && f.number > known;
}
#endif
