#include "op_cost_private.h"
#include <string.h>

/* clang-format off */
/*   PyTorch's matrix products: name without "aten::", first matrix, second, what is read as well (-1 = nothing) */
#define PRODUCTS(_) \
	_("mm", 0, 1, -1) _("bmm", 0, 1, -1) _("matmul", 0, 1, -1) _("mv", 0, 1, -1) _("dot", 0, 1, -1) \
	_("addmm", 1, 2, 0) _("addmm_", 1, 2, 0) _("_addmm_activation", 1, 2, 0) _("baddbmm", 1, 2, 0) _("baddbmm_", 1, 2, 0) \
	_("addmv", 1, 2, 0) _("_scaled_mm", 0, 1, -1) _("_int_mm", 0, 1, -1)
/*   convolutions: name, where stride, padding, dilation and `transposed` stand (-1 = nowhere), always transposed */
#define CONVOLUTIONS(_) \
	_("convolution", 3, 4, 5, 6, false)                  _("_convolution", 3, 4, 5, 6, false) \
	_("conv1d", 3, 4, 5, -1, false)                      _("conv2d", 3, 4, 5, -1, false) \
	_("conv3d", 3, 4, 5, -1, false)                      _("cudnn_convolution", 3, 2, 4, -1, false) \
	_("cudnn_convolution_relu", 3, 4, 5, -1, false)      _("cudnn_convolution_add_relu", 5, 6, 7, -1, false) \
	_("miopen_convolution", 4, 3, 5, -1, false)          _("miopen_depthwise_convolution", 4, 3, 5, -1, false) \
	_("_conv_depthwise2d", 4, 5, 6, -1, false)           _("conv_depthwise3d", 4, 5, 6, -1, false) \
	_("slow_conv3d_forward", 4, 5, -1, -1, false)        _("mkldnn_convolution", 4, 3, 5, -1, false) \
	_("cudnn_convolution_transpose", 0, 0, 0, -1, true)  _("miopen_convolution_transpose", 0, 0, 0, -1, true) \
	_("conv_transpose2d", 0, 0, 0, -1, true)
/*   attention: name, place of q, heads before lengths, own lengths per sequence (-1 = no such argument), mask, backward */
#define ATTENTIONS(_) \
	_("_flash_attention_forward", 0, 0, 3, 8, 0)                       _("_flash_attention_backward", 1, 0, 6, 11, 1) \
	_("_efficient_attention_forward", 0, 0, 4, 9, 0)                   _("_efficient_attention_backward", 1, 0, 6, 14, 1) \
	_("_scaled_dot_product_flash_attention", 0, 1, -1, 4, 0)           _("_scaled_dot_product_flash_attention_backward", 1, 1, 6, 10, 1) \
	_("_scaled_dot_product_efficient_attention", 0, 1, -1, 6, 0)       _("_scaled_dot_product_efficient_attention_backward", 1, 1, -1, 11, 1) \
	_("_scaled_dot_product_cudnn_attention", 0, 1, -1, 6, 0)           _("_scaled_dot_product_cudnn_attention_backward", 1, 1, 9, 14, 1) \
	_("flash_attn::_flash_attn_forward", 0, 0, -1, 5, 0)
/*   element-wise: name in PyTorch without a closing "_", "" = none; type in TensorFlow; result; operations per result; how
 *   many of PyTorch's arguments are inputs (a tensor after them is where the result goes) */
