/* model/analysis/comms/exposed.h - when each device computes: kernels that are no collectives, all streams together. What of a
 * collective lies outside is exposed: the device only communicates. SEMANTICS.md, 16. */
#ifndef STEPSCOPE_EXPOSED_H
#define STEPSCOPE_EXPOSED_H
#include "model/analysis/derived/derived.h"

struct computing {
	struct intervals *devices; /* by device */
	uint32_t n;
	bool *streams; /* by track: it has at least as many kernels that compute as collectives */
};
/* False with `e` when it was cancelled; computing_free afterwards in any case. */
bool computing_find(const struct derived *d, struct progress *p, struct computing *out, struct err *e);
void computing_free(struct computing *x);
#endif
