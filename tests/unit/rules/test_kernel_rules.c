/* model/analysis/kernel_rules: what names and ops say about Tensor Cores, precision, communication. */
#include "model/analysis/names/kernel_words.h"
#include "model/analysis/rules/kernel_rules.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char *const verdicts[] = {"no", "yes", "unknown"};

static enum verdict uses_tc(const struct kernel_rules *r, const char *name)
{
	return (enum verdict)kernel_facts_ask(r, name).uses_tc;
}

static enum precision precision_of(const struct kernel_rules *r, const char *name)
{
	return (enum precision)kernel_facts_ask(r, name).precision;
}

static bool is_collective(const struct kernel_rules *r, const char *name)
{
	return kernel_facts_ask(r, name).collective;
}

static enum verdict eligible(const struct kernel_rules *r, const char *name, const char *op, const char *op_type,
			     const char *equation, enum verdict uses)
{
	struct kernel_facts k = kernel_facts_ask(r, name);
	return kernel_tc_eligible(r, &k, op, op_type, equation, uses);
}

/* name, Tensor Cores by our rules, by XProf's list, precision */
static const struct {
	const char *name;
	enum verdict tc, tc_xprof;
	enum precision precision;
} kernels[] = {
	/* the guide's four, and Volta to Blackwell */
	{"volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", VERDICT_YES, VERDICT_YES, PREC_FP16},
	{"volta_sgemm_128x32_nn", VERDICT_NO, VERDICT_NO, PREC_FP32},
	{"volta_fp16_sgemm_fp16_128x64_nn", VERDICT_NO, VERDICT_NO, PREC_FP16},
	{"turing_fp16_s1688cudnn_fp16_128x128_ldg8_relu_f2f_exp_small_nhwc_tn_v1", VERDICT_YES, VERDICT_YES, PREC_FP16},
	{"volta_s884cudnn_128x64_ldg8_wgrad_nhwc_nt_v1", VERDICT_YES, VERDICT_YES, PREC_FP16},
	{"volta_h884gemm_256x128_ldg8_nn", VERDICT_YES, VERDICT_YES, PREC_FP16},
	{"volta_hgemm_128x64_nn", VERDICT_NO, VERDICT_NO, PREC_FP16},
	{"volta_dgemm_128x64_nn", VERDICT_NO, VERDICT_NO, PREC_FP64},
	{"ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_nn", VERDICT_YES, VERDICT_YES, PREC_BF16},
	{"ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_stages_64x5_tn", VERDICT_YES, VERDICT_YES, PREC_FP16},
	{"turing_int8_i8816gemm_int8_128x128_ldg16_relu_tn", VERDICT_YES, VERDICT_YES, PREC_INT8},
	{"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_16x6_tn_align4>(P)", VERDICT_YES, VERDICT_YES,
	 PREC_TF32},
	{"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8>(P)", VERDICT_YES,
	 VERDICT_NO, PREC_BF16},
	{"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(P)", VERDICT_NO, VERDICT_NO, PREC_FP32},
	{"sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_execute_segment_k_off_kernel__5x_cublas",
	 VERDICT_YES, VERDICT_YES, PREC_TF32},
	{"sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64", VERDICT_YES, VERDICT_NO,
	 PREC_BF16},
	{"sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw_tilesize128x128x8_g1_ffma_aligna4", VERDICT_NO,
	 VERDICT_NO, PREC_FP32},
	{"nvjet_tst_144x128_64x6_2x1_v_bz_bias_TNN", VERDICT_YES, VERDICT_NO, PREC_BF16},
	{"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT", VERDICT_YES, VERDICT_NO, PREC_FP16},
	{"fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16", VERDICT_YES, VERDICT_NO, PREC_FP8},
	{"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_3_64x64x64", VERDICT_YES, VERDICT_NO,
	 PREC_SIXTEEN},
	{"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t>>(P)",
	 VERDICT_YES, VERDICT_NO, PREC_BF16},
	{"void flash_bwd_dot_do_o_kernel<true, Traits<cutlass::half_t>>(P)", VERDICT_NO, VERDICT_NO, PREC_FP16},
	{"fmha_cutlassF_f32_aligned_64x64_rf_sm70(PyTorchMemEffAttention::AttentionKernel<float>)", VERDICT_NO,
	 VERDICT_NO, PREC_FP32},
	/* AMD */
	{"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x192x64_MI16x16x1_SN", VERDICT_YES, VERDICT_YES, PREC_BF16},
	{"Cijk_Alik_Bljk_HBH_MT128x128x16_MI32x32x8x1_SE_1LDSB0", VERDICT_YES, VERDICT_YES, PREC_FP16},
	{"Cijk_Ailk_Bljk_SB_MT64x64x8_SE_TT4_4", VERDICT_UNKNOWN, VERDICT_NO, PREC_FP32},
	{"igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8", VERDICT_YES, VERDICT_YES, PREC_BF16},
	{"batched_transpose_16x32_half", VERDICT_NO, VERDICT_NO, PREC_UNKNOWN},
	/* nothing in the name */
	{"triton_poi_fused_rotate_half_addmm_0", VERDICT_UNKNOWN, VERDICT_NO, PREC_UNKNOWN},
	{"gemm_fusion_dot_general_1", VERDICT_UNKNOWN, VERDICT_NO, PREC_UNKNOWN},
	{"my_secret_gemm_kernel", VERDICT_UNKNOWN, VERDICT_NO, PREC_UNKNOWN},
	{"", VERDICT_UNKNOWN, VERDICT_NO, PREC_UNKNOWN},
	/* what never multiplies matrices */
	{"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
	 "std::array<char*, 3ul> >(int)",
	 VERDICT_NO, VERDICT_NO, PREC_BF16},
	{"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<long>, std::array<char*, 3ul> "
	 ">(int)",
	 VERDICT_NO, VERDICT_NO, PREC_OTHER},
	{"void at::native::unrolled_elementwise_kernel<copy, std::array<char*, 2ul>, 4>(int)", VERDICT_NO, VERDICT_NO,
	 PREC_UNKNOWN},
	{"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<double, MeanOps<double>>>(R)", VERDICT_NO,
	 VERDICT_NO, PREC_FP64},
	{"void vision::ops::(anonymous namespace)::nms_kernel_impl<float>(int, double, float const*)", VERDICT_NO,
	 VERDICT_NO, PREC_FP32},
	/* by the machine code of the libraries: helpers and half products carry the names of products */
	{"sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize64x64x64_warpgroupsize1x1x1_execute_split_k_kernel__5x_"
	 "cublas",
	 VERDICT_NO, VERDICT_YES, PREC_BF16},
	{"void conv2d_c1_k1_nhwc_kernel<__half, __half, __half, float, float, 3, 1, true, true>(float)", VERDICT_NO,
	 VERDICT_YES, PREC_FP16},
	{"sm80_xmma_depthwise_convolution_fprop_tiling_f16f16_f32f32_f32_nhwckrsc_nhwc_tilesize1x6x6", VERDICT_NO,
	 VERDICT_NO, PREC_FP16},
	{"volta_igemm_int8_128x128_ldg4_nt", VERDICT_NO, VERDICT_NO, PREC_INT8},
	{"void RNN_blockPersist_fp_RNN_HMMA<__half, __half, __half, 160>(cudnnRNNMode_t)", VERDICT_YES, VERDICT_NO,
	 PREC_FP16},
	{"nvjet_sm100_qqtst_128x256_128x6_2x1_2cta_v_bz_bias_TNT", VERDICT_YES, VERDICT_NO, PREC_FP8},
	{"nvjet_sss_tf32_128x256_TNT", VERDICT_YES, VERDICT_NO, PREC_TF32},
	{"void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, __hip_bfloat16, (vllm::Fp8KVCacheDataType)0>(x)",
	 VERDICT_NO, VERDICT_NO, PREC_BF16},
	{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", VERDICT_NO, VERDICT_NO,
	 PREC_FP32},
	{"Relu_GPU_DT_FLOAT_DT_FLOAT_kernel", VERDICT_NO, VERDICT_NO, PREC_FP32},
	{"Mul_GPU_DT_HALF_DT_HALF_kernel", VERDICT_NO, VERDICT_NO, PREC_FP16},
	{"AddV2_GPU_DT_INT64_DT_INT64_kernel", VERDICT_NO, VERDICT_NO, PREC_OTHER},
	{"void tensorflow::BiasNHWCKernel<float>(int, float const*)", VERDICT_NO, VERDICT_NO, PREC_FP32},
	{"loop_convert_fusion", VERDICT_NO, VERDICT_NO, PREC_UNKNOWN},
};

