/* model/store/files/codec.c - unpacks what codec_pack.c packed. */
#include "codec_private.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct codec_scratch {
	ZSTD_DCtx *z;
	unsigned char plain[PLAIN_PART + WIDEST]; /* a value is read as the widest one */
};

struct codec_scratch *codec_scratch_new(void)
{
	struct codec_scratch *m = malloc(sizeof *m);
	ZSTD_DCtx *z = m ? ZSTD_createDCtx() : NULL;
	if (z) {
		m->z = z;
		memset(m->plain + PLAIN_PART, 0, WIDEST);
		return m;
	}
	free(m);
	return NULL;
}

void codec_scratch_free(struct codec_scratch *m)
{
	if (m)
		ZSTD_freeDCtx(m->z);
	free(m);
}

/* A part that must hold exactly `bytes`. */
static bool unpack_part(struct codec_scratch *m, struct codec_rest *r, void *to, size_t bytes)
{
	uint32_t stored;
	if (r->n < PART)
		return false;
	memcpy(&stored, r->p, PART);
	if (stored > r->n - PART || ZSTD_decompressDCtx(m->z, to, bytes, r->p + PART, stored) != bytes)
		return false;
	r->p += PART + stored;
	r->n -= PART + stored;
	return true;
}

/* The bytes of a plane, or of all values; those behind the last value of its tile are 0, for loops that read whole tiles. */
static bool unpack_plane(struct codec_scratch *m, struct codec_rest *r, size_t at, size_t n, unsigned width)
{
	size_t behind = (TILE - n % TILE) % TILE;
	memset(m->plain + at + n * width, 0, behind * width);
	return unpack_part(m, r, m->plain + at, n * width);
}

static bool unpack_parts(struct codec_scratch *m, struct codec_rest *r, size_t n, unsigned *width, bool *together)
{
	if (r->n < HEAD || r->p[0] < 1 || r->p[0] > WIDEST || r->p[1] > 1)
		return false;
	*width = r->p[0];
	*together = r->p[1];
	r->p += HEAD;
	r->n -= HEAD;
	if (*together)
		return unpack_plane(m, r, 0, n, *width);
	for (unsigned plane = 0; plane < *width; plane++)
		if (!unpack_plane(m, r, (size_t)plane * CHUNK, n, 1))
			return false;
	return true;
}

/* Values of a tile on their way, in the narrower of two widths that holds them. */
struct tile {
	bool narrow;
	union {
		uint32_t w32[TILE];
		uint64_t w64[TILE];
	};
};

/* All loops over tiles have a fixed length, which is what makes vectors of them; behind the last value of a chunk lie zeros. */
#define JOIN_PLANES(type, value)                                                 \
	do {                                                                     \
		for (int i = 0; i < TILE; i++)                                   \
			(value)[i] = plain[i];                                   \
		for (unsigned plane = 1; plane < width; plane++) {               \
			const unsigned char *at = plain + (size_t)plane * CHUNK; \
			for (int i = 0; i < TILE; i++)                           \
				(value)[i] |= (type)at[i] << plane * 8;          \
		}                                                                \
	} while (0)

static void join_planes(const unsigned char *plain, unsigned width, struct tile *t)
{
	if (t->narrow)
		JOIN_PLANES(uint32_t, t->w32);
	else
		JOIN_PLANES(uint64_t, t->w64);
}

/* Read as the widest value, whose upper bytes belong to others. */
#define JOIN_TOGETHER(value)                                     \
	for (int i = 0; i < TILE; i++) {                         \
		uint64_t v;                                      \
		memcpy(&v, plain + (size_t)i * width, WIDEST);   \
		(value)[i] = (__typeof__((value)[0]))(v & mask); \
	}

static void join_together(const unsigned char *plain, unsigned width, struct tile *t)
{
	const uint64_t mask = low_bits(width);
	if (t->narrow)
		JOIN_TOGETHER(t->w32)
	else
		JOIN_TOGETHER(t->w64)
}

/* Differences as they were before they were zigzagged. */
static void unzigzag(struct tile *t)
{
	if (t->narrow)
		for (int i = 0; i < TILE; i++)
			t->w32[i] = t->w32[i] >> 1 ^ (0 - (t->w32[i] & 1));
	else
		for (int i = 0; i < TILE; i++)
			t->w64[i] = t->w64[i] >> 1 ^ (0 - (t->w64[i] & 1));
}

/* What a tile is added up to. */
struct sums {
	enum codec c;
	const uint8_t *kinds;
	uint64_t before[256];
};

/* Adding to the sum of a kind waits for the last addition to it to reach memory. Two cases do without, and most tiles are
 * one of them: work on devices is all of one kind, and host rows have nothing to tell there. */
