/* model/analysis/ops/op_groups.h - ops added up by type, scope, module, shape or stack: one sum per group and side. */
#ifndef STEPSCOPE_OP_GROUPS_H
#define STEPSCOPE_OP_GROUPS_H
#include "op_stats.h"

struct op_group {
	struct span name;
	struct span type;   /* of all its ops; empty when they are of several */
	const char *shape;  /* of the first op that has one */
	struct op_side sum; /* `longest` is the longest of all */
	uint32_t ops;       /* different ones */
};
/* The groups of one side, most self time first, ties by name; *n of them. By op: each op is a group of its own. */
struct op_group *op_groups_make(const struct op_stats *s, enum op_by by, enum op_place place, const struct derived *d,
				struct arena *mem, uint32_t *n);
#endif
