/* model/analysis/comms/pace.h - whether a device takes longer for the same kernels as the others do, and for each by a like factor: then its
 * clock is slower, and it has no more work than they have. SEMANTICS.md, 16.
 * Same:  kernels of one name and launch shape, which must be recorded, as often per step as on the other devices.
 * More:  kernels of one name that it runs more often, each as long as on the others.
 * Asked: of PACE_STEPS steps of the device and of PACE_OTHERS other ones. */
#ifndef STEPSCOPE_PACE_H
#define STEPSCOPE_PACE_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

struct pace {
	double ratio; /* time of its kernels / what the same ones take on average on the others; NAN: nine tenths of it or more must be the same */
	double more_pct; /* share of its longer compute in kernels that it runs more often per step; the rest are kernels that take longer. NAN: it
			  * does not compute longer */
	double even_pct; /* share of that time in kernels whose own ratio is above 1 by between half and twice as much; NAN as ratio, or where one
			  * kind of kernel is all there is */
};
/* Of steps that count (step_phase.h) and lie in the window. */
struct pace pace_of(const struct derived *d, const struct query *q, uint32_t device);
/* It is slower by 3 % or more, for nine tenths of the time evenly. */
bool pace_is_slow(const struct pace *p);
#endif