static struct kernel_rules *load(const char *set)
{
	struct err e = {0};
	struct kernel_rules *r = kernel_rules_load(set, NULL, &e);
	if (!r)
		fail_msg("%s", e.msg);
	return r;
}

static void names_tell_tensor_cores_and_precision(void **state)
{
	(void)state;
	struct kernel_rules *ours = load("stepscope"), *xprof = load("xprof");
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		const char *name = kernels[i].name;
		enum verdict tc = uses_tc(ours, name), old = uses_tc(xprof, name);
		if (tc != kernels[i].tc || old != kernels[i].tc_xprof)
			fail_msg("%s: %s, xprof %s", name, verdicts[tc], verdicts[old]);
		enum precision p = precision_of(ours, name);
		if (p != kernels[i].precision)
			fail_msg("%s: precision %s", name, precision_name(p) ? precision_name(p) : "unknown");
	}
	kernel_rules_free(ours);
	kernel_rules_free(xprof);
}

static void check_op(const struct kernel_rules *r, const char *op, enum verdict expected)
{
	enum verdict got = eligible(r, "k", op, "", "", VERDICT_NO);
	if (got != expected)
		fail_msg("%s: %s instead of %s", op, verdicts[got], verdicts[expected]);
}

static void xprof_rules_keep_the_slash_of_matmul(void **state)
{
	(void)state;
	struct kernel_rules *r = load("xprof");
	check_op(r, "model/dense/MatMul", VERDICT_YES);
	check_op(r, "MatMul", VERDICT_NO);
	check_op(r, "model/dense/MatMul_1", VERDICT_NO);
	check_op(r, "x/FusedMatMul", VERDICT_YES);
	check_op(r, "gradients/Conv2DBackpropFilter", VERDICT_YES);
	check_op(r, "BatchMatMulV2", VERDICT_YES);
	check_op(r, "aten::mm", VERDICT_NO);
	check_op(r, "", VERDICT_NO);
	kernel_rules_free(r);
}

