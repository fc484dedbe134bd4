#include "scan.h"
#include <stdlib.h>
#include <string.h>
#ifdef SCAN_VECTORS
#include <immintrin.h>
#endif

/* Deeper values are refused: it keeps the search for the next sound entry linear. */
enum { MAX_DEPTH = 256 };

static bool stops(unsigned char c)
{
	return c == '"' || c == '\\' || c < 0x20;
}

/* None of these knows where the window ends: a source puts zero bytes after it, and a zero byte stops them. */
static const char *text_plain(const char *p, bool *high)
{
	unsigned char all = 0;
	for (; !stops((unsigned char)*p); p++)
		all |= (unsigned char)*p;
	*high |= all >= 0x80;
	return p;
}

#ifdef SCAN_VECTORS
__attribute__((target("avx2"))) static const char *text_avx2(const char *p, bool *high)
{
	const __m256i quote = _mm256_set1_epi8('"'), slash = _mm256_set1_epi8('\\'), low = _mm256_set1_epi8(0x1f);
	for (;; p += 32) {
		__m256i b = _mm256_loadu_si256((const __m256i *)p);
		__m256i stop =
			_mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(b, quote), _mm256_cmpeq_epi8(b, slash)),
					_mm256_cmpeq_epi8(_mm256_min_epu8(b, low), b));
		uint32_t at = (uint32_t)_mm256_movemask_epi8(stop), top = (uint32_t)_mm256_movemask_epi8(b);
		if (at) {
			*high |= (top & (at - 1) & ~at) != 0;
			return p + __builtin_ctz(at);
		}
		*high |= top != 0;
	}
}

static const char *text_sse2(const char *p, bool *high)
{
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), low = _mm_set1_epi8(0x1f);
	for (;; p += 16) {
		__m128i b = _mm_loadu_si128((const __m128i *)p);
		__m128i stop = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(b, quote), _mm_cmpeq_epi8(b, slash)),
					    _mm_cmpeq_epi8(_mm_min_epu8(b, low), b));
		unsigned at = (unsigned)_mm_movemask_epi8(stop), top = (unsigned)_mm_movemask_epi8(b);
		if (at) {
			*high |= (top & (at - 1) & ~at) != 0;
			return p + __builtin_ctz(at);
		}
		*high |= top != 0;
	}
}
#endif

const char *(*scan_text_rest)(const char *p, bool *high) = text_plain;

#ifdef SCAN_VECTORS
bool scan_wide(void)
{
	const char *asked = getenv("STEPSCOPE_VECTOR");
	__builtin_cpu_init();
	return (!asked || strcmp(asked, "avx2") == 0) && __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

/* Before main, so that no thread sees the choice change. */
__attribute__((constructor)) static void choose_scanner(void)
{
	const char *asked = getenv("STEPSCOPE_VECTOR");
	if (!asked || strcmp(asked, "none") != 0)
		scan_text_rest = scan_wide() ? text_avx2 : text_sse2;
}
#endif

static const char *fail(enum fault *why, enum fault f)
{
	*why = f;
	return NULL;
}

/* p: after the opening quote. */
static const char *scan_string(const char *p, const char *end, struct value *v, enum fault *why)
{
	bool high = false;
	const char *from = p;
	v->type = VALUE_STR;
	v->flags = 0;
	for (;;) {
		p = scan_text(p, &high);
		if (p >= end)
			return fail(why, FAULT_MORE);
		if (*p == '"')
			break;
		/* the character after a backslash is passed unseen, unless it is a control character, which has to be reported */
		if (*p == '\\') {
			v->flags |= TEXT_ESCAPED;
			p++;
			if (p >= end)
				return fail(why, FAULT_MORE);
			if ((unsigned char)*p < 0x20)
				continue;
		} else {
			v->flags |= TEXT_CONTROL;
		}
		p++;
	}
	v->flags |= high ? TEXT_HIGH : 0;
	v->p = from;
	v->n = (size_t)(p - from);
	return p + 1;
}

#ifndef SCAN_VECTORS
static bool number_char(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}
#endif

/* What follows the characters of a number from p on, and whether they are all digits. */
static inline const char *number_end(const char *p, bool *digits)
{
#ifdef SCAN_VECTORS
	/* bytes that are a digit, and bytes that may stand in a number, as two masks; `point` collects what is no digit */
	const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
	unsigned point = 0;
	for (;; p += 16) {
		__m128i b = _mm_loadu_si128((const __m128i *)p), from_zero = _mm_sub_epi8(b, zero);
		__m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(from_zero, nine), from_zero);
		__m128i sign =
			_mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('-')), _mm_cmpeq_epi8(b, _mm_set1_epi8('+')));
		__m128i other = _mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('.')),
					     _mm_cmpeq_epi8(_mm_or_si128(b, _mm_set1_epi8(0x20)), _mm_set1_epi8('e')));
		unsigned is_digit = (unsigned)_mm_movemask_epi8(digit);
		unsigned is_number = is_digit | (unsigned)_mm_movemask_epi8(_mm_or_si128(sign, other));
		unsigned stop = ~is_number & 0xffffu;
		point |= stop ? ~is_digit & (stop - 1) & ~stop : ~is_digit & 0xffffu;
		if (stop) {
			*digits = point == 0;
			return p + __builtin_ctz(stop);
		}
	}
