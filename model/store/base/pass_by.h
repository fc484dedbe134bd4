/* model/store/base/pass_by.h - copies what another thread will read, past the caches of this processor.
 * Why:    lines that one processor wrote last and another one reads come slowly: where the two share no cache 27 ns each, and again as
 *         much when the first one writes there once more. From memory they come at 3 ns, for they are fetched ahead.
 * Use:    what was made in memory of one's own goes with pass_by to where the other one reads; then pass_by_end, then the lock or
 *         atomic that hands it over. Worth it from a kilobyte or so on. */
#ifndef STEPSCOPE_PASS_BY_H
#define STEPSCOPE_PASS_BY_H
#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { PASS_BY_ALIGN = 64, PASS_BY_SLACK = 16 };

/* to: aligned to 16 bytes, better PASS_BY_ALIGN. Both sides may touch PASS_BY_SLACK bytes after. */
static inline void pass_by(void *to, const void *from, size_t n)
{
#ifdef __SSE2__
	__m128i *t = to;
	const __m128i *f = from;
	for (size_t i = 0; i < (n + 15) / 16; i++)
		_mm_stream_si128(t + i, _mm_loadu_si128(f + i));
#else
	if (n)
		memcpy(to, from, n);
#endif
}

static inline void pass_by_end(void)
{
#ifdef __SSE2__
	_mm_sfence();
#endif
}
#endif