static void our_rules_know_torch_tensorflow_and_jax_ops(void **state)
{
	(void)state;
	struct kernel_rules *r = load(NULL);
	static const char *const yes[] = {"aten::mm",
					  "aten::addmm",
					  "aten::bmm",
					  "aten::convolution",
					  "aten::cudnn_convolution",
					  "aten::_scaled_dot_product_flash_attention",
					  "MatMul",
					  "model/dense/MatMul_1",
					  "conv/Conv2D",
					  "jit(f)/jit(main)/dot_general"};
	static const char *const no[] = {"aten::relu", "aten::add_", "aten::_softmax", "Relu", "model/BiasAdd"};
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		check_op(r, yes[i], VERDICT_YES);
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		check_op(r, no[i], VERDICT_NO);
	check_op(r, "mylib::fancy", VERDICT_UNKNOWN);
	kernel_rules_free(r);
}

static void einsum_of_two_inputs_is_eligible(void **state)
{
	(void)state;
	struct kernel_rules *r = load("xprof");
	assert_int_equal(eligible(r, "k", "e", "", "ij,jk->ik", VERDICT_NO), VERDICT_YES);
	assert_int_equal(eligible(r, "k", "e", "", "ij->ji", VERDICT_NO), VERDICT_NO);
	assert_int_equal(eligible(r, "k", "e", "", "i,j,k->ijk", VERDICT_NO), VERDICT_NO);
	assert_int_equal(eligible(r, "k", "e", "", "ij,jk->ik->x", VERDICT_NO), VERDICT_NO);
	kernel_rules_free(r);
}

