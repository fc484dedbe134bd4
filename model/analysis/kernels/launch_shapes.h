/* model/analysis/kernels/launch_shapes.h - distinct launch shapes (grid, block, registers, shared memory) as small numbers.
 * Shape 0 is "nothing known". A detail row is looked at once, however many kernels refer to it. */
#ifndef STEPSCOPE_LAUNCH_SHAPES_H
#define STEPSCOPE_LAUNCH_SHAPES_H
#include "model/store/trace/trace.h"

struct launch_shapes;
struct launch_shapes *launch_shapes_new(const struct trace *t);
void launch_shapes_free(struct launch_shapes *s);
/* Many shapes lie anywhere in memory: to be called with every row before it is asked for. */
void launch_shapes_ahead(struct launch_shapes *s, row_id r);
uint32_t launch_shape_of(struct launch_shapes *s, row_id r); /* of a kernel event */
/* The same when its detail row was looked at before, else NONE_ID. Several threads may ask. */
uint32_t launch_shape_met(const struct launch_shapes *s, row_id r);
/* To be called some kernels before. */
void launch_shape_met_ahead(const struct launch_shapes *s, row_id r);
/* The same for equal shapes, maybe for others, too. */
uint32_t launch_shape_hash(const struct trace *t, row_id r);
uint32_t launch_shapes_count(const struct launch_shapes *s); /* shapes met so far and "nothing known" */
/* Per shape met so far its place in the order by grid, block, registers, static and dynamic shared memory; "nothing known"
 * comes first. The caller frees it. */
uint32_t *launch_shapes_ranks(const struct launch_shapes *s);
#endif
