/* importers/chrome/entry_wide.c - the scanner's inner loop for processors with AVX2: texts are compared 32 bytes at a time.
 * (What it includes is compiled for them alone: nothing that learned_layout.h needs may be included before the pragma.) */
#include "scan.h"
#ifdef ENTRY_WIDE
#pragma GCC target("avx2,bmi,bmi2")
#include <immintrin.h>
#define STEP_WIDE
#include "entry_loop.h"

const char *entry_scan_wide(struct scanner *s, struct batch *b, const char *p, const char *end, int64_t at,
			    enum fault *why)
{
	return scan_items(s, b, p, end, at, why);
}
#endif
