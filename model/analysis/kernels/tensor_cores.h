/* model/analysis/kernels/tensor_cores.h - kernels that could use Tensor Cores and do not, products whose dimensions hold them back,
 * and 32-bit kernels that would move half the bytes in 16 bit: each with its reason and the time at stake.
 * Unused:      the op and the kernel are a product, convolution or attention by the rules file, and the kernel runs on
 *              ordinary units. What the rules cannot tell is added up apart and never listed as unused.
 * Inefficient: uses them in 16 or 8 bit, but K or N of the product is no multiple of 8 (16 in 8 bit). Convolutions are left
 *              alone: cuDNN pads them since 7.6.3.
 * Bytes:       an fp32 kernel that is no product; such kernels are limited by memory as a rule.
 * At stake:    unused: 2/3 of its time, as the guide promises 3x at most; bytes: half of it. Without a device of compute
 *              capability 7.0 there are no Tensor Cores: nothing is unused; where no device's capability is known, the time at
 *              stake is unknown. */
#ifndef STEPSCOPE_TENSOR_CORES_H
#define STEPSCOPE_TENSOR_CORES_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/rules/kernel_rules.h"
#include "model/query.h"

/* Where the names of so much of the kernels, or of their time, tell no precision, a share of 16 bit says little. */
enum { PRECISION_UNTOLD_PCT = 50 };

enum tc_kind { TC_UNUSED, TC_INEFFICIENT, TC_BYTES, TC_KINDS };
/* clang-format off */
/*   id, word in the table, what to do about it */
#define TC_REASONS(_)                                                                                                  \
	_(UNKNOWN,   "unknown",           "Try a newer library version; check shapes, layout and types of this op.")    \
	_(FP32,      "fp32",              "Compute this product in 16 bit: mixed precision.")                           \
	_(NO_TF32,   "fp32 without tf32", "Allow TF32 (PyTorch: torch.set_float32_matmul_precision('high'); TensorFlow: tf.config.experimental.enable_tensor_float_32_execution(True); JAX: jax_default_matmul_precision='tensorfloat32'), or 16 bit: mixed precision.") \
	_(FP64,      "fp64",              "Compute in 32 or 16 bit where the accuracy allows it.")                      \
	_(DIMENSION, "dimension",         "Pad this dimension to a multiple of 8 (16 in 8 bit): layer sizes, vocabulary, batch.") \
	_(LAYOUT,    "layout",            "Give the operands a layout that Tensor Cores read: channels_last (NHWC) for convolutions, rows that begin at multiples of 8 elements for products.") \
	_(HALF_BYTES,"32 bit",            "Mixed precision halves the bytes of memory-bound kernels: TensorFlow mixed_float16, torch.autocast, JAX bfloat16.")
/* clang-format on */
enum tc_reason {
#define TC_REASON_ENUM(id, word, advice) TC_##id,
	TC_REASONS(TC_REASON_ENUM)
#undef TC_REASON_ENUM
		TC_REASON_COUNT
};
const char *tc_kind_word(enum tc_kind k); /* "unused" */
const char *tc_reason_word(enum tc_reason r);
const char *tc_reason_advice(enum tc_reason r);

/* A product of M x K by K x N; UNKNOWN_I64 = not recorded. */
struct tc_dims {
	int64_t m, n, k;
	char wrong;      /* 'm', 'n', 'k': which one is no multiple; 's': the rows of an operand; 0: none */
	uint32_t rest;   /* what is left when divided */
	uint32_t factor; /* 8 or 16 */
};
struct tc_row {
	enum tc_kind kind : 8;
	enum tc_reason reason : 8;
	enum precision precision : 8;
	str_id name, op;
	struct tc_dims dims;
	uint32_t count; /* kernels that start inside */
	row_id longest;
	int64_t total_ns, stake_ns; /* clipped to the window; UNKNOWN_I64: the device is unknown */
	int64_t longest_ns;
};
enum tc_device { TC_DEVICE_UNKNOWN, TC_DEVICE_WITHOUT, TC_DEVICE_WITH };
struct tensor_cores {
	struct tc_row *at; /* by kind, most at stake first, ties by time, name and op */
	uint32_t n;
	enum tc_device device;
	int64_t all_ns;       /* of all kernels */
	int64_t used_ns;      /* of those that run on Tensor Cores */
	int64_t untold_ns;    /* of those of which the rules cannot tell */
	int64_t ns[TC_KINDS]; /* sums of the rows */
	int64_t stake_ns[TC_KINDS];
};
/* False with `e` on cancel. */
bool tensor_cores_make(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct tensor_cores *out, struct err *e);
/* Whether any device has them: by compute capability (NVIDIA) or by name (AMD). */
enum tc_device tc_device_of(const struct derived *d);
/* All devices are of makers whose units are no Tensor Cores: of no kernel is it asked whether it uses them. */
bool tc_no_question(const struct derived *d);

/* tc_product.c: M, N, K of a product by the shapes of its op's inputs, and what is wrong with them. */
struct shapes;
struct tc_dims tc_dims_of(const char *op, const struct shapes *s, enum precision p);
/* A product that fell back may have done so for its M; one on Tensor Cores does not suffer from it. */
void tc_dims_blame_m(struct tc_dims *d);
bool tc_op_is_convolution(const char *op);
/* A convolution of 16 bit whose channels are not the innermost dimension. */
bool tc_channels_apart(const struct shapes *s);
#endif
