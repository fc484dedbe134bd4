/* model/store/facts/attrs_encode.h - attribute records written straight into the log, for importers with millions of them.
 * Use:     to = attrs_reserve(a, bound); to = attr_put_*(to, ...) ...; at = attrs_advance(a, bytes written).
 * Bound:   a key takes up to ATTR_KEY_MAX bytes with its type, a number up to ATTR_NUMBER_MAX; the calls below may touch
 *          ATTR_SLACK bytes after the last one, for which attrs_reserve always leaves room. */
#ifndef STEPSCOPE_ATTRS_ENCODE_H
#define STEPSCOPE_ATTRS_ENCODE_H
#include "attrs.h"
#include <string.h>

enum { ATTR_KEY_MAX = 6, ATTR_NUMBER_MAX = 10, ATTR_SLACK = 16 };

/* Room for a record of up to n bytes; NULL when memory is out. Nothing counts until attrs_advance: a record may be given
 * up or begun again. Not between attrs_begin and attrs_end. */
unsigned char *attrs_reserve(struct attrs *a, size_t n);
/* Makes the n bytes written a record and ends it; its name, 0 when n is 0. */
attr_at attrs_advance(struct attrs *a, size_t n);

/* Stores all eight bytes of a little-endian word. */
static inline void attr_store8(unsigned char *to, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	memcpy(to, &v, sizeof v);
}

/* The bytes of a varint below 1 << 56 as a word; *n receives how many. */
static inline uint64_t attr_varint_word(uint64_t v, unsigned *n)
{
	unsigned size = (unsigned)(63 - __builtin_clzll(v | 1)) / 7 + 1;
	v = (v & 0x000000000fffffff) | (v & 0x00fffffff0000000) << 4;
	v = (v & 0x00003fff00003fff) | (v & 0x0fffc0000fffc000) << 2;
	v = (v & 0x007f007f007f007f) | (v & 0x3f803f803f803f80) << 1;
	*n = size;
	return v | (0x8080808080808080 & ((UINT64_C(1) << (8 * (size - 1))) - 1));
}

static inline unsigned char *attr_put_varint(unsigned char *to, uint64_t v)
{
	unsigned n;
	if (v < 0x80) { /* most of them */
		*to = (unsigned char)v;
		return to + 1;
	}
	if (v < UINT64_C(1) << 56) {
		attr_store8(to, attr_varint_word(v, &n));
		return to + n;
	}
	for (; v >= 0x80; v >>= 7)
		*to++ = (unsigned char)(v | 0x80);
	*to++ = (unsigned char)v;
	return to;
}

static inline unsigned char *attr_put_key(unsigned char *to, str_id key, enum attr_type type)
{
	to = attr_put_varint(to, (uint64_t)key + 1);
	*to++ = (unsigned char)type;
	return to;
}

/* A key that many records have, coded once: its bytes as a word, how many they are. */
struct attr_head {
	uint64_t word;
	uint8_t n;
};
static inline struct attr_head attr_head(str_id key)
{
	unsigned n;
	uint64_t word = attr_varint_word((uint64_t)key + 1, &n);
	return (struct attr_head){word, (uint8_t)n};
}

/* As attr_put_key. */
static inline unsigned char *attr_put_head(unsigned char *to, struct attr_head h, enum attr_type type)
{
	attr_store8(to, h.word | (uint64_t)type << 8 * h.n);
	return to + h.n + 1;
}

/* Of ATTR_INT. */
static inline unsigned char *attr_put_signed(unsigned char *to, int64_t i)
{
	return attr_put_varint(to, (uint64_t)i << 1 ^ (uint64_t)(i >> 63));
}

static inline unsigned char *attr_put_real(unsigned char *to, double d)
{
	memcpy(to, &d, sizeof d);
	return to + sizeof d;
}

/* Of ATTR_STR, NUMBER, JSON and BYTES: length and bytes. */
static inline unsigned char *attr_put_text(unsigned char *to, const void *p, size_t n)
{
	to = attr_put_varint(to, n);
	if (n)
		memcpy(to, p, n);
	return to + n;
}
#endif
