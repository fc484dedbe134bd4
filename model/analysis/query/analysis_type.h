/* model/analysis/query/analysis_type.h - what an analysis is: a name, a title, one line of help, and the function that answers it.
 * The list of all of them stands in analysis.h.
 * run:     pure function of (derived, query) -> one table in `mem`; NULL and err on failure or cancel.
 * Windows: sums of time are clipped to [a, b) and additive; counts, min, max, avg use events that start inside. */
#ifndef STEPSCOPE_ANALYSIS_TYPE_H
#define STEPSCOPE_ANALYSIS_TYPE_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/table.h"

struct analysis {
	const char *name, *title, *help;
	struct table *(*run)(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
			     struct err *e);
};
/* Declares the function that makes the table `id`. */
#define ANALYSIS_DECL(id)                                                                              \
	struct table *analysis_##id(const struct derived *d, const struct query *q, struct arena *mem, \
				    struct progress *p, struct err *e)
#endif
