/* model/analysis/ops/roofline.h - how near work comes to what its device can do: rates, their peaks, and which one limits.
 * Memory bound below the ridge (peak arithmetic / memory bandwidth), compute bound from there on. */
#ifndef STEPSCOPE_ROOFLINE_H
#define STEPSCOPE_ROOFLINE_H
#include "op_stats.h"

/* Per second, on one device; NaN = unknown. */
struct roofline {
	double flop_rate, byte_rate;
	double intensity; /* operations per byte */
	double peak_flops, peak_bytes;
	double ridge;         /* the intensity from which arithmetic limits */
	double roof_flops;    /* what is possible at this intensity */
	double share_pct;     /* of the roof; without arithmetic: of the memory bandwidth */
	const char *bound_by; /* "Compute", "HBM"; NULL = unknown */
};
/* Rates and bounds of the work; unknown fields are NaN. */
struct roofline roofline_of(const struct op_work *w);
const char *roofline_note(const struct roofline *r); /* "above peak: cost model too high"; NULL: nothing to note */
#endif
