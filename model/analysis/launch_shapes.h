/* model/analysis/launch_shapes.h - distinct launch shapes (grid, block, registers, shared memory) as small numbers.
 * Shape 0 is "nothing known". A detail row is looked at once, however many kernels refer to it. */
#ifndef STEPSCOPE_LAUNCH_SHAPES_H
#define STEPSCOPE_LAUNCH_SHAPES_H
#include "../store/trace.h"

struct launch_shapes;
struct launch_shapes *launch_shapes_new(const struct trace *t);
void launch_shapes_free(struct launch_shapes *s);
uint32_t launch_shape_of(struct launch_shapes *s, row_id r); /* of a kernel event */
/* Order by grid, block, registers, static and dynamic shared memory; NULL before everything. */
int launch_shape_compare(const struct kernel_info *a, const struct kernel_info *b);
#endif
