/* importers/chrome/scan.h - JSON tokens in place: no copy, no tree, no allocation.
 * Input:   bytes [p, end) with SOURCE_PAD zero bytes after `end` (a source's window): a zero at `end` stops every loop, so
 *          only what meets it compares pointers.
 * Ends:    a function that returns a pointer returns NULL when it cannot go on; the value's or the caller's `fault` tells
 *          whether more bytes could help (FAULT_MORE) or the text is wrong (FAULT_BAD).
 * Vectors: SSE2 inline for the first bytes, then AVX2, SSE2 or plain C as the processor allows. Plain C everywhere where
 *          there is no SSE2, or with -DSTEPSCOPE_NO_VECTOR.
 * Numbers: eight digits at a time in one 64-bit word; what does not fit that mould is scanned byte by byte. */
#ifndef STEPSCOPE_CHROME_SCAN_H
#define STEPSCOPE_CHROME_SCAN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__) && !defined(STEPSCOPE_NO_VECTOR)
#define SCAN_VECTORS
#include <emmintrin.h>
#endif
#if defined(SCAN_VECTORS) && defined(__GNUC__) && !defined(__clang__)
#define ENTRY_WIDE /* there is an entry_wide.c */
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
	NUMBER_READ = 32,   /* `whole` and `fraction` hold the number: no sign, no exponent, no more digits than fit */
	NUMBER_USUAL = 64,  /* NUMBER_INTEGER and NUMBER_READ, and its text is the usual one: no zeros in front */
};
struct value {
	const char *p; /* string: what stands between the quotes, still escaped; else the raw text */
	size_t n;
	uint64_t whole;    /* NUMBER_READ: up to 16 digits before the point ... */
	uint32_t fraction; /* ... and up to 8 after it */
	uint8_t places;    /* how many these are */
	uint8_t type, flags;
};

/* Reads one value that starts at p (not a blank). Returns what follows it, or NULL and *why. */
const char *scan_value(const char *p, const char *end, struct value *v, enum fault *why);

/* First byte in [p, end] that is '"', '\\' or below 0x20 (the zero after `end` at the latest). Sets *high when a byte above
 * 0x7f was passed. */
extern const char *(*scan_text_rest)(const char *p, bool *high);

#ifdef SCAN_VECTORS
/* May vectors of 32 bytes be used? STEPSCOPE_VECTOR (none, sse2) may ask for less than the processor can do. */
bool scan_wide(void);
#endif

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
#ifdef SCAN_VECTORS
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
#ifdef SCAN_VECTORS
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

/* Up to eight digits at p as one number; returns how many there are. Reads eight bytes in any case. */
static inline unsigned scan_digits(const char *p, uint64_t *number)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x;
	memcpy(&x, p, 8);
	x ^= 0x3030303030303030u;
	/* the lowest byte above 9 is marked for sure; what a carry does after it does not matter */
	uint64_t other = (x | (x + 0x7676767676767676u)) & 0x8080808080808080u;
	unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	x = n ? x << (64 - 8 * n) : 0; /* zeros in front */
	x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ffu;
	x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffffu;
	*number = (uint32_t)(x * 10000 + (x >> 32));
	return n;
#else
	unsigned n = 0;
	for (*number = 0; n < 8 && p[n] >= '0' && p[n] <= '9'; n++)
		*number = *number * 10 + (uint64_t)(p[n] - '0');
	return n;
#endif
}

/* Not the zero after `end`: the number might go on. */
static inline bool scan_ends_number(char c)
{
	return c == ',' || (unsigned char)(c - 1) < ' ' || c == '}' || c == ']';
}

