/* model/store/base/word.h - eight bytes at once, from wherever they lie. */
#ifndef STEPSCOPE_WORD_H
#define STEPSCOPE_WORD_H
#include <stdint.h>
#include <string.h>

/* The eight bytes at `from` as a number, the first one lowest. */
static inline uint64_t load_word(const unsigned char *from)
{
	uint64_t v;
	memcpy(&v, from, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}
#endif
