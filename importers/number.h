/* importers/number.h - numbers as JSON and tables of text write them, read without losing a digit. No locale.
 * Input: the text of a number (or of a string that holds one). Functions return false when it is none. */
#ifndef STEPSCOPE_NUMBER_H
#define STEPSCOPE_NUMBER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A time in two parts, value = ns + ps / 1000: 16-digit microseconds with any fraction fit exactly down to the ps; what is
 * finer is rounded to the nearest ps. */
struct fine_time {
	int64_t ns;
	int32_t ps; /* 0 .. 999 */
};
enum number_fault { NUMBER_OK, NUMBER_NONE, NUMBER_TOO_BIG };

/* Decimal microseconds, with fraction and exponent. */
enum number_fault number_us(const char *p, size_t n, struct fine_time *t);
int64_t fine_round(struct fine_time t);                                     /* to the nearest ns, half up */
bool fine_add(struct fine_time a, struct fine_time b, struct fine_time *t); /* false on overflow */

/* Integers only: optional minus, digits, in range. */
bool number_int(const char *p, size_t n, int64_t *i);
bool number_uint(const char *p, size_t n, uint64_t *u);
/* True when the integer's usual text is exactly this text ("-0" and "007" are not). */
bool number_canonical(const char *p, size_t n);

bool number_real(const char *p, size_t n, double *d); /* nearest double; finite */
#endif
