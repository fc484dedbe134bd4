/* model/analysis/maths/change_point.h - where a series goes over to another level. */
#ifndef STEPSCOPE_CHANGE_POINT_H
#define STEPSCOPE_CHANGE_POINT_H
#include <stdint.h>

struct change_point {
	uint32_t at; /* the first value of the later part; 0: there are fewer than two values */
	double p;    /* how likely a split as clear is without any change: 2 exp(-6 K^2 / (n^3 + n^2)), at most 1 */
};
/* The most likely place, by ranks, so that single values far off count little (Pettitt, "A non-parametric approach to the change-point
 * problem", Applied Statistics 28, 1979). Time n log n; any thread. */
struct change_point change_point_of(const int64_t *v, uint32_t n);
#endif