#define ELEMENTWISE(_) \
	_("add", "Add", LIKE_INPUTS, 1, 2)               _("", "AddV2", LIKE_INPUTS, 1, 2)                 _("sub", "Sub", LIKE_INPUTS, 1, 2) \
	_("rsub", "", LIKE_INPUTS, 1, 2)                 _("mul", "Mul", LIKE_INPUTS, 1, 2)                _("div", "RealDiv", LIKE_INPUTS, 1, 2) \
	_("maximum", "Maximum", LIKE_INPUTS, 1, 2)       _("minimum", "Minimum", LIKE_INPUTS, 1, 2)        _("neg", "Neg", LIKE_INPUTS, 1, 1) \
	_("abs", "Abs", LIKE_INPUTS, 1, 1)               _("exp", "Exp", LIKE_INPUTS, 1, 1)                _("log", "Log", LIKE_INPUTS, 1, 1) \
	_("sqrt", "Sqrt", LIKE_INPUTS, 1, 1)             _("rsqrt", "Rsqrt", LIKE_INPUTS, 1, 1)            _("reciprocal", "Reciprocal", LIKE_INPUTS, 1, 1) \
	_("pow", "Pow", LIKE_INPUTS, 1, 2)               _("", "Square", LIKE_INPUTS, 1, 2)                _("sin", "Sin", LIKE_INPUTS, 1, 1) \
	_("cos", "Cos", LIKE_INPUTS, 1, 1)               _("tanh", "Tanh", LIKE_INPUTS, 1, 1)              _("sigmoid", "Sigmoid", LIKE_INPUTS, 1, 1) \
	_("erf", "Erf", LIKE_INPUTS, 1, 1)               _("relu", "Relu", LIKE_INPUTS, 1, 1)              _("", "Relu6", LIKE_INPUTS, 1, 2) \
	_("gelu", "Gelu", LIKE_INPUTS, 1, 1)             _("silu", "", LIKE_INPUTS, 1, 1)                  _("elu", "Elu", LIKE_INPUTS, 1, 1) \
	_("hardtanh", "", LIKE_INPUTS, 1, 1)             _("hardswish", "", LIKE_INPUTS, 1, 1)             _("leaky_relu", "LeakyRelu", LIKE_INPUTS, 1, 1) \
	_("clamp", "", LIKE_INPUTS, 1, 3)                _("clamp_min", "", LIKE_INPUTS, 1, 2)             _("sign", "Sign", LIKE_INPUTS, 1, 1) \
	_("floor", "Floor", LIKE_INPUTS, 1, 1)           _("round", "Round", LIKE_INPUTS, 1, 1)            _("addcmul", "", LIKE_INPUTS, 3, 3) \
	_("addcdiv", "", LIKE_INPUTS, 3, 3)              _("lerp", "", LIKE_INPUTS, 3, 3)                  _("threshold_backward", "ReluGrad", LIKE_INPUTS, 1, 2) \
	_("sigmoid_backward", "SigmoidGrad", LIKE_INPUTS, 3, 2)                                         _("tanh_backward", "TanhGrad", LIKE_INPUTS, 3, 2) \
	_("gelu_backward", "", LIKE_INPUTS, 1, 2)        _("silu_backward", "", LIKE_INPUTS, 1, 2)         _("", "BiasAdd", LIKE_INPUTS, 1, 2) \
	_("eq", "Equal", BOOL, 1, 2)                     _("ne", "NotEqual", BOOL, 1, 2)                   _("lt", "Less", BOOL, 1, 2) \
	_("le", "LessEqual", BOOL, 1, 2)                 _("gt", "Greater", BOOL, 1, 2)                    _("ge", "GreaterEqual", BOOL, 1, 2) \
	_("logical_and", "LogicalAnd", BOOL, 1, 2)       _("logical_not", "LogicalNot", BOOL, 1, 1)        _("logical_or", "LogicalOr", BOOL, 1, 2) \
	_("fill", "", ONLY, 0, 1)                        _("zero", "ZerosLike", ONLY, 0, 1)                _("copy", "", COPIED, 0, 2) \
	_("masked_fill", "", LIKE_INPUTS, 0, 2)
/* clang-format on */

