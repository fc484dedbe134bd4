/* model/analysis/ops/op_eager.h - work that runs op by op, and work that runs as part of a graph or compiled function.
 * TensorFlow: the nearest EagerExecute around the event decides by its is_func; the calls named EagerLocalExecute run single
 *             ops. PyTorch: eager, unless inside a compiled region or a launch of a CUDA graph. Unknown where a trace has no
 *             sign of either, or no op at all. */
#ifndef STEPSCOPE_OP_EAGER_H
#define STEPSCOPE_OP_EAGER_H
#include "model/analysis/derived/climb.h"
#include "model/analysis/derived/derived.h"

struct op_eager {
	const struct derived *d;
	bool torch, xprof;
	str_id execute; /* "EagerExecute", 0 = nowhere */
	uint8_t *marks; /* per text: what an event of that name says, see op_eager.c */
	struct climb telling;
	bool signs;  /* some text is a sign */
	bool silent; /* PyTorch's rules, but nothing of PyTorch's was recorded */
};
void op_eager_init(struct op_eager *x, const struct derived *d, bool torch);
void op_eager_free(struct op_eager *x);
bool op_eager_known(const struct op_eager *x);
/* A host event, or the launch of device work. */
bool op_eager_row(struct op_eager *x, row_id r);
#endif