#else
	const char *q = p;
	while (*q >= '0' && *q <= '9')
		q++;
	*digits = !number_char(*q);
	while (number_char(*q))
		q++;
	return q;
#endif
}

/* Of values that C's printf wrote without quotes: 0x7f01, (nil), ncclFloat32, CUDA_R_16F. */
static bool word_char(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '(' || c == ')';
}

static const char *scan_word(const char *p, const char *end, struct value *v, enum fault *why)
{
	const char *from = p;
	while (word_char(*p))
		p++;
	if (p >= end)
		return fail(why, FAULT_MORE);
	if (p == from)
		return fail(why, FAULT_BAD);
	v->p = from;
	v->n = (size_t)(p - from);
	v->flags = 0;
	v->type = VALUE_WORD;
	if (v->n == 4 && memcmp(from, "true", 4) == 0)
		v->type = VALUE_TRUE;
	else if (v->n == 5 && memcmp(from, "false", 5) == 0)
		v->type = VALUE_FALSE;
	else if (v->n == 4 && memcmp(from, "null", 4) == 0)
		v->type = VALUE_NULL;
	return p;
}

static const char *scan_number(const char *p, const char *end, struct value *v, enum fault *why)
{
	const char *from = p;
	bool integer;
	p += *p == '-';
	const char *digits = p;
	p = number_end(p, &integer);
	if (p >= end)
		return fail(why, FAULT_MORE);
	if ((*p | 0x20) == 'x' && p == from + 1 && *from == '0')
		return scan_word(from, end, v, why);
	v->type = VALUE_NUM;
	v->flags = integer && p != digits ? NUMBER_INTEGER : 0;
	v->p = from;
	v->n = (size_t)(p - from);
	if (p != digits)
		return p;
	/* -Infinity, as some printers of numbers write it */
	if ((*p | 0x20) < 'a' || (*p | 0x20) > 'z')
		return fail(why, FAULT_BAD);
	while ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z')
		p++;
	v->type = VALUE_WORD;
	v->n = (size_t)(p - from);
	return p < end ? p : fail(why, FAULT_MORE);
}

