/* model/analysis/ops/op_said.h - whether device work says by itself which op it belongs to, in the way that the reference tool
 * reads: by tf_op or hlo_op. Annotations of launches named ops before those did; it does not read them.
 * Life:    op_said_init -> op_said... -> op_said_free. Attributes are looked at once per distinct detail. */
#ifndef STEPSCOPE_OP_SAID_H
#define STEPSCOPE_OP_SAID_H
#include "model/analysis/derived/derived.h"
#include "model/store/base/idmap.h"

struct op_said {
	const struct derived *d;
	struct idmap known; /* kind and detail -> it does */
	str_id tf_op, hlo_op;
};
void op_said_init(struct op_said *x, const struct derived *d);
bool op_said(struct op_said *x, row_id r);
/* The op as the reference tool has it, 0 = none: by the program, where the trace holds it, else by what the event says. */
str_id op_as_said(struct op_said *x, row_id r);
void op_said_free(struct op_said *x);
#endif