/* A number as most are: 17, 135.952, 1712195495008441.746. NULL: scan_value must look. */
static inline __attribute__((always_inline)) const char *scan_plain_number(const char *p, struct value *v)
{
	static const uint32_t power[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
	uint64_t part = 0;
	unsigned n = scan_digits(p, &v->whole), places = 0, more;
	if (n == 8) {
		more = scan_digits(p + 8, &part);
		v->whole = v->whole * power[more] + part;
		n += more;
	}
	const char *q = p + n;
	v->flags = NUMBER_READ;
	if (*q == '.') {
		places = scan_digits(q + 1, &part);
		v->fraction = (uint32_t)part;
		q += 1 + places;
		n = places ? n : 0;
	} else {
		v->flags = *p != '0' || n == 1 ? NUMBER_READ | NUMBER_INTEGER | NUMBER_USUAL
					       : NUMBER_READ | NUMBER_INTEGER;
	}
	if (n == 0 || !scan_ends_number(*q))
		return NULL;
	v->p = p;
	v->n = (size_t)(q - p);
	v->places = (uint8_t)places;
	v->type = VALUE_NUM;
	return q;
}

/* The quote that ends a plain text of less than 32 ASCII bytes; NULL: scan_value must look. */
static inline const char *scan_plain_text(const char *p)
{
#ifdef SCAN_VECTORS
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(' ');
	for (int i = 0; i < 2; i++, p += 16) {
		__m128i b = _mm_loadu_si128((const __m128i *)p), is_quote = _mm_cmpeq_epi8(b, quote);
		/* below a blank as signed numbers: control characters and what is not ASCII */
		__m128i odd = _mm_or_si128(_mm_cmpeq_epi8(b, slash), _mm_cmplt_epi8(b, space));
		unsigned stop = (unsigned)_mm_movemask_epi8(_mm_or_si128(is_quote, odd));
		if (stop)
			return p[__builtin_ctz(stop)] == '"' ? p + __builtin_ctz(stop) : NULL;
	}
#else
	(void)p;
#endif
	return NULL;
}

/* scan_value with what is usual looked at here: plain texts, plain numbers. */
static inline __attribute__((always_inline)) const char *scan_usual(const char *p, const char *end, struct value *v,
								    enum fault *why)
{
	const char *q;
	if (*p == '"') {
		if ((q = scan_plain_text(p + 1))) {
			v->p = p + 1;
			v->n = (size_t)(q - p - 1);
			v->type = VALUE_STR;
			v->flags = 0;
			return q + 1;
		}
	} else if ((unsigned char)(*p - '0') < 10 && (q = scan_plain_number(p, v))) {
		return q;
	}
	return scan_value(p, end, v, why);
}

/* Three digits at p and a comma after them: the number they make; else 1000 or more. */
static inline uint32_t scan_three_digits(const char *p)
{
	unsigned a = (unsigned char)(p[0] - '0'), b = (unsigned char)(p[1] - '0'), c = (unsigned char)(p[2] - '0');
	return a < 10 && b < 10 && c < 10 && p[3] == ',' ? a * 100 + b * 10 + c : 1000;
}

/* A time stamp as most are: "1712195495008441.746,", microseconds since 1970. NULL: it must be looked at otherwise. */
static inline const char *scan_plain_time(const char *p, struct value *v)
{
#ifdef SCAN_VECTORS
	const __m128i nine = _mm_set1_epi8(9), none = _mm_setzero_si128();
	__m128i x = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8('0'));
	bool digits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(x, nine), x)) == 0xffff;
	if (digits && p[16] == '.' && (v->fraction = scan_three_digits(p + 17)) < 1000) {
		/* pairs of digits, then fours, then eights */
		const __m128i tens = _mm_set1_epi32(1 << 16 | 10), hundreds = _mm_set1_epi32(1 << 16 | 100);
		__m128i low = _mm_madd_epi16(_mm_unpacklo_epi8(x, none), tens);
		__m128i high = _mm_madd_epi16(_mm_unpackhi_epi8(x, none), tens);
		x = _mm_madd_epi16(_mm_packs_epi32(low, high), hundreds);
		x = _mm_madd_epi16(_mm_packs_epi32(x, x), _mm_set1_epi32(1 << 16 | 10000));
		uint64_t both = (uint64_t)_mm_cvtsi128_si64(x);
		v->whole = (both & UINT32_MAX) * 100000000 + (both >> 32);
		v->p = p;
		v->n = 20;
		v->places = 3;
		v->type = VALUE_NUM;
		v->flags = NUMBER_READ;
		return p + 20;
	}
#else
	(void)p, (void)v;
#endif
	return NULL;
}
#endif
