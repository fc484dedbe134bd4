/* model/analysis/input/input_ops.h - the ops of the host's input pipeline: how often, how long, how much of it themselves.
 * Self:    time minus that of the ops nested in it on its thread. By default the op that began last has the moment; under
 *          --semantics xprof begins and ends are paired by a stack, and ops that others overlap are lost, as in that tool.
 * Which:   the reference tool's (infeed, MemcpyHToD, tf.data, Grain stages); by default also host calls that start copies to
 *          a device, PyTorch's DataLoader stages with the ops and Python frames inside them, and waits.
 * Window:  times are clipped to it, counts are of ops that start inside. */
#ifndef STEPSCOPE_INPUT_OPS_H
#define STEPSCOPE_INPUT_OPS_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/names/op_names.h"
#include "model/query.h"

struct input_op {
	const char *name;
	enum input_class class;
	uint32_t count;
	int64_t total_ns, self_ns;
	row_id longest;
	bool loader; /* a data loader of PyTorch, or inside of one */
};
struct input_ops {
	struct input_op *at; /* most self time first */
	uint32_t n;
	int64_t self_ns[INPUT_CLASS_COUNT]; /* sums */
	int64_t wait_ns;                    /* a thread waits for input (union) */
	int64_t wait_alone_ns;              /* ... while no input op is recorded as running */
	int64_t infeed_ns,
		infeed_apart_ns; /* infeed enqueues that another one follows; sum of the distances of their starts */
	bool frames;             /* Python frames inside of data loaders */
	bool host_ops;           /* host threads with other events than calls of the driver */
};
/* False with `e` when cancelled. */
bool input_ops_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		    struct input_ops *out, struct err *e);
#endif
