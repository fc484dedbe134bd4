/* model/store/codec.h - packs an array of integers small: difference to the one before (or not), zigzag, varint, zstd, in
 * chunks of 64 Ki values (plain bytes: of 640 KiB). Unpacking checks every length and never reads or writes outside its
 * buffers. */
#ifndef STEPSCOPE_CODEC_H
#define STEPSCOPE_CODEC_H
#include "column.h"
#include <stdint.h>

enum codec { CODEC_RAW, CODEC_ZSTD, CODEC_VARINT, CODEC_DELTA };

/* Appends the packed form of n elements of size 1, 2, 4 or 8 bytes (RAW, ZSTD: of any size) to out, a column of bytes. */
bool codec_pack(enum codec c, const void *values, size_t n, size_t size, struct column *out);
/* Unpacks exactly n elements; false when the bytes do not hold them. */
bool codec_unpack(enum codec c, const unsigned char *from, size_t bytes, void *values, size_t n, size_t size);
/* Could `bytes` packed bytes hold n elements? Asked before memory is taken for them. */
bool codec_fits(enum codec c, uint64_t bytes, uint64_t n, size_t size);
uint64_t codec_hash(const void *p, size_t n, uint64_t seed); /* checksum: 64 bits, not for adversaries */
#endif
