/* model/store/files/codec_pack.c - packs arrays; unpacked by codec.c. */
#include "codec_private.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { SMALL_LEVEL = 3, QUICK_LEVEL = 1 }; /* of zstd */

static bool append(struct column *out, const void *p, size_t n)
{
	if (!column_grow(out, out->n + n))
		return false;
	if (n)
		memcpy((char *)out->p + out->n, p, n);
	out->n += n;
	return true;
}

struct packing {
	ZSTD_CCtx *z;
	bool quick;
	uint64_t value[CHUNK];
	unsigned char plain[PLAIN_PART];
};

static inline uint64_t load(const void *values, size_t i, size_t size)
{
	uint64_t v = 0;
	memcpy(&v, (const char *)values + i * size, size); /* little endian hosts only; see save.c */
	return v;
}

/* Difference in the width of the element, sign-extended and zigzagged, so that small steps stay small. */
static uint64_t zigzag_step(uint64_t v, uint64_t before, size_t size)
{
	int shift = (int)(64 - size * 8);
	int64_t d = (int64_t)((v - before) << shift) >> shift;
	return ((uint64_t)d << 1 ^ (uint64_t)(d >> 63)) & low_bits(size);
}

/* Fill p->value; return all bits that are set in one of them. */
static uint64_t take_values(struct packing *p, const void *values, size_t n, size_t size)
{
	uint64_t all = 0;
	for (size_t i = 0; i < n; i++)
		all |= p->value[i] = load(values, i, size);
	return all;
}

static inline __attribute__((always_inline)) uint64_t take_steps(struct packing *p, const void *values, size_t n,
								 size_t size)
{
	uint64_t before = 0, all = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = load(values, i, size);
		all |= p->value[i] = zigzag_step(v, before, size);
		before = v;
	}
	return all;
}

static uint64_t take_kinds(struct packing *p, const void *values, const uint8_t *kinds, size_t n, size_t size)
{
	uint64_t before[256] = {0}, all = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = load(values, i, size), *last = &before[kinds[i]];
		all |= p->value[i] = zigzag_step(v, *last, size);
		*last = v;
	}
	return all;
}

/* Fills p->value; returns how many bytes the largest takes. */
static unsigned predict(struct packing *p, enum codec c, const void *values, const uint8_t *kinds, size_t n,
			size_t size)
{
	uint64_t all = c == CODEC_PLANES          ? take_values(p, values, n, size)
		       : c == CODEC_KINDS         ? take_kinds(p, values, kinds, n, size)
		       : size == sizeof(uint64_t) ? take_steps(p, values, n, sizeof(uint64_t))
						  : take_steps(p, values, n, size);
	unsigned width = 1;
	while (width < WIDEST && all >> width * 8)
		width++;
	return width;
}

static bool pack_part(struct packing *p, size_t bytes, struct column *out)
{
	size_t bound = ZSTD_compressBound(bytes), at = out->n;
	if (!column_grow(out, at + PART + bound))
		return false;
	size_t n = ZSTD_compressCCtx(p->z, (char *)out->p + at + PART, bound, p->plain, bytes,
				     p->quick ? QUICK_LEVEL : SMALL_LEVEL);
	if (ZSTD_isError(n))
		return false;
	uint32_t stored = (uint32_t)n;
	memcpy((char *)out->p + at, &stored, PART);
	out->n += PART + n;
	return true;
}

static bool pack_planes(struct packing *p, size_t n, unsigned width, struct column *out)
{
	for (unsigned plane = 0; plane < width; plane++) {
		/* in tiles, see below */
		for (size_t at = 0; at < n; at += TILE)
			for (size_t i = at; i < at + TILE; i++)
				p->plain[i] = (unsigned char)(p->value[i] >> plane * 8);
		if (!pack_part(p, n, out))
			return false;
	}
	return true;
}

static bool pack_together(struct packing *p, size_t n, unsigned width, struct column *out)
{
	for (size_t i = 0; i < n; i++)
		memcpy(p->plain + i * width, &p->value[i], width);
	return pack_part(p, n * width, out);
}

/* Both ways, and the smaller one stays; planes are hardly ever much larger, and packed sooner. */
static bool pack_chunk(struct packing *p, size_t n, unsigned width, struct column *out)
{
	unsigned char head[HEAD] = {(unsigned char)width};
	size_t begun = out->n;
	if (!append(out, head, HEAD) || !pack_planes(p, n, width, out))
		return false;
	size_t apart_end = out->n, apart = apart_end - begun;
	/* of one byte both ways are the same */
	if (width == 1 || p->quick)
		return true;
	head[1] = 1;
	if (!append(out, head, HEAD) || !pack_together(p, n, width, out))
		return false;
	size_t together = out->n - apart_end;
	if (together < apart)
		memmove((char *)out->p + begun, (char *)out->p + apart_end, together);
	out->n = begun + (together < apart ? together : apart);
	return true;
}

static bool pack_chunks(struct packing *p, enum codec c, const char *values, size_t n, size_t size,
			const uint8_t *kinds, struct column *out)
{
	for (size_t i = 0; i < n; i += CHUNK) {
		size_t part = n - i < CHUNK ? n - i : CHUNK;
		unsigned width = predict(p, c, values + i * size, kinds ? kinds + i : NULL, part, size);
		if (!pack_chunk(p, part, width, out))
			return false;
	}
	return true;
}

static bool pack_bytes(struct packing *p, const char *bytes, size_t n, struct column *out)
{
	for (size_t i = 0; i < n; i += PLAIN_PART) {
		size_t part = n - i < PLAIN_PART ? n - i : PLAIN_PART;
		memcpy(p->plain, bytes + i, part);
		if (!pack_part(p, part, out))
			return false;
	}
	return true;
}

static bool pack(enum codec c, bool quick, const void *values, size_t n, size_t size, const uint8_t *kinds,
		 struct column *out)
{
	if (c == CODEC_RAW)
		return append(out, values, n * size);
	struct packing *p = malloc(sizeof *p);
	ZSTD_CCtx *z = ZSTD_createCCtx();
	bool ok = p && z;
	if (ok) {
		p->z = z;
		p->quick = quick;
		ok = c == CODEC_ZSTD ? pack_bytes(p, values, n * size, out)
				     : pack_chunks(p, c, values, n, size, kinds, out);
	}
	ZSTD_freeCCtx(z);
	free(p);
	return ok;
}

bool codec_pack(enum codec c, const void *values, size_t n, size_t size, const uint8_t *kinds, struct column *out)
{
	return pack(c, false, values, n, size, kinds, out);
}

bool codec_pack_quickly(enum codec c, const void *values, size_t n, size_t size, const uint8_t *kinds,
			struct column *out)
{
	return pack(c, true, values, n, size, kinds, out);
}
