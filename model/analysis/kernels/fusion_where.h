/* model/analysis/kernels/fusion_where.h - what a run of kernels is and where the program starts it, in words. */
#ifndef STEPSCOPE_FUSION_WHERE_H
#define STEPSCOPE_FUSION_WHERE_H
#include "model/analysis/derived/derived.h"

/* "mul, add x3, ...": the ops of the run in order, last parts of their names; NULL = none is known. In arena memory. */
const char *fusion_ops(const struct derived *d, row_id first, uint32_t n, struct arena *mem);
/* What encloses the whole run: the scope that its ops share, else the innermost event around all of its launches. */
const char *fusion_scope(const struct derived *d, row_id first, uint32_t n, struct arena *mem);
#endif
