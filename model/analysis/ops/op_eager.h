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
/* torch: ops are PyTorch's. */
void op_eager_init(struct op_eager *x, const struct derived *d, bool torch);
void op_eager_free(struct op_eager *x);
static inline bool op_eager_known(const struct op_eager *x)
{
	return !x->silent && (x->torch || x->xprof || x->signs || x->execute);
}
/* What the events around it say, where the trace has any that say something. */
bool op_eager_around(struct op_eager *x, row_id r);
/* A host event, or the launch of device work. */
static inline bool op_eager_row(struct op_eager *x, row_id r)
{
	bool asks = x->execute || (x->signs && !x->xprof);
	return x->silent ? false : asks ? op_eager_around(x, r) : x->torch && !x->xprof;
}
#endif
