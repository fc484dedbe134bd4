/* Arithmetic and traffic of one run of an op from what it was given, against numbers worked out by hand. */
#include "model/analysis/costs/op_cost.h"
#include "model/analysis/costs/op_cost_private.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define UNKNOWN NAN
#define FLOATS  "[\"float\", \"float\", \"float\"]"
#define HALVES  "[\"c10::Half\", \"c10::Half\", \"c10::Half\", \"c10::Half\"]"

static const struct {
	const char *name, *dims, *types, *values;
	double flops, bytes;
} torch[] = {
	{"aten::mm", "[[3, 4], [4, 5]]", FLOATS, "", 2 * 3 * 4 * 5, 4 * (12 + 20 + 15)},
	{"aten::addmm", "[[5], [3, 4], [4, 5], [], []]", FLOATS, "", 120, 4 * (5 + 12 + 20 + 15)},
	{"aten::bmm", "[[7, 3, 4], [7, 4, 5]]", HALVES, "", 7 * 120, 2 * 7 * (12 + 20 + 15)},
	{"aten::matmul", "[[2, 7, 3, 4], [4, 5]]", FLOATS, "", 14 * 120, 4 * (14 * 12 + 20 + 14 * 15)},
	{"aten::linear", "[[2, 3, 4], [5, 4], [5]]", FLOATS, "", 2 * 6 * 4 * 5, 4 * (24 + 20 + 30)},
	{"aten::_scaled_mm", "[[16, 32], [32, 8]]", "[\"c10::Float8_e4m3fn\", \"c10::Float8_e4m3fn\"]", "",
	 2 * 16 * 32 * 8, 16 * 32 + 32 * 8 + 16 * 8},
	{"aten::mm", "[[3, 4], [5, 4]]", FLOATS, "", UNKNOWN, UNKNOWN}, /* do not fit */
	{"aten::mm", "[[3, 4], [4, 5]]", "", "", 120, UNKNOWN},         /* types not recorded */
	/* 8 of 3 x 32 x 32, 16 filters of 3 x 3, stride 2, padding 1: 16 x 16 positions */
	{"aten::convolution", "[[8, 3, 32, 32], [16, 3, 3, 3], [], [], [], [], [], [], []]", FLOATS,
	 "[\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]",
	 2.0 * 8 * 256 * 16 * 27, 4.0 * (8 * 3 * 1024 + 16 * 27 + 8 * 256 * 16)},
	{"aten::cudnn_convolution", "[[8, 3, 32, 32], [16, 3, 3, 3]]", FLOATS,
	 "[\"\", \"\", \"[1, 1]\", \"[2, 2]\", \"[1, 1]\", \"1\"]", 2.0 * 8 * 256 * 16 * 27,
	 4.0 * (8 * 3 * 1024 + 16 * 27 + 8 * 256 * 16)},
	{"aten::miopen_convolution", "[[8, 3, 32, 32], [16, 3, 3, 3], []]", FLOATS,
	 "[\"\", \"\", \"\", \"[1, 1]\", \"[2, 2]\", \"[1, 1]\", \"1\"]", 2.0 * 8 * 256 * 16 * 27,
	 4.0 * (8 * 3 * 1024 + 16 * 27 + 8 * 256 * 16)},
	/* depthwise: each of 16 channels meets one 3 x 3 filter */
	{"aten::_conv_depthwise2d", "[[1, 16, 8, 8], [16, 1, 3, 3]]", FLOATS,
	 "[\"\", \"\", \"[3, 3]\", \"\", \"[1, 1]\", \"[1, 1]\", \"[1, 1]\"]", 2.0 * 64 * 16 * 9,
	 4.0 * (16 * 64 + 16 * 9 + 16 * 64)},
	{"aten::convolution", "[[8, 3, 32, 32], [16, 3, 3, 3]]", FLOATS, "", UNKNOWN, UNKNOWN}, /* no stride recorded */
	/* transposed: each of 4 x 5 x 5 inputs meets 6 x 2 x 2 */
	{"aten::convolution", "[[1, 4, 5, 5], [4, 6, 2, 2], []]", FLOATS,
	 "[\"\", \"\", \"\", \"[2, 2]\", \"[0, 0]\", \"[1, 1]\", \"True\", \"[0, 0]\", \"1\"]", 2.0 * 100 * 24,
	 UNKNOWN},
	/* both gradients: twice the forward's */
	{"aten::convolution_backward", "[[8, 16, 16, 16], [8, 3, 32, 32], [16, 3, 3, 3]]", FLOATS,
	 "[\"\", \"\", \"\", \"[0]\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\", \"[True, True, "
	 "False]\"]",
	 2 * 2.0 * 8 * 256 * 16 * 27, 4.0 * (8 * 16 * 256 + 2 * (8 * 3 * 1024 + 16 * 27))},
	{"aten::convolution_backward", "[[8, 16, 16, 16], [8, 3, 32, 32], [16, 3, 3, 3]]", FLOATS,
	 "[\"\", \"\", \"\", \"[0]\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\", \"[False, "
	 "True, False]\"]",
	 2.0 * 8 * 256 * 16 * 27, 4.0 * (8 * 16 * 256 + 8 * 3 * 1024 + 16 * 27)},
	/* 2 sequences of 10, 4 heads of 8: 10 x 10 pairs, two products */
	{"aten::_flash_attention_forward", "[[2, 10, 4, 8], [2, 10, 4, 8], [2, 10, 4, 8], [], []]", HALVES,
	 "[\"\", \"\", \"\", \"\", \"\", \"10\", \"10\", \"0.\", \"False\", \"False\"]", 4.0 * 2 * 4 * 100 * 8,
	 4 * 2.0 * 2 * 10 * 4 * 8},
	{"aten::_flash_attention_forward", "[[2, 10, 4, 8], [2, 10, 4, 8], [2, 10, 4, 8], [], []]", HALVES,
	 "[\"\", \"\", \"\", \"\", \"\", \"10\", \"10\", \"0.\", \"True\", \"False\"]", 4.0 * 2 * 4 * 55 * 8,
	 4 * 2.0 * 2 * 10 * 4 * 8},
	/* one key head for four query heads; keys four times as long */
	{"aten::_scaled_dot_product_efficient_attention", "[[2, 4, 10, 8], [2, 1, 40, 8], [2, 1, 40, 8]]", HALVES,
	 "[\"\", \"\", \"\", \"\", \"False\", \"0.\", \"False\"]", 4.0 * 2 * 4 * 400 * 8,
	 2.0 * (2 * 640 + 2 * 2 * 320)},
	{"aten::_scaled_dot_product_flash_attention_backward",
	 "[[2, 4, 10, 8], [2, 4, 10, 8], [2, 4, 10, 8], [2, 4, 10, 8]]", HALVES,
	 "[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"0.\", \"False\"]", 10.0 * 2 * 4 * 100 * 8,
	 8 * 2.0 * 640},
	{"aten::_flash_attention_forward", "[[100, 4, 8], [100, 4, 8], [100, 4, 8], [5], [5]]", HALVES,
	 "[\"\", \"\", \"\", \"\", \"\", \"40\", \"40\", \"0.\", \"False\"]", UNKNOWN, UNKNOWN}, /* lengths vary */
	{"aten::add", "[[6, 1, 4], [5, 4], []]", FLOATS, "", 120, 4 * (24 + 20 + 120)},
	{"aten::mul_", "[[6, 4], []]", HALVES, "", 24, 2 * 48},
	{"aten::gt", "[[6, 4], []]", FLOATS, "", 24, 4 * 24 + 24},
	{"aten::copy_", "[[6, 4], [6, 4], []]", "[\"c10::Half\", \"float\"]", "", 0, 2 * 24 + 4 * 24},
	{"aten::clamp_min", "[[6, 4], [], [6, 4]]", "[\"float\", \"Scalar\", \"float\"]", "", 24,
	 4 * 48}, /* into the last one */
	{"aten::fill_", "[[6, 4], []]", FLOATS, "", 0, 4 * 24},
	{"aten::add", "[[6, 5], [4, 5]]", FLOATS, "", UNKNOWN, UNKNOWN},
	/* not what it looks like */
	{"aten::mm", "[[3, 4], [4", FLOATS, "", UNKNOWN, UNKNOWN},
	{"aten::mm", "", FLOATS, "", UNKNOWN, UNKNOWN},
	{"aten::mm", "[[3, -4], [-4, 5]]", FLOATS, "", UNKNOWN, UNKNOWN},
	{"aten::mm", "[[1,2,3,4,5,6,7,8,9,10,11], [11, 2]]", FLOATS, "", UNKNOWN, UNKNOWN},
	{"aten::add", "[[[2, 2], [3, 3]], []]", FLOATS, "", UNKNOWN, UNKNOWN},
	{"aten::mm", "[[33554432, 4096], [4096, 1048576]]", FLOATS, "", 0x1p58, 4 * (0x1p37 + 0x1p32 + 0x1p45)},
	{"aten::mm", "[[4294967296, 4294967296], [4294967296, 1]]", FLOATS, "", UNKNOWN,
	 UNKNOWN}, /* in nobody's memory */
	{"aten::add", "[[1e300, 1e300], []]", FLOATS, "", UNKNOWN, UNKNOWN},
};