static void a_kernel_that_uses_the_units_makes_its_op_eligible(void **state)
{
	(void)state;
	struct kernel_rules *ours = load("stepscope"), *xprof = load("xprof");
	assert_int_equal(eligible(ours, "k", "", "", "", VERDICT_YES), VERDICT_YES);
	assert_int_equal(eligible(xprof, "k", "custom", "", "", VERDICT_YES), VERDICT_YES);
	assert_int_equal(eligible(xprof, "k", "", "", "", VERDICT_YES), VERDICT_NO); /* op not known */
	kernel_rules_free(ours);
	kernel_rules_free(xprof);
}

static void without_an_op_the_kernel_name_speaks(void **state)
{
	(void)state;
	struct kernel_rules *r = load("stepscope");
	assert_int_equal(eligible(r, "volta_sgemm_128x32_nn", "", "", "", VERDICT_NO), VERDICT_YES);
	assert_int_equal(eligible(r, "void at::native::reduce_kernel<1>()", "", "", "", VERDICT_NO), VERDICT_NO);
	assert_int_equal(eligible(r, "attn_fwd", "", "", "", VERDICT_UNKNOWN), VERDICT_UNKNOWN);
	kernel_rules_free(r);
}

static void helpers_and_element_wise_kernels_of_a_product_are_not_eligible(void **state)
{
	(void)state;
	struct kernel_rules *ours = load(NULL), *xprof = load("xprof");
	static const char *const names[] = {
		"void cublasLt::splitKreduce_kernel<32, 16, int, float, float>(P)",
		"void nchwToNhwcKernel<float, float, float, true, false>(int)",
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_int_equal(eligible(ours, names[i], "aten::addmm", "", "", VERDICT_NO), VERDICT_NO);
		assert_int_equal(eligible(xprof, names[i], "x/Conv2D", "", "", VERDICT_NO), VERDICT_YES);
	}
	assert_int_equal(eligible(ours, "some_product", "aten::addmm", "", "", VERDICT_NO), VERDICT_YES);
	kernel_rules_free(ours);
	kernel_rules_free(xprof);
}

static void collectives_need_not_be_called_nccl(void **state)
{
	(void)state;
	struct kernel_rules *r = load("stepscope");
	assert_true(is_collective(r, "ncclDevKernel_AllGather_RING_LL(x)"));
	assert_true(is_collective(r, "void (anonymous namespace)::multimem_all_reduce_kernel<float>(x)"));
	assert_true(is_collective(r, "void vllm::cross_device_reduce_2stage<half, 8>(x)"));
	assert_false(is_collective(r, "void at::native::reduce_kernel<512>(x)"));
	kernel_rules_free(r);
}

static void sixteen_bits_are_fp16_and_bf16(void **state)
{
	(void)state;
	assert_true(precision_is_16bit(PREC_FP16));
	assert_true(precision_is_16bit(PREC_BF16));
	assert_false(precision_is_16bit(PREC_TF32));
	assert_string_equal(precision_name(PREC_FP16), "fp16");
	assert_null(precision_name(PREC_UNKNOWN));
}

/* Loads `text` as a user's rules file, alone or before a set; NULL and the message on failure. */
static struct kernel_rules *load_text_before(const char *set, const char *text, struct err *e)
{
	char path[] = "/tmp/rules-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	struct kernel_rules *r = set ? kernel_rules_load(set, path, e) : kernel_rules_load(path, NULL, e);
	unlink(path);
	return r;
}

static struct kernel_rules *load_text(const char *text, struct err *e)
{
	return load_text_before(NULL, text, e);
}

