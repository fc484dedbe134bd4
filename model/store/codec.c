#include "codec.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { CHUNK = 64 * 1024, MAX_VARINT = 10, LEVEL = 3, HEAD = 8 };

/* Elements per chunk. Plain bytes may be structures of any size: as many as fit. */
static size_t chunk_values(enum codec c, size_t size)
{
	return c == CODEC_ZSTD ? (size_t)CHUNK * MAX_VARINT / size : CHUNK;
}

static uint64_t load(const void *values, size_t i, size_t size)
{
	uint64_t v = 0;
	memcpy(&v, (const char *)values + i * size, size); /* little endian hosts only; see save.c */
	return v;
}

static size_t put_varint(unsigned char *to, uint64_t v)
{
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		to[n++] = (unsigned char)(v | 0x80);
	to[n++] = (unsigned char)v;
	return n;
}

/* Difference in the width of the element, sign-extended and zigzagged, so that small steps stay small. */
static uint64_t zigzag_step(uint64_t v, uint64_t before, size_t size)
{
	int shift = (int)(64 - size * 8);
	int64_t d = (int64_t)((v - before) << shift) >> shift;
	return (uint64_t)d << 1 ^ (uint64_t)(d >> 63);
}

static size_t encode(enum codec c, const void *values, size_t first, size_t n, size_t size, unsigned char *to)
{
	if (c == CODEC_ZSTD) {
		memcpy(to, (const char *)values + first * size, n * size);
		return n * size;
	}
	unsigned char *at = to;
	uint64_t before = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = load(values, first + i, size);
		at += put_varint(at, c == CODEC_DELTA ? zigzag_step(v, before, size) : v);
		before = v;
	}
	return (size_t)(at - to);
}

static bool append(struct column *out, const void *p, size_t n)
{
	if (!column_grow(out, out->n + n))
		return false;
	memcpy((char *)out->p + out->n, p, n);
	out->n += n;
	return true;
}

static bool pack_chunk(ZSTD_CCtx *z, const unsigned char *plain, size_t plain_bytes, struct column *out)
{
	size_t bound = ZSTD_compressBound(plain_bytes), head_at = out->n;
	uint32_t head[2] = {(uint32_t)plain_bytes, 0};
	if (!append(out, head, HEAD) || !column_grow(out, out->n + bound))
		return false;
	size_t n = ZSTD_compressCCtx(z, (char *)out->p + out->n, bound, plain, plain_bytes, LEVEL);
	if (ZSTD_isError(n))
		return false;
	head[1] = (uint32_t)n;
	memcpy((char *)out->p + head_at, head, HEAD);
	out->n += n;
	return true;
}

bool codec_pack(enum codec c, const void *values, size_t n, size_t size, struct column *out)
{
	if (c == CODEC_RAW)
		return append(out, values, n * size);
	unsigned char *plain = malloc(CHUNK * MAX_VARINT);
	ZSTD_CCtx *z = ZSTD_createCCtx();
	size_t chunk = chunk_values(c, size);
	bool ok = plain && z;
	for (size_t i = 0; ok && i < n; i += chunk) {
		size_t part = n - i < chunk ? n - i : chunk;
		ok = pack_chunk(z, plain, encode(c, values, i, part, size, plain), out);
	}
	ZSTD_freeCCtx(z);
	free(plain);
	return ok;
}

static bool decode(enum codec c, const unsigned char *p, size_t bytes, char *to, size_t n, size_t size)
{
	const unsigned char *end = p + bytes;
	if (c == CODEC_ZSTD) {
		if (bytes != n * size)
			return false;
		memcpy(to, p, bytes);
		return true;
	}
	uint64_t before = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = 0;
		int shift = 0;
		do {
			if (p == end || shift > 63)
				return false;
			v |= (uint64_t)(*p & 0x7f) << shift;
			shift += 7;
		} while (*p++ & 0x80);
		if (c == CODEC_DELTA)
			v = before + (v >> 1 ^ (0 - (v & 1)));
		memcpy(to + i * size, &v, size);
		before = v;
	}
	return p == end;
}

bool codec_unpack(enum codec c, const unsigned char *from, size_t bytes, void *values, size_t n, size_t size)
{
	if (c == CODEC_RAW) {
		if (bytes != n * size)
			return false;
		memcpy(values, from, bytes);
		return true;
	}
	unsigned char *plain = malloc(CHUNK * MAX_VARINT);
	ZSTD_DCtx *z = ZSTD_createDCtx();
	size_t chunk = chunk_values(c, size);
	bool ok = plain && z;
	for (size_t i = 0; ok && i < n; i += chunk) {
		size_t part = n - i < chunk ? n - i : chunk;
		uint32_t head[2] = {0};
		ok = bytes >= HEAD;
		if (ok)
			memcpy(head, from, HEAD);
		ok = ok && head[0] <= CHUNK * MAX_VARINT && head[1] <= bytes - HEAD;
		ok = ok && ZSTD_decompressDCtx(z, plain, head[0], from + HEAD, head[1]) == head[0];
		ok = ok && decode(c, plain, head[0], (char *)values + i * size, part, size);
		from += HEAD + head[1];
		bytes -= ok ? HEAD + head[1] : 0;
	}
	ZSTD_freeDCtx(z);
	free(plain);
	return ok && bytes == 0;
}

bool codec_fits(enum codec c, uint64_t bytes, uint64_t n, size_t size)
{
	const uint64_t least = HEAD + 9; /* the smallest zstd frame */
	return c == CODEC_RAW ? bytes / size >= n : n / CHUNK <= bytes / least;
}

uint64_t codec_hash(const void *p, size_t n, uint64_t seed)
{
	const unsigned char *b = p;
	uint64_t h[4] = {seed ^ n, seed + 1, seed + 2, seed + 3}, v;
	const uint64_t k = 0x9fb21c651e98df25u;
	for (; n >= 32; b += 32, n -= 32)
		for (int i = 0; i < 4; i++) {
			memcpy(&v, b + 8 * i, 8);
			h[i] = (h[i] ^ v) * k;
			h[i] ^= h[i] >> 29;
		}
	for (; n > 0; b++, n--)
		h[0] = (h[0] ^ *b) * k;
	for (int i = 1; i < 4; i++)
		h[0] = (h[0] ^ (h[i] >> 17)) * k + h[i];
	return h[0] ^ h[0] >> 31;
}