static const struct {
	const char *type, *equation, *shape;
	double flops, bytes;
} tensorflow[] = {
	{"MatMul", "", "(half[64,512];half[512,1024])", 2.0 * 64 * 512 * 1024,
	 2.0 * (64 * 512 + 512 * 1024 + 64 * 1024)},
	{"MatMul", "", "(float[64,512];float[1024,512])", 2.0 * 64 * 512 * 1024,
	 4.0 * (64 * 512 + 512 * 1024 + 64 * 1024)},
	{"MatMul", "", "(float[512,64];float[512,1024])", 2.0 * 64 * 512 * 1024,
	 4.0 * (64 * 512 + 512 * 1024 + 64 * 1024)},
	{"MatMul", "", "(float[64,128];float[64,128])", UNKNOWN, UNKNOWN}, /* either one may be transposed */
	{"MatMul", "", "(float[64,64];float[64,64])", 2.0 * 64 * 64 * 64, 4.0 * 3 * 64 * 64},
	{"BatchMatMulV2", "", "(float[8,64,32];float[8,32,16])", 2.0 * 8 * 64 * 32 * 16,
	 4.0 * 8 * (64 * 32 + 32 * 16 + 64 * 16)},
	{"Einsum", "abc,cde->abde", "(float[2,3,4];float[4,5,6])", 2.0 * 6 * 4 * 30, 4.0 * (24 + 120 + 180)},
	{"Einsum", "abc,cd->abd", "(float[2,3,4];float[5,6])", UNKNOWN, UNKNOWN},
	{"AddV2", "", "(float[6,4];float[4])", 24, 4 * (24 + 4 + 24)},
	{"Relu", "", "(half[64,1024])", 65536, 2 * 2 * 65536},
	{"MatMul", "", "(float[64,512])", UNKNOWN, UNKNOWN},
	{"MatMul", "", "(float[64", UNKNOWN, UNKNOWN},
};

