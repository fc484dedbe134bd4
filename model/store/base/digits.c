#include "digits.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
	"49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
	"9899";

/* ---- whole numbers ---------------------------------------------------------------------------------------------- */

static unsigned digits_of(uint64_t v)
{
	static const uint64_t tens[] = {0,
					10,
					100,
					1000,
					10000,
					100000,
					1000000,
					10000000,
					100000000,
					1000000000,
					UINT64_C(10000000000),
					UINT64_C(100000000000),
					UINT64_C(1000000000000),
					UINT64_C(10000000000000),
					UINT64_C(100000000000000),
					UINT64_C(1000000000000000),
					UINT64_C(10000000000000000),
					UINT64_C(100000000000000000),
					UINT64_C(1000000000000000000),
					UINT64_C(10000000000000000000)};
	unsigned least = (64 - (unsigned)__builtin_clzll(v | 1)) * 1233 >> 12; /* bits times log10(2) */
	return least + (v >= tens[least]);
}

/* From the last one to the first, where they belong at once. */
char *digits_u64(char *to, uint64_t v)
{
	char *end = to + digits_of(v), *at = end;
	for (; v >= 100; v /= 100)
		at = memcpy(at - 2, pairs + v % 100 * 2, 2);
	if (v >= 10)
		memcpy(at - 2, pairs + v * 2, 2);
	else
		at[-1] = (char)('0' + v);
	return end;
}

char *digits_i64(char *to, int64_t v)
{
	if (v < 0)
		*to++ = '-';
	return digits_u64(to, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* ---- reals ------------------------------------------------------------------------------------------------------ */

typedef unsigned __int128 wide;
enum { LEAST_DIGITS = 15, MOST_DIGITS = 17, LEAST_EXP = -4, MOST_EXP = 13, MANTISSA = 53 };

/* By the C library: numbers too large, too small or too odd for what follows. */
static char *real_of_library(char *to, double v)
{
	int n = 0;
	for (int digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++) {
		n = snprintf(to, DIGITS_BUF, "%.*g", digits, v);
		if (strtod(to, NULL) == v)
			break;
	}
	return to + n;
}

/* A number m x 2^exp2 that is at least 10^exp10 and below the next power. */
struct parts {
	uint64_t m;
	int exp2, exp10;
};

/* v x 10^k, rounded half to even, k so that it has `digits` of them. *same: it reads back as v. All in integers:
 * v x 10^k = m x 5^k / 2^s, and doubles next to v differ from it by 5^k / 2^s, the one below a power of two by half of that. */
static uint64_t scaled(const struct parts *p, int digits, bool *same)
{
	int k = digits - 1 - p->exp10, s = -(p->exp2 + k);
	wide step = 1;
	for (int i = 0; i < k; i++)
		step *= 5;
	wide n = p->m * step, q = n >> s, rest = n - (q << s), half = (wide)1 << (s - 1);
	q += rest > half || (rest == half && (q & 1));
	bool power = p->m == UINT64_C(1) << (MANTISSA - 1);
	wide back = q << s, off = 2 * (back > n ? back - n : (n - back) << power);
	*same = off < step || (off == step && !(p->m & 1));
	return (uint64_t)q;
}

static char *put_fixed(char *to, uint64_t q, int exp10)
{
	char digits[24];
	while (q % 10 == 0)
		q /= 10;
	int n = (int)(digits_u64(digits, q) - digits), whole = exp10 + 1;
	if (whole <= 0) {
		memcpy(to, "0.0000", 6);
		to += 2 - whole;
	}
	for (int i = 0; i < n || i < whole; i++) {
		if (i && i == whole)
			*to++ = '.';
		*to++ = i < n ? digits[i] : '0';
	}
	return to;
}

/* False: not a number that is written without an exponent. */
static bool parts_of(double v, struct parts *p)
{
	static const double tens[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,  1e3,  1e4, 1e5,
				      1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14};
	if (!(v >= tens[0] && v < tens[MOST_EXP - LEAST_EXP + 1]))
		return false;
	p->m = (uint64_t)ldexp(frexp(v, &p->exp2), MANTISSA);
	p->exp2 -= MANTISSA;
	for (p->exp10 = MOST_EXP; v < tens[p->exp10 - LEAST_EXP];)
		p->exp10--;
	return true;
}

char *digits_real(char *to, double v)
{
	static const uint64_t tens[] = {UINT64_C(1000000000000000), UINT64_C(10000000000000000),
					UINT64_C(100000000000000000)};
	struct parts p;
	if (fabs(v) < 1e14 && v == trunc(v) && (v != 0 || !signbit(v)))
		return digits_i64(to, (int64_t)v);
	if (!parts_of(fabs(v), &p))
		return real_of_library(to, v);
	uint64_t q = 0;
	bool same = false;
	int digits = LEAST_DIGITS;
	for (; !same && digits <= MOST_DIGITS; digits++)
		q = scaled(&p, digits, &same);
	if (v < 0)
		*to++ = '-';
	return put_fixed(to, q, p.exp10 + (q == tens[digits - 1 - LEAST_DIGITS]));
}
