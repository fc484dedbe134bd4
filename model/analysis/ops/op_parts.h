/* model/analysis/ops/op_parts.h - the inside of op_stats: what its passes share. */
#ifndef STEPSCOPE_OP_PARTS_H
#define STEPSCOPE_OP_PARTS_H
#include "op_costs.h"
#include "op_eager.h"
#include "op_index.h"
#include "op_stats.h"
#include "model/analysis/query/windowed.h"
#include "model/analysis/steps/step_phase.h"

struct op_pass {
	const struct derived *d;
	const struct query *q;
	struct progress *progress;
	struct arena *mem;
	struct op_index index;
	struct op_keys keys;
	struct op_costs *costs; /* NULL: not asked for */
	struct idmap cells;     /* (op, key) -> place in out->at */
	bool split;             /* events decide groups: places are cells, else the ops' own */
	struct op_eager eager;
	struct counted_steps steps;
	struct op_stats *out;
	uint32_t last_step; /* op_row_counts() was asked about last, */
	bool last_counts;   /* and said */
	bool cancelled;
};
/* Where what an op does there is added up: its place in out->at. `by`: host event, NONE_ID = none. */
uint32_t op_cell_of_event(struct op_pass *p, uint32_t op, row_id by, row_id work);
static inline uint32_t op_cell(struct op_pass *p, uint32_t op, row_id by, row_id work)
{
	return p->split ? op_cell_of_event(p, op, by, work) : op;
}
/* Room for op i. */
void op_sides_grow(struct op_pass *p, uint32_t i);
/* The side of op i; the array grows with the index. The pointer is valid until the next call. */
static inline struct op_side *op_side_of(struct op_pass *p, uint32_t i, enum op_place place)
{
	if (i >= p->out->n)
		op_sides_grow(p, i);
	return &p->out->at[i].side[place];
}
/* Whether the event lies in a step that carries means and shares; neighbours mostly lie in the same one. */
static inline bool op_row_counts(struct op_pass *p, row_id r)
{
	uint32_t step = derived_step_of(p->d, r);
	if (!p->steps.steady_only || step == p->last_step)
		return !p->steps.steady_only || p->last_counts;
	p->last_step = step;
	p->last_counts = step != NONE_ID && step_counts(&p->steps, step);
	return p->last_counts;
}
/* The pass over the threads among the tracks [from, to). */
void op_host_pass(struct op_pass *p, uint32_t from, uint32_t to);
/* The pass over every stream. */
void op_device_pass(struct op_pass *p);
#endif
