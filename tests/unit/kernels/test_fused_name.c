/* Names of Inductor's kernels: the ops they list, some of which hold underscores themselves. */
#include "model/analysis/compiled/fused_name.h"
#include "tests/unit/unit.h"

static void names_tell_their_ops(void **state)
{
	static const struct {
		const char *name, *backend, *sort, *ops;
	} cases[] = {
		{"triton_red_fused_add_mean_mul_pow_rsqrt_0", "triton", "reduction", "add, mean, mul, pow, rsqrt"},
		{"triton_poi_fused__to_copy_1", "triton", "pointwise", "_to_copy"},
		{"triton_per_fused__softmax__to_copy_add_12", "triton", "persistent reduction",
		 "_softmax, _to_copy, add"},
		{"triton_poi_fused_constant_pad_nd_moe_forward_0", "triton", "pointwise",
		 "constant_pad_nd, moe_forward"},
		{"triton_red_fused_native_layer_norm_native_layer_norm_backward_sum_1", "triton", "reduction",
		 "native_layer_norm, native_layer_norm_backward, sum"},
		{"triton_tem_fused_addmm_relu_3", "triton", "template", "addmm, relu"},
		{"triton_poi_fused_0", "triton", "pointwise", ""},
		{"triton_poi_fused_bitwise_and_bitwise_not_ge_lt_sub_0", "triton", "pointwise",
		 "bitwise_and, bitwise_not, ge, lt, sub"},
		{"triton_poi_fused_sum2d_7", "triton", "pointwise", "sum2d"},
		{"cpp_fused_gelu_mul_0", "cpp", NULL, "gelu, mul"},
		{"graph_0_cpp_fused__softmax_backward_data_0", "cpp", NULL, "_softmax_backward_data"},
	};
	struct arena mem = {0};
	struct fused_name x;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(fused_name_parse(cases[i].name, &x, &mem));
		assert_string_equal(x.backend, cases[i].backend);
		assert_string_equal(x.sort ? x.sort : "", cases[i].sort ? cases[i].sort : "");
		assert_string_equal(x.ops, cases[i].ops);
	}
	arena_free(&mem);
}

static void other_names_tell_nothing(void **state)
{
	static const char *const names[] = {"triton_kernel",
					    "triton__0d1d2d",
					    "_fused_add_0",
					    "cpp_extension",
					    "graph_cpp_fused_add",
					    "triton_poi_",
					    ""};
	struct arena mem = {0};
	struct fused_name x;
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_false(fused_name_parse(names[i], &x, &mem));
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_their_ops),
		cmocka_unit_test(other_names_tell_nothing),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
