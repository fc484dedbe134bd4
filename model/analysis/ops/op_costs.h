/* model/analysis/ops/op_costs.h - arithmetic and memory traffic of the device work of ops, added up beside its time.
 * PyTorch: a launching op counts once, by its inputs; TensorFlow and XLA: by the shape or the instruction that the kernels
 * name, once per run of the most frequent one. Only work of known cost adds to the time that rates are made with.
 * Life:    op_costs_init -> op_costs_take... -> op_costs_settle -> op_costs_free. Meanwhile one byte per event and 20 per piece of a
 * launching op with shapes. */
#ifndef STEPSCOPE_OP_COSTS_H
#define STEPSCOPE_OP_COSTS_H
#include "op_calls.h"
#include "op_stats.h"
#include "model/analysis/rules/peaks.h"

struct cost_unit;
struct cost_piece;
struct op_costs {
	const struct derived *d;
	struct peak_table *table;
	struct peaks *peaks;   /* per device */
	int16_t *rule_of_name; /* per text: rule + 2, 0 = not looked at */
	uint8_t *told;         /* per event: what a launching op was found to cost, see op_costs.c */
	bool has_shapes;
	struct op_call *calls;     /* launching ops, in the order in which their work came */
	struct cost_piece *pieces; /* of them */
	uint32_t n_calls, cap_calls, n_pieces, cap_pieces;
	struct cost_unit *units;
	struct idmap unit_of, runs; /* (cell, shape or instruction) -> unit; (unit, kernel) -> runs */
	uint32_t n_units, cap_units;
};
bool op_costs_init(struct op_costs *c, const struct derived *d, struct err *e);
void op_costs_free(struct op_costs *c);
/* One kernel that starts in the window: `side` is of its op, `by` what launched it for that op (fresh: for the first
 * time), NONE_ID = it names its op itself. */
struct cost_piece {
	row_id row, by;
	uint32_t cell, device;
	uint8_t tc; /* enum verdict */
	bool fresh;
};
void op_costs_take(struct op_costs *c, const struct cost_piece *x, struct op_work *to);
/* The same as the reference tool does it (op_costs_reference.c); nothing is left to settle. */
void op_costs_take_reference(struct op_costs *c, const struct cost_piece *x, struct op_work *to);
/* Adds up what the calls and kernels cost. `of` gives the place of a cell. */
void op_costs_settle(struct op_costs *c, struct op_work *(*of)(void *arg, uint32_t cell), void *arg);
#endif