static void same(const char *what, const char *shape, double got, double expected)
{
	if (isnan(expected) ? !isnan(got) : got != expected)
		fail_msg("%s %s: %.17g instead of %.17g", what, shape, got, expected);
}

static struct arg_text text(const char *z)
{
	return (struct arg_text){z, strlen(z)};
}

static void ops_of_pytorch_cost_what_their_inputs_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof torch / sizeof *torch; i++) {
		struct op_args a;
		int rule = op_cost_rule_torch(torch[i].name, strlen(torch[i].name));
		if (rule == COST_NONE)
			fail_msg("no rule for %s", torch[i].name);
		op_args_torch(&a, text(torch[i].dims), text(torch[i].types), text(torch[i].values));
		struct op_cost cost = op_cost_torch(rule, &a);
		same(torch[i].name, torch[i].dims, cost.flops, torch[i].flops);
		same(torch[i].name, torch[i].dims, cost.bytes, torch[i].bytes);
	}
}

/* A view of one row, repeated 64 times: the row is read once, the result is written as a whole. */
static void broadcast_views_are_read_once(void **state)
{
	(void)state;
	struct op_args a, source;
	int rule = op_cost_rule_torch("aten::div", strlen("aten::div"));
	op_args_torch(&a, text("[[64, 1024], []]"), text("[\"float\", \"Scalar\"]"), text(""));
	op_args_strides(&a, text("[[1024, 1], []]"));
	same("div", "as it lies", op_cost_torch(rule, &a).bytes, 4 * (2 * 64 * 1024));
	op_args_strides(&a, text("[[0, 1], []]"));
	same("div", "stride 0", op_cost_torch(rule, &a).bytes, 4 * (1024 + 64 * 1024));
	op_args_torch(&a, text("[[64, 1024], []]"), text("[\"float\", \"Scalar\"]"), text(""));
	op_args_torch(&source, text("[[64, 1], [], []]"), text("[\"float\"]"), text(""));
	assert_true(tensor_expanded_from(&a.tensors[0], &source.tensors[0]));
	same("div", "expanded", op_cost_torch(rule, &a).bytes, 4 * (64 + 64 * 1024));
	op_args_torch(&source, text("[[32, 1]]"), text("[\"float\"]"), text(""));
	assert_false(tensor_expanded_from(&a.tensors[0], &source.tensors[0]));
}

static void ops_of_tensorflow_cost_what_their_shapes_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof tensorflow / sizeof *tensorflow; i++) {
		struct op_args a;
		int rule = op_cost_rule_tensorflow(tensorflow[i].type, strlen(tensorflow[i].type));
		if (rule == COST_NONE)
			fail_msg("no rule for %s", tensorflow[i].type);
		op_args_tensorflow(&a, text(tensorflow[i].shape));
		struct op_cost cost = op_cost_tensorflow(rule, tensorflow[i].equation, &a);
		same(tensorflow[i].type, tensorflow[i].shape, cost.flops, tensorflow[i].flops);
		same(tensorflow[i].type, tensorflow[i].shape, cost.bytes, tensorflow[i].bytes);
	}
}

static void other_ops_have_no_rule(void **state)
{
	static const char *const names[] = {"aten::view", "mm", "aten::", "aten::mm_", "", "_", "aten::sum", "MatMul"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(op_cost_rule_torch(names[i], strlen(names[i])), COST_NONE);
	assert_int_equal(op_cost_rule_tensorflow("", 0), COST_NONE);
	assert_int_equal(op_cost_rule_tensorflow("mm", 2), COST_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ops_of_pytorch_cost_what_their_inputs_say),
		cmocka_unit_test(broadcast_views_are_read_once),
		cmocka_unit_test(ops_of_tensorflow_cost_what_their_shapes_say),
		cmocka_unit_test(other_ops_have_no_rule),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
