/* model/analysis/costs/op_cost.h - arithmetic and memory traffic of one run of an op, from the shapes it was given.
 * Arithmetic: a multiply-add is two operations. Matrix products, convolutions and attention count their products only (no
 *             bias, no softmax), backward passes what they compute: attention five products where forward has two. Attention
 *             with a causal mask counts the pairs that the mask leaves. Element-wise ops count one per result.
 * Traffic:    every input read once and every result written once: what cannot be avoided, caches or not.
 * Exact or unknown (NaN): where a layout, a stride or a mask is needed and not recorded, there is no number. */
#ifndef STEPSCOPE_OP_COST_H
#define STEPSCOPE_OP_COST_H
#include "op_args.h"

struct op_cost {
	double flops, bytes; /* NaN = unknown */
};
/* How an op is counted: a place in the list of rules; COST_NONE = not at all. */
enum { COST_NONE = -1 };
int op_cost_rule_torch(const char *name, size_t n);      /* "aten::addmm" */
int op_cost_rule_tensorflow(const char *type, size_t n); /* "MatMul" */
bool op_cost_is_matrix_product(int rule); /* of two matrices as they are given: neither convolution nor attention */
bool op_cost_is_product(int rule);        /* matrix product, convolution, attention: what matrix units can do */
struct op_cost op_cost_torch(int rule, const struct op_args *a);
/* equation: of an einsum, "" = none. */
struct op_cost op_cost_tensorflow(int rule, const char *equation, const struct op_args *a);
#endif
