#include "attrs_packed.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* zstd -4 packs texts a quarter smaller than -1 in nearly the same time; what was coded it does not. */
enum { TEXT_LEVEL = 4, CODED_LEVEL = 1, WORTH_CODING = 3 };

struct packing {
	ZSTD_CCtx *z;
	struct attrs_coder *coder;
	bool no_memory; /* zstd had none: what it did not do is not what it would not do */
	unsigned char coded[PACKED_MAX + CODED_SLACK];
};

void packing_free(struct packing *k)
{
	if (!k)
		return;
	ZSTD_freeCCtx(k->z);
	attrs_coder_free(k->coder);
	free(k);
}

struct packing *packing_new(void)
{
	struct packing *k = calloc(1, sizeof *k);
	if (!k)
		return NULL;
	k->z = ZSTD_createCCtx();
	k->coder = attrs_coder_new();
	if (k->z && k->coder)
		return k;
	packing_free(k);
	return NULL;
}

static size_t frame(struct packing *k, unsigned char *to, size_t room, const unsigned char *from, size_t n, int level)
{
	size_t packed = ZSTD_compressCCtx(k->z, to, room, from, n, level);
	k->no_memory |= ZSTD_getErrorCode(packed) == ZSTD_error_memory_allocation;
	return ZSTD_isError(packed) ? 0 : packed;
}

/* Of what attrs_code made; 0 when the frame does not become smaller than that. */
static size_t squeeze(struct packing *k, unsigned char *to, const unsigned char *coded, size_t n, int level)
{
	size_t packed = n < PACKED_MAX ? frame(k, to + 1, n, coded, n, level) : 0;
	to[0] = PACKED_SQUEEZED;
	return packed ? packed + 1 : 0;
}

size_t attrs_pack(struct packing *k, unsigned char *to, const unsigned char *from, size_t n, size_t first)
{
	size_t coded = attrs_code(k->coder, from, n, first, k->coded, n);
	if (coded && coded <= n / WORTH_CODING) {
		to[0] = PACKED_CODED;
		memcpy(to + 1, k->coded, coded);
		return coded + 1;
	}
	k->no_memory = false;
	size_t packed = coded ? squeeze(k, to, k->coded, coded, TEXT_LEVEL) : 0;
	packed = packed ? packed : frame(k, to, PACKED_MAX, from, n, TEXT_LEVEL);
	return k->no_memory ? 0 : packed;
}

size_t attrs_pack_saved(struct packing *k, unsigned char *to, const unsigned char *packed, size_t n)
{
	k->no_memory = false;
	size_t squeezed = packed[0] == PACKED_CODED ? squeeze(k, to, packed + 1, n - 1, CODED_LEVEL) : 0;
	if (k->no_memory)
		return 0;
	if (!squeezed)
		memcpy(to, packed, n);
	return squeezed ? squeezed : n;
}

struct unpacking {
	ZSTD_DCtx *z;
	struct attrs_coder *coder;
	unsigned char coded[PACKED_MAX + CODED_SLACK];
};

void unpacking_free(struct unpacking *k)
{
	if (!k)
		return;
	ZSTD_freeDCtx(k->z);
	attrs_coder_free(k->coder);
	free(k);
}

struct unpacking *unpacking_new(void)
{
	struct unpacking *k = calloc(1, sizeof *k);
	if (!k)
		return NULL;
	k->z = ZSTD_createDCtx();
	k->coder = attrs_coder_new();
	if (k->z && k->coder)
		return k;
	unpacking_free(k);
	return NULL;
}

bool attrs_unpack(struct unpacking *k, const unsigned char *from, size_t bytes, unsigned char *to, size_t n)
{
	unsigned form = bytes ? from[0] : 0;
	if (form == PACKED_CODED)
		return attrs_decode(k->coder, from + 1, bytes - 1, to, n);
	if (form != PACKED_SQUEEZED)
		return ZSTD_decompressDCtx(k->z, to, n, from, bytes) == n;
	size_t coded = ZSTD_decompressDCtx(k->z, k->coded, PACKED_MAX, from + 1, bytes - 1);
	return !ZSTD_isError(coded) && attrs_decode(k->coder, k->coded, coded, to, n);
}
