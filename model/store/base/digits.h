/* model/store/base/digits.h - numbers as plain digits, for long tables: the same text as printf gives, at a tenth of its cost.
 * Every function writes to `to` (DIGITS_BUF bytes suffice), ends nothing with a NUL and returns the end of what it wrote. */
#ifndef STEPSCOPE_DIGITS_H
#define STEPSCOPE_DIGITS_H
#include <stdint.h>

enum { DIGITS_BUF = 40 };
char *digits_u64(char *to, uint64_t v); /* "%" PRIu64 */
char *digits_i64(char *to, int64_t v);  /* "%" PRId64 */
/* The first of "%.15g", "%.16g", "%.17g" that reads back as the same number; of any double. */
char *digits_real(char *to, double v);
#endif
