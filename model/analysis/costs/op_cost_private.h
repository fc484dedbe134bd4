/* model/analysis/costs/op_cost_private.h - the formulas behind op_cost: each for one kind of op. */
#ifndef STEPSCOPE_OP_COST_PRIVATE_H
#define STEPSCOPE_OP_COST_PRIVATE_H
#include "op_cost.h"
#include <math.h>

static inline struct op_cost cost_unknown(void)
{
	return (struct op_cost){NAN, NAN};
}
/* a [.., m, k] times b [.., k, n], leading dimensions broadcast; `extra` is read as well (a bias), NULL = none. */
struct op_cost cost_product(const struct tensor *a, const struct tensor *b, const struct tensor *extra);
/* x [.., k] times w [n, k] */
struct op_cost cost_linear(const struct tensor *x, const struct tensor *w);
/* Two matrices of which it is not said whether they are transposed: the one way that fits, unknown when two do and differ. */
struct op_cost cost_product_any_way(const struct tensor *a, const struct tensor *b);
/* "ij,jk->ik" of two tensors; also "abc,cde->abde". */
struct op_cost cost_einsum(const char *equation, const struct tensor *a, const struct tensor *b);

/* Where a convolution's settings stand among its arguments; -1: it has none of that sort. */
struct conv_places {
	int8_t stride, padding, dilation, transposed;
	bool always_transposed;
};
struct op_cost cost_conv(const struct op_args *a, const struct conv_places *at);
/* grad_out, input, weight; `mask` tells which of the gradients are computed. */
struct op_cost cost_conv_backward(const struct op_args *a, int transposed, int mask);

/* q, k, v from argument `q` on; heads_first: [batch, heads, length, size], else [batch, length, heads, size].
 * lengths: arguments that give each sequence its own length (-1 = none); causal: argument of the mask. */
struct attention_places {
	int8_t q, heads_first, lengths, causal, backward;
};
/* One attention op, forward or backward; unknown when its shapes or mask are not recorded. */
struct op_cost cost_attention(const struct op_args *a, const struct attention_places *at);

enum result_of { RESULT_LIKE_INPUTS, RESULT_BOOL, RESULT_ONLY, RESULT_COPIED };
/* One result per element of the broadcast inputs, which are the first so many arguments; `each` operations per result. */
struct op_cost cost_elementwise(const struct op_args *a, int inputs, enum result_of result, int each);
#endif
