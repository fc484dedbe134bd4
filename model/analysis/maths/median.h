/* model/analysis/maths/median.h - the middle of some values, in linear time. Both put v[n / 2] at its place among the sorted ones and
 * what is not larger before it; n must not be 0. */
#ifndef STEPSCOPE_MEDIAN_H
#define STEPSCOPE_MEDIAN_H
#include <stdint.h>

int64_t median_of(int64_t *v, uint32_t n);    /* of an even number: halfway between the two in the middle */
int64_t upper_median(int64_t *v, uint32_t n); /* always one of the values */
#endif