static void a_users_file_replaces_the_built_in_set(void **state)
{
	(void)state;
	struct err e = {0};
	struct kernel_rules *r = load_text("version 1\nname mine\n[tensor-core]\ndefault no\nyes begins fast_\r\n"
					   "[options]\noccupancy first\n",
					   &e);
	assert_non_null(r);
	assert_int_equal(uses_tc(r, "fast_one"), VERDICT_YES);
	assert_int_equal(uses_tc(r, "a_fast_one"), VERDICT_NO);
	assert_string_equal(kernel_rules_label(r), "mine 1");
	assert_true(kernel_rules_first_occupancy(r));
	kernel_rules_free(r);
}

static void the_first_rule_that_matches_decides(void **state)
{
	(void)state;
	struct err e = {0};
	struct kernel_rules *r = load_text("[tensor-core]\nno is gemm\nyes has gemm\nunknown re .*\n", &e);
	assert_int_equal(uses_tc(r, "gemm"), VERDICT_NO);
	assert_int_equal(uses_tc(r, "a gemm"), VERDICT_YES);
	assert_int_equal(uses_tc(r, "add"), VERDICT_UNKNOWN);
	kernel_rules_free(r);
}

static void a_users_own_rules_stand_before_the_default_set(void **state)
{
	(void)state;
	const char *own =
		"version 2\nname mine\n[tensor-core]\nyes begins my_secret\nno has s884\n[options]\noccupancy first\n";
	struct err e = {0};
	struct kernel_rules *r = load_text_before("stepscope", own, &e);
	assert_non_null(r);
	assert_int_equal(uses_tc(r, "my_secret_gemm_kernel"), VERDICT_YES);
	assert_int_equal(uses_tc(r, "volta_fp16_s884gemm_fp16"), VERDICT_NO);
	assert_int_equal(uses_tc(r, "volta_h884gemm_256x128"), VERDICT_YES); /* by the set */
	assert_int_equal(precision_of(r, "volta_sgemm_128x32_nn"), PREC_FP32);
	assert_string_equal(kernel_rules_label(r), "mine 2 + stepscope 2026.11");
	assert_true(kernel_rules_first_occupancy(r));
	kernel_rules_free(r);
	r = load_text_before("xprof", own, &e); /* the reference set stands alone */
	assert_int_equal(uses_tc(r, "my_secret_gemm_kernel"), VERDICT_NO);
	kernel_rules_free(r);
}

static void a_verdict_names_its_rule_and_how_sure_it_is(void **state)
{
	(void)state;
	struct err e = {0};
	struct kernel_rules *r = load_text("[tensor-core]\nyes has first\ntrust 40\nno ends last\n", &e);
	struct kernel_facts k = kernel_facts_ask(r, "the first one");
	assert_int_equal(k.uses_tc, VERDICT_YES);
	assert_int_equal(k.tc_trust, 75);
	k = kernel_facts_ask(r, "the last");
	assert_int_equal(k.tc_trust, 40);
	assert_non_null(strstr(kernel_facts_rule(r, &k), ":4: ends last"));
	assert_null(strstr(kernel_facts_rule(r, &k), "/tmp")); /* reports are passed on */
	k = kernel_facts_ask(r, "another");
	assert_int_equal(k.uses_tc, VERDICT_UNKNOWN);
	assert_null(kernel_facts_rule(r, &k));
	kernel_rules_free(r);
}

