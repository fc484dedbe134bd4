/* model/store/files/codec.h - packs an array of integers small: difference to an earlier one (or not), zigzag, split into planes
 * of equal bytes' weight (or not, when that is smaller), zstd, in chunks of 64 Ki values that need nothing of each other.
 * Low bytes of times are noise and high bytes hardly change: apart, each costs what it must, and unpacking has no branches.
 * Unpacking checks every length and never reads or writes outside its buffers. */
#ifndef STEPSCOPE_CODEC_H
#define STEPSCOPE_CODEC_H
#include "model/store/base/column.h"
#include <stdint.h>

/* clang-format off */
enum codec {
	CODEC_RAW,    /* the bytes themselves */
	CODEC_ZSTD,   /* of any size; nothing is known about them */
	CODEC_PLANES, /* the values */
	CODEC_STEPS,  /* differences to the value before */
	CODEC_KINDS,  /* differences to the value before of the same kind */
	CODECS
};
/* clang-format on */

/* Appends the packed form of n elements of size 1, 2, 4 or 8 bytes (RAW, ZSTD: of any size) to out, a column of bytes.
 * kinds: one byte per element for CODEC_KINDS, else not looked at. */
bool codec_pack(enum codec c, const void *values, size_t n, size_t size, const uint8_t *kinds, struct column *out);
/* The same in a third of the time, a few percent larger: for what stays in memory. */
bool codec_pack_quickly(enum codec c, const void *values, size_t n, size_t size, const uint8_t *kinds,
			struct column *out);

/* What unpacking needs besides its output; for one thread at a time. */
struct codec_scratch;
struct codec_scratch *codec_scratch_new(void); /* NULL: no memory */
void codec_scratch_free(struct codec_scratch *m);
/* Unpacks exactly n elements; false when the bytes do not hold them. */
bool codec_unpack(struct codec_scratch *m, enum codec c, const unsigned char *from, size_t bytes, void *values,
		  size_t n, size_t size, const uint8_t *kinds);
/* Of CODEC_ZSTD piece by piece: the packed bytes that are left, and of the bytes in them the next CODEC_PIECE, the last time what is
 * left. False when the packed bytes do not hold them. */
enum { CODEC_PIECE = 512 * 1024 };
struct codec_rest {
	const unsigned char *p;
	size_t n;
};
bool codec_unpack_piece(struct codec_scratch *m, struct codec_rest *r, void *to, size_t bytes);
/* Whether codec_unpack could unpack them, of codecs with chunks; takes half of its time. */
bool codec_holds(struct codec_scratch *m, enum codec c, const unsigned char *from, size_t bytes, size_t n);
/* Chunks: each is unpacked as an array of its own, of CODEC_CHUNK elements, the last one of what is left. */
enum { CODEC_CHUNK = 64 * 1024 };
static inline uint64_t codec_chunks(uint64_t n)
{
	return (n + CODEC_CHUNK - 1) / CODEC_CHUNK;
}
/* Where each chunk of n elements begins, and after the last one where they end; `at` has room for one more than there are. False
 * when the bytes do not hold them, or lie in no chunks (RAW, ZSTD). */
bool codec_find_chunks(enum codec c, const unsigned char *from, size_t bytes, uint64_t n, size_t *at);
/* Could `bytes` packed bytes hold n elements? Asked before memory is taken for them. */
bool codec_fits(enum codec c, uint64_t bytes, uint64_t n, size_t size);
uint64_t codec_hash(const void *p, size_t n, uint64_t seed); /* checksum: 64 bits, not for adversaries */
#endif
