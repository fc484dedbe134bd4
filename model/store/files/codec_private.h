/* model/store/files/codec_private.h - how packed arrays lie in a file, for codec_pack.c and codec.c.
 * Chunk: {width 1..8, together 0 or 1, 0, 0}, then parts: `width` planes of one byte per value, or one part that holds the
 * values with width bytes each. Part: {packed bytes, 4 bytes}, a zstd frame. CODEC_ZSTD has parts only. */
#ifndef STEPSCOPE_CODEC_PRIVATE_H
#define STEPSCOPE_CODEC_PRIVATE_H
#include "codec.h"

enum { CHUNK = CODEC_CHUNK, WIDEST = 8, HEAD = 4, PART = 4, TILE = 512 };
enum { PLAIN_PART = CODEC_PIECE }; /* most plain bytes in a part */
_Static_assert(PLAIN_PART == CHUNK * WIDEST, "a part holds a chunk of the widest values");

/* The low `size` bytes of a value. */
static inline uint64_t low_bits(size_t size)
{
	return size == 8 ? UINT64_MAX : (UINT64_C(1) << size * 8) - 1;
}
#endif