enum cost_sort {
	SORT_PRODUCT,
	SORT_LINEAR,
	SORT_CONV,
	SORT_CONV_BACKWARD,
	SORT_ATTENTION,
	SORT_ELEMENTWISE,
	SORT_ANY_WAY,
	SORT_EINSUM
};
static const struct rule {
	const char *torch, *tensorflow;
	enum cost_sort sort;
	union {
		struct {
			int8_t a, b, extra;
		} product;
		struct conv_places conv;
		struct attention_places attention;
		struct {
			enum result_of result;
			int each, inputs;
		} elementwise;
	};
} rules[] = {
#define RULE_PRODUCT(name, x, y, more) {name, "", SORT_PRODUCT, .product = {x, y, more}},
#define RULE_CONV(name, stride, pad, dilation, turned, always) \
	{name, "", SORT_CONV, .conv = {stride, pad, dilation, turned, always}},
#define RULE_ATTENTION(name, q, first, lengths, causal, back) \
	{name, "", SORT_ATTENTION, .attention = {q, first, lengths, causal, back}},
#define RULE_ELEMENTWISE(name, type, result, each, inputs) \
	{name, type, SORT_ELEMENTWISE, .elementwise = {RESULT_##result, each, inputs}},
	PRODUCTS(RULE_PRODUCT) CONVOLUTIONS(RULE_CONV) ATTENTIONS(RULE_ATTENTION)
		ELEMENTWISE(RULE_ELEMENTWISE){"linear", "", SORT_LINEAR, {{0}}},
	{"convolution_backward", "", SORT_CONV_BACKWARD, {{0}}},
	{"", "MatMul", SORT_ANY_WAY, {{0}}},
	{"", "FusedMatMul", SORT_ANY_WAY, {{0}}},
	{"", "_FusedMatMul", SORT_ANY_WAY, {{0}}},
	{"", "BatchMatMul", SORT_ANY_WAY, {{0}}},
	{"", "BatchMatMulV2", SORT_ANY_WAY, {{0}}},
	{"", "BatchMatMulV3", SORT_ANY_WAY, {{0}}},
	{"", "Einsum", SORT_EINSUM, {{0}}},
};
enum { RULES = sizeof rules / sizeof *rules, GRAD_TRANSPOSED = 7, GRAD_MASK = 10 };

static bool is(const char *rule, const char *name, size_t n)
{
	return n && strlen(rule) == n && !memcmp(rule, name, n);
}

int op_cost_rule_torch(const char *name, size_t n)
{
	static const char prefix[] = "aten::";
	bool aten = n > sizeof prefix - 1 && !memcmp(name, prefix, sizeof prefix - 1);
	if (aten) {
		name += sizeof prefix - 1;
		n -= sizeof prefix - 1;
	}
	bool in_place = n > 1 && name[n - 1] == '_';
	for (int i = 0; i < RULES; i++) {
		bool own_name = strchr(rules[i].torch, ':') != NULL;
		if (own_name == aten)
			continue;
		if (is(rules[i].torch, name, n) ||
		    (in_place && rules[i].sort == SORT_ELEMENTWISE && is(rules[i].torch, name, n - 1)))
			return i;
	}
	return COST_NONE;
}

int op_cost_rule_tensorflow(const char *type, size_t n)
{
	for (int i = 0; i < RULES; i++)
		if (is(rules[i].tensorflow, type, n))
			return i;
	return COST_NONE;
}

bool op_cost_is_matrix_product(int rule)
{
	return rules[rule].sort == SORT_PRODUCT || rules[rule].sort == SORT_LINEAR || rules[rule].sort == SORT_ANY_WAY;
}

bool op_cost_is_product(int rule)
{
	return rules[rule].sort != SORT_ELEMENTWISE;
}

static struct op_cost torch_cost(int rule, const struct op_args *a)
{
	const struct rule *r = &rules[rule];
	switch (r->sort) {
	case SORT_PRODUCT:
		return cost_product(&a->tensors[r->product.a], &a->tensors[r->product.b],
				    r->product.extra >= 0 ? &a->tensors[r->product.extra] : NULL);
	case SORT_LINEAR:
		return cost_linear(&a->tensors[0], &a->tensors[1]);
	case SORT_CONV:
		return cost_conv(a, &r->conv);
	case SORT_CONV_BACKWARD:
		return cost_conv_backward(a, GRAD_TRANSPOSED, GRAD_MASK);
	case SORT_ATTENTION:
		return cost_attention(a, &r->attention);
	case SORT_ELEMENTWISE:
		return cost_elementwise(a, r->elementwise.inputs, r->elementwise.result, r->elementwise.each);
	default:
		return cost_unknown();
	}
}

static struct op_cost tensorflow_cost(int rule, const char *equation, const struct op_args *a)
{
	const struct rule *r = &rules[rule];
	if (r->sort == SORT_EINSUM)
		return a->n == 2 ? cost_einsum(equation, &a->tensors[0], &a->tensors[1]) : cost_unknown();
	if (r->sort == SORT_ANY_WAY)
		return a->n >= 2 ? cost_product_any_way(&a->tensors[0], &a->tensors[1]) : cost_unknown();
	return r->sort == SORT_ELEMENTWISE ? cost_elementwise(a, a->n, r->elementwise.result, r->elementwise.each)
					   : cost_unknown();
}

/* Shapes beyond any memory are corrupt and count as unknown, so that sums stay finite. */
static double sound(double x)
{
	enum { MOST = 60 };
	return x < ldexp(1, MOST) ? x : NAN;
}

struct op_cost op_cost_torch(int rule, const struct op_args *a)
{
	struct op_cost x = torch_cost(rule, a);
	return (struct op_cost){sound(x.flops), sound(x.bytes)};
}

struct op_cost op_cost_tensorflow(int rule, const char *equation, const struct op_args *a)
{
	struct op_cost x = tensorflow_cost(rule, equation, a);
	return (struct op_cost){sound(x.flops), sound(x.bytes)};
}
