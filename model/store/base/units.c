#include "units.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct time_unit {
	const char *word;
	int64_t ns;
};
static const struct time_unit time_units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
enum { N_TIME_UNITS = sizeof time_units / sizeof time_units[0] };

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static uint64_t pow10u(int n)
{
	uint64_t p = 1;
	while (n-- > 0)
		p *= 10;
	return p;
}

/* v / unit with `decimals`, rounded half up, in integers. */
static void put_decimal(char *buf, bool negative, uint64_t v, uint64_t unit, int decimals, const char *word)
{
	uint64_t scale = pow10u(decimals);
	unsigned __int128 scaled = ((unsigned __int128)v * scale * 2 + unit) / ((unsigned __int128)unit * 2);
	uint64_t whole = (uint64_t)(scaled / scale), part = (uint64_t)(scaled % scale);
	const char *sign = negative && (whole || part) ? "-" : "";
	char digits[16] = "";
	for (int d = decimals; d > 0; d--, part /= 10)
		digits[d] = (char)('0' + part % 10);
	digits[0] = decimals > 0 ? '.' : 0;
	snprintf(buf, UNITS_BUF, "%s%" PRIu64 "%.10s %.4s", sign, whole, digits, word);
}

const char *fmt_ns(char *buf, int64_t ns)
{
	uint64_t v = magnitude(ns);
	int u = 0;
	/* the largest unit that is reached, also by rounding in the next smaller one: never "1000.000 ms" */
	while (u < N_TIME_UNITS - 1 && v + (uint64_t)time_units[u].ns / 2000000 < (uint64_t)time_units[u].ns)
		u++;
	uint64_t unit = (uint64_t)time_units[u].ns;
	put_decimal(buf, ns < 0, v, unit, unit == 1 ? 0 : 3, time_units[u].word);
	return buf;
}

const char *fmt_ns_fixed(char *buf, int64_t ns, int64_t step_ns)
{
	int u = 0, decimals = 0;
	while (u < N_TIME_UNITS - 1 && (uint64_t)time_units[u].ns > magnitude(ns) && time_units[u].ns > step_ns)
		u++;
	for (int64_t part = time_units[u].ns; part > 1 && decimals < 9 && step_ns < part; part /= 10)
		decimals++;
	put_decimal(buf, ns < 0, magnitude(ns), (uint64_t)time_units[u].ns, decimals, time_units[u].word);
	return buf;
}

const char *fmt_bytes(char *buf, int64_t n)
{
	static const char *const words[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
	uint64_t v = magnitude(n);
	if (v < 1024) {
		snprintf(buf, UNITS_BUF, "%" PRId64 " B", n);
		return buf;
	}
	int u = 0;
	uint64_t unit = 1024;
	while (u < 4 && v / unit >= 1024) {
		unit *= 1024;
		u++;
	}
	put_decimal(buf, n < 0, v, unit, 1, words[u]);
	return buf;
}

/* Divides by a thousand until less than `most` is left; the prefix of the unit, of the first n of them. */
static const char *decimal_prefix(double *v, double most, int n)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E"};
	int p = 0;
	for (; fabs(*v) >= most && p + 1 < n; p++)
		*v /= 1000;
	return prefix[p];
}

const char *fmt_rate(char *buf, double bytes_per_s)
{
	enum { UP_TO_TERA = 5 };
	if (!(bytes_per_s >= 0) || isinf(bytes_per_s)) {
		snprintf(buf, UNITS_BUF, "-");
		return buf;
	}
	const char *prefix = decimal_prefix(&bytes_per_s, 999.995, UP_TO_TERA);
	snprintf(buf, UNITS_BUF, "%.2f %sB/s", bytes_per_s, prefix);
	return buf;
}

const char *fmt_flops(char *buf, double flop_per_s)
{
	enum { UP_TO_EXA = 7 };
	const char *prefix = decimal_prefix(&flop_per_s, 1000, UP_TO_EXA);
	snprintf(buf, UNITS_BUF, "%.4g %sFLOP/s", flop_per_s, prefix);
	return buf;
}

const char *fmt_count(char *buf, int64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof digits, "%" PRIu64, magnitude(n));
	char *to = buf;
	if (n < 0)
		*to++ = '-';
	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = 0;
	return buf;
}