static bool one_kind(const uint8_t *kinds, size_t n)
{
	return memcmp(kinds, kinds + 1, n - 1) == 0;
}

static bool all_zero(const struct tile *t)
{
	uint64_t any = 0;
	if (t->narrow)
		for (int i = 0; i < TILE; i++)
			any |= t->w32[i];
	else
		for (int i = 0; i < TILE; i++)
			any |= t->w64[i];
	return any == 0;
}

/* clang-format off */
#define WRITE_VALUES(type, value)                                      \
	if (n == TILE)                                                 \
		for (int i = 0; i < TILE; i++)                         \
			to[i] = (type)(value)[i];                      \
	else                                                           \
		for (size_t i = 0; i < n; i++)                         \
			to[i] = (type)(value)[i];
#define WRITE_STEPS(type, step, value, sum)                            \
	type v = (type)(sum);                                          \
	for (size_t i = 0; i < n; i++)                                 \
		to[i] = v = (type)(v + (type)(step)(value)[i]);        \
	sum = v;
#define WRITE_STILL(type)                                              \
	for (size_t i = 0; i < n; i++)                                 \
		to[i] = (type)s->before[s->kinds[i]];
#define WRITE_KINDS(type, step, value)                                 \
	for (size_t i = 0; i < n; i++)                                 \
		to[i] = (type)(s->before[s->kinds[i]] += (uint64_t)(step)(value)[i]);
#define WRITE_TILE(name, type, step, value)                            \
static void name(const struct tile *t, struct sums *s, size_t n, void *out) \
{                                                                      \
	type *restrict to = out;                                       \
	if (s->c == CODEC_PLANES) {                                    \
		WRITE_VALUES(type, t->value)                           \
	} else if (s->c == CODEC_STEPS || one_kind(s->kinds, n)) {     \
		uint64_t *sum = &s->before[s->kinds ? *s->kinds : 0];  \
		WRITE_STEPS(type, step, t->value, *sum)                \
	} else if (all_zero(t)) {                                      \
		WRITE_STILL(type)                                      \
	} else {                                                       \
		WRITE_KINDS(type, step, t->value)                      \
	}                                                              \
}
WRITE_TILE(write_8_of_32, uint8_t, int32_t, w32)
WRITE_TILE(write_16_of_32, uint16_t, int32_t, w32)
WRITE_TILE(write_32_of_32, uint32_t, int32_t, w32)
WRITE_TILE(write_64_of_32, uint64_t, int32_t, w32)
WRITE_TILE(write_8_of_64, uint8_t, int64_t, w64)
WRITE_TILE(write_16_of_64, uint16_t, int64_t, w64)
WRITE_TILE(write_32_of_64, uint32_t, int64_t, w64)
WRITE_TILE(write_64_of_64, uint64_t, int64_t, w64)

typedef void write_tile(const struct tile *t, struct sums *s, size_t n, void *out);
static write_tile *const writers[2][4] = { /* by width of the tile, by log2 of the element's size */
	{write_8_of_64, write_16_of_64, write_32_of_64, write_64_of_64},
	{write_8_of_32, write_16_of_32, write_32_of_32, write_64_of_32},
};
/* clang-format on */

/* Columns of what most traces do not tell are of one value: a tile of values that take a byte each, all of them 0, is known as one before
 * they are joined. */
static bool all_same(const struct sums *s, const unsigned char *plain, size_t n)
{
	uint64_t any = 0, v;
	for (int i = 0; i < TILE; i += (int)sizeof v) {
		memcpy(&v, plain + i, sizeof v);
		any |= v;
	}
	return any == 0 && (s->c != CODEC_KINDS || one_kind(s->kinds, n));
}

static void write_same(const struct sums *s, char *to, size_t n, size_t size)
{
	uint64_t v = s->c == CODEC_PLANES ? 0 : s->before[s->kinds ? *s->kinds : 0];
	size_t have = size, bytes = n * size;
	memcpy(to, &v, size);
	for (size_t more; have < bytes; have += more) {
		more = have < bytes - have ? have : bytes - have;
		memcpy(to + have, to, more);
	}
}

static void unpack_tile(const unsigned char *plain, unsigned width, bool together, enum codec c, struct tile *t)
{
	if (together)
		join_together(plain, width, t);
	else
		join_planes(plain, width, t);
	if (c != CODEC_PLANES)
		unzigzag(t);
}

