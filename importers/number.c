#include "number.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

int64_t fine_round(struct fine_time t)
{
	return t.ps >= 500 && t.ns < INT64_MAX ? t.ns + 1 : t.ns;
}

bool fine_add(struct fine_time a, struct fine_time b, struct fine_time *t)
{
	t->ps = a.ps + b.ps;
	int64_t carry = t->ps >= 1000;
	t->ps -= carry ? 1000 : 0;
	return !__builtin_add_overflow(a.ns, b.ns, &t->ns) && !__builtin_add_overflow(t->ns, carry, &t->ns);
}

/* A number as its digits and the place of the point: value = 0.d0d1d2... * 10^point. */
enum { DIGITS_KEPT = 40 };
struct decimal {
	char digits[DIGITS_KEPT];
	int n;
	int64_t point;
	bool negative;
};

static bool read_exponent(const char *p, const char *end, int64_t *exponent)
{
	bool negative = p < end && *p == '-';
	int64_t e = 0;
	p += p < end && (*p == '-' || *p == '+');
	if (p == end)
		return false;
	for (; p < end && digit(*p); p++)
		/* larger ones are all the same: infinite or zero */
		e = e < 100000 ? e * 10 + (*p - '0') : e;
	*exponent = negative ? -e : e;
	return p == end;
}

static bool read_decimal(const char *p, size_t n, struct decimal *d)
{
	const char *end = p + n;
	bool any = false, fraction = false;
	int64_t exponent = 0;
	*d = (struct decimal){.negative = n > 0 && *p == '-'};
	p += d->negative;
	for (; p < end && (digit(*p) || (*p == '.' && !fraction)); p++) {
		if (*p == '.') {
			fraction = true;
			continue;
		}
		any = true;
		if (d->n == 0 && *p == '0') {
			/* zeros in front only move the point */
			d->point -= fraction;
			continue;
		}
		if (d->n < DIGITS_KEPT)
			d->digits[d->n++] = (char)(*p - '0');
		d->point += !fraction;
	}
	if (p < end && (*p == 'e' || *p == 'E') && !read_exponent(p + 1, end, &exponent))
		return false;
	if (p < end && *p != 'e' && *p != 'E')
		return false;
	d->point += exponent;
	return any;
}

/* The ps of a decimal number of microseconds, as an integer of up to 38 digits. */
static enum number_fault decimal_ps(const struct decimal *d, __int128 *ps)
{
	int64_t places = d->point + 6; /* us -> ps */
	*ps = 0;
	if (d->n == 0 || places < 0)
		return NUMBER_OK;
	/* 26 digits of ps are 10^14 s, beyond int64 ns */
	if (places > 26)
		return NUMBER_TOO_BIG;
	for (int64_t i = 0; i < places; i++)
		*ps = *ps * 10 + (i < d->n ? d->digits[i] : 0);
	if (places < d->n && d->digits[places] >= 5)
		(*ps)++;
	if (d->negative)
		*ps = -*ps;
	return NUMBER_OK;
}

static enum number_fault slow_us(const char *p, size_t n, struct fine_time *t)
{
	struct decimal d;
	__int128 ps;
	if (!read_decimal(p, n, &d))
		return NUMBER_NONE;
	enum number_fault f = decimal_ps(&d, &ps);
	if (f != NUMBER_OK)
		return f;
	__int128 ns = ps / 1000;
	int64_t rest = (int64_t)(ps % 1000);
	/* division rounds towards zero, a time in two parts towards minus infinity */
	if (rest < 0) {
		rest += 1000;
		ns--;
	}
	if (ns > INT64_MAX / 2 || ns < INT64_MIN / 2)
		return NUMBER_TOO_BIG;
	*t = (struct fine_time){(int64_t)ns, (int32_t)rest};
	return NUMBER_OK;
}

