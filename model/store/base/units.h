/* model/store/base/units.h - numbers as people read them, and back. No locale, no allocation.
 * Every function writes a NUL-terminated text into buf (at least UNITS_BUF bytes) and returns buf. */
#ifndef STEPSCOPE_UNITS_H
#define STEPSCOPE_UNITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNITS_BUF = 40 };

/* The one spelling of a time: the largest unit that gives at least 1, three decimals, whole ns without:
 * "62.339 ms", "68.000 us", "5.547 s", "-5 ns". */
const char *fmt_ns(char *buf, int64_t ns);
const char *fmt_ns_fixed(char *buf, int64_t ns, int64_t step_ns); /* unit and decimals fit for axis ticks of step_ns */
const char *fmt_bytes(char *buf, int64_t n);                      /* "64.0 MiB", "512 B" */
const char *fmt_flops(char *buf, double flop_per_s);              /* "312.5 TFLOP/s": four digits */
const char *fmt_rate(char *buf, double bytes_per_s);              /* "8.39 GB/s" (decimal, as links are sold) */
const char *fmt_count(char *buf, int64_t n);                      /* "126,224" */
const char *fmt_pct(char *buf, double pct);                       /* "37.5 %", one decimal; NaN -> "-" */
int64_t pct_tenths(int64_t part, int64_t whole); /* 1000*part/whole rounded half up in 128 bits; -1 when whole <= 0 */
double pct_of(int64_t part, int64_t whole);      /* the same in per cent: 37.5; NaN when whole <= 0 */

/* "12.5ms", "3us", "1.5 s", "1200" (ns), "-2ms"; exact decimal arithmetic. *end is set after what was read.
 * Returns false and leaves *ns alone when no time stands there. */
bool parse_ns(const char *s, const char **end, int64_t *ns);
/* The same where a time needs its unit, as "20" could be meant in ns, us or ms; zero is zero. */
bool parse_ns_with_unit(const char *s, const char **end, int64_t *ns);
/* A whole text as a number above 0: "25000000", "25e6", "25.6M", "7B" (k, M, B or G, T: thousands). */
bool parse_amount(const char *s, double *out);
/* A whole text as bytes per second: "10GB/s", "25 GB/s", "200Gbit/s", "1.5e9" (decimal, as links are sold; bit and b are bits). */
bool parse_rate(const char *s, double *bytes_per_s);
#endif
