/* model/analysis/maths/whole_parts.h - parts of a sum as whole numbers that add up to the whole one. */
#ifndef STEPSCOPE_WHOLE_PARTS_H
#define STEPSCOPE_WHOLE_PARTS_H
#include <stdint.h>

enum { WHOLE_PARTS_MAX = 32 };
/* out[i] = parts[i] rounded down, the largest remainders rounded up so that they add up to `whole`, which must be the sum of the
 * parts rounded to nearest. Ties: the earlier part. Parts >= 0; n <= WHOLE_PARTS_MAX. */
void whole_parts(const double *parts, uint32_t n, int64_t whole, int64_t *out);
#endif