/* Eight digits at once: pairs, then fours, then all of them. False when one is no digit. */
static inline bool word_digits(uint64_t x, uint64_t *v)
{
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	/* each byte is 0x30 .. 0x39: its upper half is 3, and still is after adding 6 */
	if (((x & 0xf0f0f0f0f0f0f0f0u) | ((x + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4) != 0x3333333333333333u)
		return false;
	/* 2561 = 10 * 256 + 1: each byte pair becomes ten times the first digit plus the second; so on with 100 and 10000 */
	x = (x & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8;
	x = (x & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
	*v = (x & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
	return true;
}

static inline bool eight_digits(const char *p, uint64_t *v)
{
	uint64_t x;
	memcpy(&x, p, 8);
	return word_digits(x, v);
}

/* Four to eight digits: both halves of the word, which may share bytes, moved after leading zeros. */
static inline bool some_digits(const char *p, size_t n, uint64_t *v)
{
	uint32_t first, last;
	memcpy(&first, p, 4);
	memcpy(&last, p + n - 4, 4);
	uint64_t zeros = n < 8 ? UINT64_C(0x3030303030303030) >> 8 * n : 0;
	return word_digits((uint64_t)last << 32 | (uint64_t)first << (64 - 8 * n) | zeros, v);
}

/* What exporters write: up to 16 digits, then up to 6 more. Everything else takes the long way. */
enum number_fault number_us(const char *p, size_t n, struct fine_time *t)
{
	static const int32_t scale[7] = {1000000, 100000, 10000, 1000, 100, 10, 1};
	const char *end = p + n, *q = p, *limit = n > 17 ? p + 17 : end;
	int64_t us = 0;
	int32_t fraction = 0;
	uint64_t part;
	for (; limit - q >= 8 && eight_digits(q, &part); q += 8)
		us = us * 100000000 + (int64_t)part;
	for (; q < limit && digit(*q); q++)
		us = us * 10 + (*q - '0');
	if (q == p || q - p > 16)
		return slow_us(p, n, t);
	int places = 0;
	if (q < end && *q == '.')
		for (q++; q < end && digit(*q) && places < 6; q++, places++)
			fraction = fraction * 10 + (*q - '0');
	if (q != end || us > INT64_MAX / 2000)
		return slow_us(p, n, t);
	fraction *= scale[places];
	*t = (struct fine_time){us * 1000 + fraction / 1000, fraction % 1000};
	return NUMBER_OK;
}

static bool long_uint(const char *p, size_t n, uint64_t *u)
{
	uint64_t v = 0;
	if (n > 20)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!digit(p[i]) || __builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(p[i] - '0'), &v))
			return false;
	}
	*u = v;
	return true;
}

bool number_uint(const char *p, size_t n, uint64_t *u)
{
	uint64_t v = 0;
	if (n >= 4 && n <= 8 && some_digits(p, n, u))
		return true;
	if (n == 0 || n > 18)
		return n && long_uint(p, n, u);
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned char)p[i] - '0';
		if (d > 9)
			return false;
		v = v * 10 + d;
	}
	*u = v;
	return true;
}

bool number_int(const char *p, size_t n, int64_t *i)
{
	bool negative = n > 0 && *p == '-';
	uint64_t u;
	if (!number_uint(p + negative, n - negative, &u) || u > (uint64_t)INT64_MAX + negative)
		return false;
	*i = negative ? (int64_t)(0 - u) : (int64_t)u;
	return true;
}

bool number_canonical(const char *p, size_t n)
{
	if (n > 0 && *p == '-')
		return n > 1 && p[1] >= '1' && p[1] <= '9';
	return n == 1 || (n > 1 && *p != '0');
}

/* Up to 15 digits and a short fraction: mantissa and power of ten are exact, so one division rounds correctly. */
static bool short_real(const char *p, size_t n, double *d)
{
	static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
				       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	bool negative = n > 0 && *p == '-';
	int64_t mantissa = 0;
	size_t places = 0, digits = 0;
	bool fraction = false;
	for (size_t i = negative; i < n; i++) {
		if (p[i] == '.' && !fraction && digits) {
			fraction = true;
			continue;
		}
		if (!digit(p[i]) || ++digits > 15)
			return false;
		mantissa = mantissa * 10 + (p[i] - '0');
		places += fraction;
	}
	*d = (double)mantissa / power[places];
	*d = negative ? -*d : *d;
	return digits > 0;
}

bool number_real(const char *p, size_t n, double *d)
{
	static locale_t c_locale;
	char text[320], *end;
	struct decimal parts;
	if (short_real(p, n, d))
		return true;
	if (n == 0 || n >= sizeof text || !read_decimal(p, n, &parts))
		return false;
	memcpy(text, p, n);
	text[n] = 0;
	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	*d = c_locale ? strtod_l(text, &end, c_locale) : strtod(text, &end);
	return end == text + n && isfinite(*d);
}
