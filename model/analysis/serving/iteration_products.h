/* model/analysis/serving/iteration_products.h - arithmetic of an iteration's matrix products against the peak of its device, from the
 * shapes that the ops which launched them were given. Replayed graphs tell none. */
#ifndef STEPSCOPE_ITERATION_PRODUCTS_H
#define STEPSCOPE_ITERATION_PRODUCTS_H
#include "iterations.h"
#include "model/analysis/rules/family_rules.h"
#include "model/analysis/rules/peaks.h"

struct iteration_products {
	double flops;    /* of products whose shapes are recorded; 0: of none */
	double peak_ns;  /* what these take at peak arithmetic; NaN = the peak is unknown */
	int64_t told_ns; /* time of the kernels that did them */
	int64_t all_ns; /* of all kernels that multiply matrices, by their op or their name; 0 where no op of the trace tells shapes */
};
/* x has device work; peaks: of its device. Any thread, with a memo of its own. */
struct iteration_products iteration_products_of(const struct derived *d, const struct iteration *x,
						const struct family_memo *families, const struct peaks *peaks);
#endif