#ifdef SCAN_VECTORS
/* The end of a short array of scalars, "[64, 7, 1]"; NULL when it is anything else. */
static const char *flat_array_end(const char *p)
{
	const __m128i bit = _mm_set1_epi8(0x20);
	for (const char *from = ++p; p < from + 48; p += 16) {
		__m128i b = _mm_loadu_si128((const __m128i *)p), lower = _mm_or_si128(b, bit);
		__m128i bracket = _mm_or_si128(_mm_cmpeq_epi8(lower, _mm_set1_epi8('{')),
					       _mm_cmpeq_epi8(lower, _mm_set1_epi8('}')));
		__m128i mark =
			_mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('"')), _mm_cmpeq_epi8(b, _mm_set1_epi8(':')));
		__m128i low = _mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8(0x1f)), b);
		unsigned stop = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(bracket, mark), low));
		if (stop)
			return p[__builtin_ctz(stop)] == ']' ? p + __builtin_ctz(stop) + 1 : NULL;
	}
	return NULL;
}
#endif

/* An object or array as raw text. Brackets are counted, not matched by kind: the text is kept, not interpreted. A record
 * never ends inside a text, so a missing bracket makes the enclosing record bad or too long, not wrong. */
static const char *scan_nested(const char *p, const char *end, struct value *v, enum fault *why)
{
	const char *from = p;
	struct value text;
	unsigned depth = 0;
	v->type = *p == '{' ? VALUE_OBJ : VALUE_ARR;
	v->flags = 0;
#ifdef SCAN_VECTORS
	/* shapes and strides are most arrays of a trace */
	const char *behind = *p == '[' ? flat_array_end(p) : NULL;
	if (behind && behind <= end) {
		v->p = from;
		v->n = (size_t)(behind - from);
		return behind;
	}
#endif
	for (;; p++) {
		char c = *p;
		if (c == '"') {
			p = scan_string(p + 1, end, &text, why);
			if (!p)
				return NULL;
			v->flags |= text.flags & (TEXT_CONTROL | TEXT_HIGH);
			/* the loop steps over the quote */
			p--;
		} else if (c == '[' || c == '{') {
			if (++depth > MAX_DEPTH)
				return fail(why, FAULT_BAD);
		} else if (c == ']' || c == '}') {
			if (--depth == 0)
				break;
		} else if (c == '\n') {
			v->flags |= NESTED_LINES;
		} else if (c == 0) {
			return fail(why, p >= end ? FAULT_MORE : FAULT_BAD);
		} else if (c == ':' && v->type == VALUE_ARR && depth == 1) {
			return fail(why, FAULT_BAD); /* the bracket that should end this array is missing */
		}
	}
	v->p = from;
	v->n = (size_t)(p + 1 - from);
	return p + 1;
}

const char *scan_value(const char *p, const char *end, struct value *v, enum fault *why)
{
	switch (*p) {
	case '"':
		return scan_string(p + 1, end, v, why);
	case '{':
	case '[':
		return scan_nested(p, end, v, why);
	case '-':
	case '0' ... '9':
		return scan_number(p, end, v, why);
	default:
		return p >= end ? fail(why, FAULT_MORE) : scan_word(p, end, v, why);
	}
}

/* Inside a text: returns what follows its end, or NULL when it goes on. */
static const char *skip_text(struct skipper *k, const char *p, const char *end)
{
	bool high = false;
	while (p < end) {
		if (k->escaped) {
			k->escaped = false;
			p++;
			continue;
		}
		p = scan_text(p, &high);
		if (p >= end)
			return NULL;
		if (*p == '"') {
			k->in_text = false;
			return p + 1;
		}
		k->escaped = *p == '\\';
		p++;
	}
	return NULL;
}

const char *scan_skip(struct skipper *k, const char *p, const char *end)
{
	while (p < end) {
		if (k->in_text) {
			p = skip_text(k, p, end);
			if (!p || k->depth == 0)
				return p;
			continue;
		}
		char c = *p;
		/* a value without brackets ends before what follows it */
		if (k->depth == 0 && k->begun && (c == ',' || c == '}' || c == ']'))
			return p;
		p++;
		k->begun = true;
		if (c == '"') {
			k->in_text = true;
		} else if (c == '[' || c == '{') {
			k->depth++;
		} else if (c == ']' || c == '}') {
			if (k->depth <= 1)
				return p;
			k->depth--;
		}
	}
	return NULL;
}
