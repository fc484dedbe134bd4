/* model/analysis/ops/op_calls.h - what calls of ops cost by the inputs that stand beside them, read on several threads: the
 * attributes of a million calls are a hundred megabytes to unpack. Which thread read what leaves no trace. */
#ifndef STEPSCOPE_OP_CALLS_H
#define STEPSCOPE_OP_CALLS_H
#include "model/analysis/costs/op_cost.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/kernel_rules.h"

struct op_call {
	row_id row;
	int16_t rule;      /* of op_cost.h */
	bool product;      /* set by op_calls_read, as are the next two: what matrix units can do */
	uint8_t precision; /* enum precision of its first input; PREC_UNKNOWN where types are not recorded */
	struct op_cost cost;
};
/* Calls in an order in which their attributes lie near each other; that of their work on a stream will do. */
void op_calls_read(const struct derived *d, struct op_call *at, uint32_t n);
/* By the size of the first tensor's elements. */
enum precision op_args_precision(const struct op_args *a);
/* The trace has shapes beside calls. */
bool op_calls_known(const struct derived *d);
#endif
