/* model/analysis/ops/op_placed.h - what runs on the host, by type: thirty small ops of a type are one observation.
 * Counted are runs in steady steps, where there are any, that call no other op and start no device work, outside of input pipelines. */
#ifndef STEPSCOPE_OP_PLACED_H
#define STEPSCOPE_OP_PLACED_H
#include "op_stats.h"
#include "model/analysis/rules/op_rules.h"

struct op_placed {
	struct span type;
	struct span name;  /* of its op with most time */
	uint32_t ops;      /* different ones */
	enum op_sort sort; /* of that op */
	int64_t runs, self_ns;
	row_id longest;
};
/* Most time first, ties by type; *n of them. *whole_ns: own time of all ops that count, on devices and on the host. */
struct op_placed *op_placed_make(const struct op_stats *s, const struct op_rules *rules, struct arena *mem, uint32_t *n,
				 int64_t *whole_ns);
const char *op_sort_text(enum op_sort sort); /* "compute-intensive", "host only"; NULL for ordinary ones */
#endif
