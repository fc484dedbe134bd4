/* importers/chrome/scan.h - JSON tokens in place: no copy, no tree, no allocation.
 * Input:   bytes [p, end) with SOURCE_PAD zero bytes behind `end` (a source's window): a zero at `end` stops every loop, so
 *          only what meets it compares pointers.
 * Ends:    a function that returns a pointer returns NULL when it cannot go on; the value's or the caller's `fault` tells
 *          whether more bytes could help (FAULT_MORE) or the text is wrong (FAULT_BAD).
 * Vectors: SSE2 inline for the first bytes, then AVX2, SSE2 or plain C as the processor allows. */
#ifndef STEPSCOPE_CHROME_SCAN_H
#define STEPSCOPE_CHROME_SCAN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum fault { FAULT_NONE, FAULT_MORE, FAULT_BAD };

enum value_type {
	VALUE_NONE,
	VALUE_STR,
	VALUE_NUM,
	VALUE_TRUE,
	VALUE_FALSE,
	VALUE_NULL,
	VALUE_OBJ,
	VALUE_ARR,
	VALUE_WORD
};
/* What a string holds besides plain text, what a number is made of. */
enum value_flags {
	TEXT_ESCAPED = 1,   /* has a backslash */
	TEXT_CONTROL = 2,   /* has a raw control character */
	TEXT_HIGH = 4,      /* has bytes above 0x7f */
	NUMBER_INTEGER = 8, /* an optional minus and digits only */
	NESTED_LINES = 16,  /* an object or array written over several lines */
};
struct value {
	const char *p; /* string: what stands between the quotes, still escaped; else the raw text */
	size_t n;
	uint8_t type, flags;
};

/* Reads one value that starts at p (not a blank). Returns what follows it, or NULL and *why. */
const char *scan_value(const char *p, const char *end, struct value *v, enum fault *why);
/* The same where the first byte is known: p is behind a quote; at a digit or minus. */
const char *scan_string(const char *p, const char *end, struct value *v, enum fault *why);
const char *scan_number(const char *p, const char *end, struct value *v, enum fault *why);

/* First byte in [p, end] that is '"', '\\' or below 0x20 (the zero behind `end` at the latest). Sets *high when a byte above
 * 0x7f was passed. */
extern const char *(*scan_text_rest)(const char *p, bool *high);

/* Skips an object or array piece by piece, for values that need not be held in memory at once. */
struct skipper {
	uint64_t depth;
	bool in_text, escaped, begun;
};
/* Feeds [p, end). Returns what follows the value, or NULL when it goes on. Zero-initialise before a value's first byte. */
const char *scan_skip(struct skipper *k, const char *p, const char *end);

static inline const char *scan_blanks(const char *p)
{
	if ((unsigned char)*p > ' ')
		return p;
#ifdef __SSE2__
	if (p[0] == ' ' && (unsigned char)p[1] > ' ')
		return p + 1;
	for (;;) {
		__m128i b = _mm_loadu_si128((const __m128i *)p);
		__m128i blank = _mm_or_si128(
			_mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(b, _mm_set1_epi8('\n'))),
			_mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('\t')), _mm_cmpeq_epi8(b, _mm_set1_epi8('\r'))));
		unsigned other = (unsigned)_mm_movemask_epi8(blank) ^ 0xffffu;
		if (other)
			return p + __builtin_ctz(other);
		p += 16;
	}
#else
	while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
		p++;
	return p;
#endif
}

/* As scan_text_rest, with the first 32 bytes looked at here: most texts of a trace end in them. */
static inline const char *scan_text(const char *p, bool *high)
{
#ifdef __SSE2__
	for (int i = 0; i < 2; i++, p += 16) {
		__m128i b = _mm_loadu_si128((const __m128i *)p);
		__m128i stop = _mm_or_si128(
			_mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('"')), _mm_cmpeq_epi8(b, _mm_set1_epi8('\\'))),
			_mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8(0x1f)), b));
		unsigned at = (unsigned)_mm_movemask_epi8(stop), top = (unsigned)_mm_movemask_epi8(b);
		if (at) {
			*high |= (top & (at - 1) & ~at) != 0;
			return p + __builtin_ctz(at);
		}
		*high |= top != 0;
	}
#endif
	return scan_text_rest(p, high);
}

/* scan_value for the quote of a key: nearly all keys are short and plain. */
static inline const char *scan_key(const char *p, const char *end, struct value *v, enum fault *why)
{
	bool high = false;
	const char *q = scan_text(p + 1, &high);
	if (*q != '"' || q >= end || high)
		return scan_value(p, end, v, why);
	v->p = p + 1;
	v->n = (size_t)(q - p - 1);
	v->type = VALUE_STR;
	v->flags = 0;
	return q + 1;
}
#endif
