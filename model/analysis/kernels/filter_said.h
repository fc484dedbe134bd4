/* model/analysis/kernels/filter_said.h - binds a filter to a trace with all that analyses say of its events: whether a kernel uses
 * Tensor Cores, what it computes in, what it does, and its part of the training step. */
#ifndef STEPSCOPE_FILTER_SAID_H
#define STEPSCOPE_FILTER_SAID_H
#include "model/analysis/derived/derived.h"
#include "model/filter.h"

/* filter_bind of filter.h with these answers. Any thread: rules are loaded for this question alone, and only those that the
 * filter asks. */
bool filter_bind_derived(struct filter *f, const struct derived *d, struct progress *p, struct err *e);
#endif