const char *fmt_pct(char *buf, double pct)
{
	if (isnan(pct))
		snprintf(buf, UNITS_BUF, "-");
	else
		snprintf(buf, UNITS_BUF, "%.1f %%", fabs(pct) < 0.05 ? 0 : pct); /* never "-0.0 %" */
	return buf;
}

int64_t pct_tenths(int64_t part, int64_t whole)
{
	if (whole <= 0)
		return -1;
	__int128 twice = (__int128)part * 2000 + whole;
	return (int64_t)(twice / ((__int128)whole * 2));
}

double pct_of(int64_t part, int64_t whole)
{
	int64_t tenths = pct_tenths(part, whole);
	return tenths < 0 ? NAN : (double)tenths / 10;
}

/* Digits and fraction as an integer count of 1e-9; false on overflow or when no digit stands there. */
static bool read_decimal(const char **s, unsigned __int128 *nano)
{
	const char *p = *s;
	unsigned __int128 v = 0;
	int digits = 0, places = 9;
	for (; *p >= '0' && *p <= '9'; p++, digits++)
		if ((v = v * 10 + (unsigned)(*p - '0')) > (unsigned __int128)1 << 90)
			return false;
	if (*p == '.' && p[1] != '.') /* "0..5" is a range */
		for (p++; *p >= '0' && *p <= '9'; p++, digits++)
			if (places > 0) {
				v = v * 10 + (unsigned)(*p - '0');
				places--;
			}
	*nano = v * pow10u(places);
	*s = p;
	return digits > 0;
}

bool parse_ns(const char *s, const char **end, int64_t *ns)
{
	const char *p = s;
	bool negative = *p == '-';
	unsigned __int128 nano;
	if (negative)
		p++;
	if (!read_decimal(&p, &nano))
		return false;
	const char *unit = p;
	while (*unit == ' ')
		unit++;
	uint64_t scale = 1;
	for (int i = 0; i < N_TIME_UNITS; i++) {
		size_t n = strlen(time_units[i].word);
		if (strncmp(unit, time_units[i].word, n) == 0) {
			scale = (uint64_t)time_units[i].ns;
			p = unit + n;
			break;
		}
	}
	unsigned __int128 v = nano > ((unsigned __int128)1 << 96) / scale ? (unsigned __int128)1 << 96 : nano * scale;
	v = (v + 500000000) / 1000000000;
	if (v > INT64_MAX / 2)
		return false;
	*ns = negative ? -(int64_t)v : (int64_t)v;
	*end = p;
	return true;
}

/* Every unit of time ends in s. */
bool parse_ns_with_unit(const char *s, const char **end, int64_t *ns)
{
	return parse_ns(s, end, ns) && (*ns == 0 || (*end)[-1] == 's');
}

/* ---- amounts ----------------------------------------------------------------------------------------------------------- */

/* The number that stands first, and after its letter for thousands. */
static bool amount(const char **s, double *out)
{
	static const struct {
		char letter;
		double times;
	} thousands[] = {{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'G', 1e9}, {'T', 1e12}};
	char *end;
	*out = strtod(*s, &end);
	if (**s < '0' || **s > '9' || end == *s || !(*out > 0) || isinf(*out))
		return false;
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < sizeof thousands / sizeof *thousands; i++)
		if (*end == thousands[i].letter && (*end != 'B' || end[1] == 0)) {
			*out *= thousands[i].times;
			end++;
			break;
		}
	*s = end;
	return true;
}

bool parse_amount(const char *s, double *out)
{
	double v;
	if (!amount(&s, &v) || *s)
		return false;
	*out = v;
	return true;
}

bool parse_rate(const char *s, double *bytes_per_s)
{
	static const struct {
		const char *unit;
		double per_byte;
	} units[] = {{"", 1}, {"B", 1}, {"B/s", 1}, {"bit/s", 8}, {"b/s", 8}, {"bps", 8}};
	double v;
	if (!amount(&s, &v))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(s, units[i].unit)) {
			*bytes_per_s = v / units[i].per_byte;
			return true;
		}
	return false;
}
