/* tests/fuzz/fuzz_attrs.c - any bytes as a block of the attribute log, whose first record begins where the first byte says: coded, they
 * come back. Any bytes as a coded or packed block: refused, or as many bytes as were asked for; how many the first two say. */
#include "model/store/facts/attrs_packed.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy with the bytes after it that may be touched. */
static unsigned char *slack_behind(const void *bytes, size_t n)
{
	unsigned char *copy = malloc(n + CODED_SLACK);
	if (!copy)
		abort();
	memset(copy + n, 0xaa, CODED_SLACK);
	if (n)
		memcpy(copy, bytes, n);
	return copy;
}

static void code_and_decode(const uint8_t *data, size_t n, size_t first)
{
	struct attrs_coder *k = attrs_coder_new();
	unsigned char *plain = slack_behind(data, n), *coded = slack_behind(data, n), *again = malloc(n);
	size_t bytes = attrs_code(k, plain, n, first, coded, n);
	if (!k || !again || bytes > n ||
	    (bytes && (!attrs_decode(k, coded, bytes, again, n) || memcmp(plain, again, n))))
		abort();
	free(plain);
	free(coded);
	free(again);
	attrs_coder_free(k);
}

static void unpack(const uint8_t *data, size_t size, size_t n)
{
	struct unpacking *k = unpacking_new();
	unsigned char *from = slack_behind(data, size), *to = malloc(n + 1);
	if (!k || !to)
		abort();
	attrs_unpack(k, from, size, to, n);
	free(from);
	free(to);
	unpacking_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3 || size > BLOCK)
		return 0;
	code_and_decode(data + 1, size - 1, data[0]);
	unpack(data + 2, size - 2, (size_t)data[0] << 8 | data[1]);
	return 0;
}