static bool unpack_chunk(struct codec_scratch *m, struct sums *s, struct codec_rest *r, char *to, size_t n, size_t size)
{
	struct tile t;
	unsigned width;
	bool together;
	if (!unpack_parts(m, r, n, &width, &together))
		return false;
	/* most chunks: twice as many values in a vector, sign-extended when they are added up */
	t.narrow = width <= sizeof t.w32[0];
	write_tile *write = writers[t.narrow][__builtin_ctz((unsigned)size)];
	for (size_t i = 0; i < n; i += TILE) {
		size_t part = n - i < TILE ? n - i : TILE;
		const unsigned char *plain = m->plain + (together ? i * width : i);
		if (width == 1 && all_same(s, plain, part)) {
			write_same(s, to + i * size, part, size);
		} else {
			unpack_tile(plain, width, together, s->c, &t);
			write(&t, s, part, to + i * size);
		}
		if (s->kinds)
			s->kinds += part;
	}
	return true;
}

static bool unpack_chunks(struct codec_scratch *m, enum codec c, struct codec_rest *r, char *to, size_t n, size_t size,
			  const uint8_t *kinds)
{
	for (size_t i = 0; i < n; i += CHUNK) {
		/* sums begin anew with each chunk, as they did when it was packed */
		struct sums s = {.c = c, .kinds = c == CODEC_KINDS ? kinds + i : NULL};
		if (!unpack_chunk(m, &s, r, to + i * size, n - i < CHUNK ? n - i : CHUNK, size))
			return false;
	}
	return true;
}

static bool unpack_bytes(struct codec_scratch *m, struct codec_rest *r, char *to, size_t n)
{
	for (size_t i = 0; i < n; i += PLAIN_PART)
		if (!unpack_part(m, r, to + i, n - i < PLAIN_PART ? n - i : PLAIN_PART))
			return false;
	return true;
}

bool codec_unpack_piece(struct codec_scratch *m, struct codec_rest *r, void *to, size_t bytes)
{
	return unpack_part(m, r, to, bytes);
}

bool codec_unpack(struct codec_scratch *m, enum codec c, const unsigned char *from, size_t bytes, void *values,
		  size_t n, size_t size, const uint8_t *kinds)
{
	struct codec_rest r = {from, bytes};
	if (c == CODEC_RAW) {
		if (bytes != n * size)
			return false;
		memcpy(values, from, bytes);
		return true;
	}
	if (c == CODEC_ZSTD)
		return unpack_bytes(m, &r, values, n * size) && r.n == 0;
	if (c >= CODECS || (c == CODEC_KINDS && !kinds) || (size != 1 && size != 2 && size != 4 && size != 8))
		return false;
	return unpack_chunks(m, c, &r, values, n, size, kinds) && r.n == 0;
}

bool codec_holds(struct codec_scratch *m, enum codec c, const unsigned char *from, size_t bytes, size_t n)
{
	struct codec_rest r = {from, bytes};
	unsigned width;
	bool together, ok = c == CODEC_PLANES || c == CODEC_STEPS || c == CODEC_KINDS;
	/* what stands in the parts is never wrong: any bytes are values */
	for (size_t i = 0; ok && i < n; i += CHUNK)
		ok = unpack_parts(m, &r, n - i < CHUNK ? n - i : CHUNK, &width, &together);
	return ok && r.n == 0;
}

/* False when no chunk can begin there. */
static bool skip_chunk(struct codec_rest *r)
{
	unsigned parts = r->n < HEAD || r->p[0] < 1 || r->p[0] > WIDEST || r->p[1] > 1 ? 0 : r->p[1] ? 1 : r->p[0];
	if (!parts)
		return false;
	r->p += HEAD;
	r->n -= HEAD;
	for (uint32_t stored; parts; parts--) {
		if (r->n < PART)
			return false;
		memcpy(&stored, r->p, PART);
		if (stored > r->n - PART)
			return false;
		r->p += PART + stored;
		r->n -= PART + stored;
	}
	return true;
}

bool codec_find_chunks(enum codec c, const unsigned char *from, size_t bytes, uint64_t n, size_t *at)
{
	struct codec_rest r = {from, bytes};
	uint64_t chunks = codec_chunks(n);
	bool fine = c == CODEC_PLANES || c == CODEC_STEPS || c == CODEC_KINDS;
	for (uint64_t i = 0; fine && i < chunks; i++) {
		at[i] = (size_t)(r.p - from);
		fine = skip_chunk(&r);
	}
	at[chunks] = bytes;
	return fine && r.n == 0;
}

bool codec_fits(enum codec c, uint64_t bytes, uint64_t n, size_t size)
{
	/* bounds what is unpacked by what is stored, before memory is taken: a chunk may not be smaller than an empty frame */
	const uint64_t least = PART + 9; /* the smallest zstd frame */
	if (c == CODEC_RAW)
		return bytes / size >= n;
	return c == CODEC_ZSTD ? n / (PLAIN_PART / size) <= bytes / least : n / CHUNK <= bytes / (HEAD + least);
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
