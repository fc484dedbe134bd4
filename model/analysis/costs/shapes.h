/* model/analysis/costs/shapes.h - the shapes and strides of the inputs of device work, read from its own text (XSpace) or from the op
 * that launched it (PyTorch). What the texts mean: op_args.h. */
#ifndef STEPSCOPE_SHAPES_H
#define STEPSCOPE_SHAPES_H
#include "op_args.h"
#include "model/analysis/derived/derived.h"

struct shapes {
	struct op_args args;
	struct op_args strides; /* in elements, as dims; n = 0: not recorded */
};

/* The last answer is kept, as neighbours share their op. One thread at a time. */
struct shape_reader;
struct shape_reader *shape_reader_new(const struct derived *d);
void shape_reader_free(struct shape_reader *s);
/* NULL = not recorded. Valid until the next call. */
const struct shapes *shapes_of_work(struct shape_reader *s, row_id work);
#endif
