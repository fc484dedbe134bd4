/* model/analysis/compiled/regions.h - calls of what torch.compile compiled, and what of them runs op by op. SEMANTICS.md, 20.
 * Life: regions_read -> read only; rows are in `mem`. */
#ifndef STEPSCOPE_REGIONS_H
#define STEPSCOPE_REGIONS_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"
#include "model/store/base/arena.h"

/* Time of ops, and the device work that they launch. */
struct part_sum {
	uint32_t n; /* calls of compiled graphs; ops outside of them */
	int64_t ns;
	uint32_t work;
	int64_t device_ns;
};
/* One call. What lies in a region inside it is that one's. */
struct region {
	row_id row;
	uint32_t around; /* the region that calls it, a place in the list: the graph of that one breaks here; NONE_ID */
	uint32_t nested; /* regions that it calls itself */
	struct part_sum graphs, eager;
	int64_t compile_ns;   /* of what Dynamo compiles inside it */
	row_id longest_eager; /* NONE_ID = none */
};
struct regions {
	struct region *at; /* by thread, then by start */
	uint32_t n;
	bool graphs_told; /* the trace marks calls of compiled graphs: else nothing tells them from other ops */
};
/* Those that start inside the window and pass the filter. False with `e` when cancelled. */
bool regions_read(const struct derived *d, const struct query *q, struct regions *out, struct arena *mem,
		  struct progress *p, struct err *e);
#endif