static void mistakes_are_named_with_their_line(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{"version 3\n", "line 1: this program cannot read rules of version '3'"},
		{"[colour]\n", "line 1: unknown section 'colour'"},
		{"[tensor-core]\nmaybe has x\n", "line 2: unknown verdict 'maybe'"},
		{"[tensor-core]\nyes with x\n", "line 2: expected has, begins, ends, is, re or rei instead of 'with'"},
		{"[tensor-core]\n\nyes has\n", "line 3: no pattern after 'has'"},
		{"[precision]\nfp16 re a(b\n", "line 2: missing closing parenthesis"},
		{"[options]\noccupancy median\n", "line 2: unknown value 'median'"},
		{"[tensor-core]\ntrust 0\n", "line 2: expected a trust of 1 to 100 instead of '0'"},
		{"yes has x\n", "line 1: expected version, name or a [section] instead of 'yes'"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err e = {0};
		assert_null(load_text(wrong[i].text, &e));
		if (!strstr(e.msg, wrong[i].says))
			fail_msg("'%s' does not say '%s'", e.msg, wrong[i].says);
		assert_false(e.unreadable);
	}
	struct err e = {0};
	assert_null(kernel_rules_load("/no/such/file.rules", NULL, &e));
	assert_non_null(strstr(e.msg, "/no/such/file.rules"));
}

/* Names come from traces, and a name must not make the built-in rules give up. */
static void no_name_is_too_costly_for_the_built_in_rules(void **state)
{
	static const char *const pieces[] = {"node ", "a",       "(",     "<",    "half ",   "_add",
					     "::",    "float, ", "gemm_", "1688", "\xc3\xa9"};
	(void)state;
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		enum { BYTES = 300000 };
		size_t n = strlen(pieces[i]);
		char *name = malloc(BYTES + 16);
		assert_non_null(name);
		for (size_t at = 0; at < BYTES; at += n)
			memcpy(name + at, pieces[i], n + 1);
		struct kernel_rules *r = kernel_rules_load(NULL, NULL, NULL);
		struct err e = {0};
		uses_tc(r, name);
		precision_of(r, name);
		if (!kernel_rules_sound(r, &e))
			fail_msg("many '%s': %s", pieces[i], e.msg);
		kernel_rules_free(r);
		free(name);
	}
}

static void words_of_lists_are_found_in_the_same_pass(void **state)
{
	static const struct {
		const char *name;
		uint8_t words;
	} rows[] = {
		{"void at::native::vectorized_elementwise_kernel<4>()", 0},
		{"triton_poi_fused_add_0", 1 << KERNEL_WORDS_APART},
		{"void NCHWToNHWC<float>", 1 << KERNEL_WORDS_APART},
		{"void cutlass::grouped_gemm<2>()", 1 << KERNEL_WORDS_APART | 1 << KERNEL_WORDS_EXPERTS},
		{"MoeGemm", 1 << KERNEL_WORDS_EXPERTS},
		{"MOEGEMM", 0}, /* case counts there */
	};
	struct kernel_rules *r = load(NULL);
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (kernel_facts_ask(r, rows[i].name).words != rows[i].words)
			fail_msg("%s", rows[i].name);
	kernel_rules_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_tensor_cores_and_precision),
		cmocka_unit_test(xprof_rules_keep_the_slash_of_matmul),
		cmocka_unit_test(our_rules_know_torch_tensorflow_and_jax_ops),
		cmocka_unit_test(einsum_of_two_inputs_is_eligible),
		cmocka_unit_test(a_kernel_that_uses_the_units_makes_its_op_eligible),
		cmocka_unit_test(without_an_op_the_kernel_name_speaks),
		cmocka_unit_test(helpers_and_element_wise_kernels_of_a_product_are_not_eligible),
		cmocka_unit_test(collectives_need_not_be_called_nccl),
		cmocka_unit_test(sixteen_bits_are_fp16_and_bf16),
		cmocka_unit_test(a_users_file_replaces_the_built_in_set),
		cmocka_unit_test(the_first_rule_that_matches_decides),
		cmocka_unit_test(a_users_own_rules_stand_before_the_default_set),
		cmocka_unit_test(a_verdict_names_its_rule_and_how_sure_it_is),
		cmocka_unit_test(mistakes_are_named_with_their_line),
		cmocka_unit_test(no_name_is_too_costly_for_the_built_in_rules),
		cmocka_unit_test(words_of_lists_are_found_in_the_same_pass),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
