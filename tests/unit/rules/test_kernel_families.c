/* What kernels do, by their names and ops. */
#include "model/analysis/kernels/kernel_families.h"
#include "tests/unit/ask.h"

static const struct {
	const char *family, *kernel, *op;
} known[] = {
	{"optimizer", "void (anonymous namespace)::lamb_cuda_kernel<float>(float*)", ""},
	{"optimizer", "void LAMBStage1Functor<float>(float*)", ""},
	{"optimizer", "fused_lamb", ""},
	{"other", "void user::lambda_kernel<int>(int*)", ""},
	{"gemm", "fused_moe_kernel_gptq_awq", ""},
	{"gemm", "void tensorrt_llm::kernels::cutlass_kernels::fusedMoeKernel<int>(int)", ""},
	{"gemm", "void mul_mat_vec_q<(ggml_type)2, 1>(void const*)", ""},
	{"gemm", "triton_mm", ""},
	{"attention", "_mla_decode_kernel", ""},
	{"attention", "fused_recurrent_gated_delta_rule_fwd_kernel", ""},
	{"norm", "void transformer_engine::normalization::ln_fwd_tuned_kernel<int>(int)", ""},
	{"sort", "void vllm::moe::moe_align_block_size_kernel<int>(int*)", ""},
	{"conv", "naive_conv_nonpacked_fwd_nchw_half_double_half", ""},
	{"reduce", "liger_cross_entropy_kernel", ""},
	{"elementwise", "_geglu_tanh_forward_kernel", ""},
	{"elementwise", "rope_norm", ""},
	{"elementwise", "aclnnAdd_AddAiCore_Add", ""},
	{"collective", "hcom_allReduce__512_0_1", ""},
	{"collective", "aclnnMoeDistributeDispatch", ""},
	{"gemm", "volta_sgemm_128x64_nn", ""},
	{"gemm", "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_nn", ""},
	{"gemm", "nvjet_tst_64x64_64x16_2x1_2cta_h_bz_TNT", ""},
	{"gemm", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_kernel", ""},
	{"gemm", "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN", ""},
	{"gemm", "void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, false>(int)", ""},
	{"gemm", "splitKreduce_kernel", ""},
	{"gemm", "bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16", ""},
	{"gemm", "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>(int)",
	 ""},
	{"gemm", "unheard_of", "aten::addmm"},
	{"gemm", "unheard_of", "model/dense/MatMul"},
	{"gemm", "gemm_fusion_dot_general_1.kd", ""},
	{"gemm", "void deep_gemm::fp8_wgrad_gemm_kernel<7168u, 128u, 128u, 128u>(unsigned int, CUtensorMap_st)", ""},
	{"gemm", "_ZN5aiter42fmoe_bf16_blockscaleFp8_g1u1_novs_silu_1tg_32x256E", ""},
	{"collective",
	 "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768>(__nv_bfloat16*, float*, __nv_bfloat16 const*, float "
	 "const*, int const*)",
	 ""},
	{"collective", "void deep_ep::internode_ll::dispatch<true, 3, 10, 7168>(void*, float*, int*, long*)", ""},
	{"collective", "void deep_ep::intranode::cached_notify_combine<8>(void**, int*, int, int, int, int*, int)", ""},
	{"collective", "void barrier_on_stream_kernel_threadgroup<(threadgroup_t)2>(int, int)", ""},
	{"attention", "_ZN5aiter32pa_bf16_pertokenFp8_gqa8_2tg_4wE", ""},
	{"attention", "void flash::prepare_varlen_num_blocks_kernel<1, true>(int, int, int, int const*)", ""},
	{"gemm",
	 "void tensorrt_llm::kernels::weight_only::kernel<tensorrt_llm::kernels::weight_only::KernelDetails<x>, 1, "
	 "8>(x)",
	 ""},
	{"other",
	 "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(long const*, int*, int*, int*, bool*, int, int, int, "
	 "int)",
	 ""},
	{"attention",
	 "void flashinfer::BatchDecodeWithPagedKVCacheKernel<flashinfer::DefaultAttention<false, false, false, false>, "
	 "2u, 4u, 8u, 16u, 8u>(flashinfer::BatchDecodeParams<>)",
	 ""},
	{"attention", "void flashinfer::MergeStatesKernel<8u, 16u, 8u, 4u, __half, __half>(__half*, float*)", ""},
	{"attention", "_ZN5aiter37mla_a16w16_qh16_m16x4_n16x1_coex0_mask1E", ""},
	{"sort", "void flashinfer::sampling::RadixTopKMaskLogitsKernel_MultiCTA<1024u, float>(float*)", ""},
	{"norm", "void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>(__nv_bfloat16*)", ""},
	{"conv", "volta_scudnn_128x64_relu_interior_nn_v1", ""},
	{"conv", "void implicit_convolve_sgemm<float, float, 128, 5, 5, 3, 3, 3, 1, false, true, true>(int)", ""},
	{"conv", "sm80_xmma_dgrad_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x32", ""},
	{"conv", "void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(int)", ""},
	{"conv", "igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt256x64x32", ""},
	{"conv", "void fft2d_r2c_32x32<float, false, 0u, false>(float2*)", ""},
	{"conv",
	 "_ZN2ck16tensor_operation6device12_GLOBAL__N_149kernel_grouped_conv_fwd_multiple_abd_xdl_cshuffleIiEEvT_", ""},
	{"attention", "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64> >(int)", ""},
	{"attention", "fmha_cutlassF_bf16_aligned_64x128_rf_sm80(PyTorchMemEffAttention::AttentionKernel<1>::Params)",
	 ""},
	{"attention", "fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128PersistentContext", ""},
	{"attention", "void paged_attention_ll4mi_QKV_mfma16_kernel<0>(int)", ""},
	{"norm", "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int)", ""},
	{"norm", "void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 512, true, 1>(float)", ""},
	{"norm", "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi64ELi8ELb0ELb0ELb1ELi1EEEvPT0_", ""},
	{"norm", "triton_red_fused_add_addmm_mul_native_layer_norm_split_unsqueeze_view_22", ""},
	{"softmax", "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, false>(float*)",
	 ""},
	{"softmax", "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, float>(float*)", ""},
	{"reduce",
	 "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float> > >(int)", ""},
	{"reduce", "triton_red_fused_add_mean_mul_pow_rsqrt_0", ""},
	{"reduce", "void at_cuda_detail::cub::DeviceReduceSingleTileKernel<int>(int*)", ""},
	{"reduce", "input_reduce_fusion.kd", ""},
	{"elementwise", "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int)",
	 ""},
	{"elementwise", "triton_poi_fused_add_addmm_silu_4", ""},
	{"elementwise", "Mul_GPU_DT_FLOAT_DT_FLOAT_kernel", ""},
	{"elementwise", "loop_sqrt_fusion.kd", ""},
	{"elementwise", "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16EvPT_", ""},
	{"copy/cast",
	 "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(int)::{lambda()#3}>(int)",
	 ""},
	{"copy/cast", "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >(int)", ""},
	{"copy/cast", "batched_transpose_32x32_half", ""},
	{"copy/cast", "void cudnn::ops::nchwToNhwcKernel<float>(int)", ""},
	{"copy/cast", "triton_poi_fused_clone_transpose_21", ""},
	{"copy/cast", "__amd_rocclr_copyBuffer.kd", ""},
	{"copy/cast", "wrapped_convert.kd", ""},
	{"embedding", "void dense_embedding_codegen_forward_unweighted_kernel<float>(int)", ""},
	{"embedding", "void at::native::(anonymous namespace)::indexSelectLargeIndex<float>(int)", "aten::embedding"},
	{"indexing", "void at::native::(anonymous namespace)::indexSelectLargeIndex<float>(int)", "aten::index_select"},
	{"indexing",
	 "void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<at::native::index_kernel_impl"
	 "<at::native::OpaqueType<4> >(at::TensorIteratorBase&)>(long)",
	 "aten::index"},
	{"indexing",
	 "void at::native::_scatter_gather_elementwise_kernel<128, 8, at::native::_cuda_scatter_gather_internal_kernel"
	 "<true, float>::operator()<at::native::ReduceAdd>(float*)>(int)",
	 ""},
	{"indexing", "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int)", "aten::gather"},
	{"embedding", "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int)",
	 "aten::embedding"},
	{"indexing", "loop_gather_fusion.kd", ""},
	{"indexing", "input_scatter_fusion", ""},
	{"collective", "void vllm::reduce_scatter_kernel<float>(float*)", ""},
	{"optimizer",
	 "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<int, AdamFunctor<float> >(int)", ""},
	{"collective", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)", ""},
	{"collective", "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)", ""},
	{"sort", "void cub::DeviceRadixSortSingleTileKernel<int>(long const*)", ""},
	{"sort", "_topk_forward", ""},
	{"rng", "void tensorflow::functor::FillPhiloxRandomKernelLaunch<int>(int)", ""},
	{"rng", "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float>(int)", ""},
	{"other", "triton", ""},
	{"other", "", ""},
};

static void kernels_belong_to_families(void **state)
{
	(void)state;
	struct err e = {0};
	struct family_rules *r = family_rules_load(NULL, &e);
	if (!r)
		fail_msg("%s", e.msg);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const char *got = kernel_family_word(family_of(r, known[i].kernel, known[i].op));
		if (strcmp(got, known[i].family))
			fail_msg("%s (%s): %s instead of %s", known[i].kernel, known[i].op, got, known[i].family);
	}
	family_rules_free(r);
}

static struct derived *some_kernels(void)
{
	struct build b = build_new("chrome");
	kernel(&b, 0, 7, "volta_sgemm_128x64_nn", 0, 30, 0);
	kernel(&b, 0, 7, "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", 30, 60, 0);
	kernel(&b, 0, 8, "volta_sgemm_128x64_nn", 90, 10, 0);
	kernel(&b, 0, 8, "wrapped_convert.kd", 200, 100, 0);
	return derive(&b);
}

static void families_are_summed_up(void **state)
{
	(void)state;
	struct derived *d = some_kernels();
	struct table *t = ask(d, "kernel_families");
	assert_int_equal(t->n_rows, 2);
	uint32_t gemm = strcmp(text_of(t, 0, "family"), "gemm") ? 1 : 0;
	assert_int_equal(int_of(t, gemm, "total_ns"), US(100));
	assert_int_equal(int_of(t, gemm, "kernels"), 3);
	assert_int_equal(int_of(t, gemm, "kernel_names"), 2);
	assert_string_equal(shown(t, gemm, "kernel_time_pct"), "50.0 %");
	assert_string_equal(shown(t, gemm, "tc_pct"), "60.0 %");
	assert_string_equal(text_of(t, gemm, "top_kernel"), "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn");
	assert_int_equal(sum_of(t, "total_ns"), sum_of(ask(d, "kernels"), "total_ns"));
	ask_done(d);
}

static void a_window_cuts_families_like_kernels(void **state)
{
	(void)state;
	struct derived *d = some_kernels();
	struct table *t = ask_window(d, "kernel_families", US(80), US(95));
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(int_of(t, 0, "total_ns"), US(15));
	assert_int_equal(int_of(t, 0, "kernels"), 1);
	ask_done(d);
}

static const struct {
	enum copying says;
	const char *kernel, *op;
} moving[] = {
	{COPYING_LAYOUT, "void nchwToNhwcKernel<float, float, float, true, false>(int)", ""},
	{COPYING_LAYOUT, "input_transpose_fusion_1", "x"},
	{COPYING_CONVERSION, "wrapped_convert.kd", ""},
	{COPYING_CONVERSION,
	 "void at::native::vectorized_elementwise_kernel<4, at::native::bfloat16tofloat32_copy_kernel_cuda(int)>(int)",
	 "aten::copy_"},
	{COPYING_CONVERSION, "unheard_of", "model/layer_1/self_attention/Cast_2"},
	{COPYING_CONCATENATION, "unheard_of", "model/concat/ConcatV2"},
	{COPYING_PLAIN,
	 "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::"
	 "direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}>>(int)",
	 "aten::copy_"},
	{COPYING_PLAIN, "__amd_rocclr_copyBuffer.kd", ""},
	{COPYING_NONE, "wrapped_broadcast.kd", ""},
	{COPYING_NONE, "sage_quant_kernel", ""},
	{COPYING_NONE, "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int)", "aten::index"},
};

static void what_only_moves_values_says_what_it_changes(void **state)
{
	(void)state;
	struct err e = {0};
	struct family_rules *r = family_rules_load(NULL, &e);
	assert_non_null(r);
	struct strings *texts = strings_new();
	for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
		strings_addz(texts, moving[i].kernel);
		strings_addz(texts, moving[i].op);
	}
	struct family_memo memo = {r, texts, family_answers_new(strings_count(texts))};
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
			str_id name = strings_addz(texts, moving[i].kernel), op = strings_addz(texts, moving[i].op);
			if (copying_memo_of(&memo, name, op) != moving[i].says)
				fail_msg("%s (%s)", moving[i].kernel, moving[i].op);
		}
	family_answers_free(memo.answers);
	strings_free(texts);
	family_rules_free(r);
}

/* What is found in the mangled name, in its beginning alone or in the readable text only, and names that cannot be read. */
static const char *const mangled[] = {
	"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_",
	"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastIZZZNS0_23direct_copy_kernel_"
	"cudaERNS_"
	"18TensorIteratorBaseEENKUlvE1_clEvENKUlvE5_clEvEUlfE_EEvS4_RKT_EUliE_EEviT1_",
	"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastIZZZNS0_17clamp_kernel_cudaERNS_"
	"18TensorIteratorBaseEENKUlvE1_clEvENKUlvE5_clEvEUlfE_EEvS4_RKT_EUliE_EEviT1_",
	"_ZN7cutlass7Kernel2I66cutlass_80_tensorop_f16_s16816gemm_f16_256x128_32x3_tn_align8_cudnnEEvNT_6ParamsE",
	"_ZN7cutlass6KernelI40cutlass_tensorop_f16_fprop_optimized_128EEvNT_6ParamsE",
	"_ZN5flash16flash_fwd_kernelI10Fwd_traitsILi128EEEEvNS_16Flash_fwd_paramsE",
	"_ZN4user3runIN3cub6deviceEEEvT_",
	"_ZN4user3runINS_2atEZNS_5otherEvEUlvE_EEvT0_",
	"_ZN4user6kernelIN4gemm4softE3maxEEvT_",
	"_ZN5aiter42fmoe_bf16_blockscaleFp8_g1u1_novs_silu_1tg_32x256E",
	"_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIN3c104HalfENS0_14func_wrapper_t",
	"_ZN4user5radixILi1EE4sortEv",
	"_Zwhat_is_this_softmax",
};

static void mangled_names_say_what_their_readable_texts_say(void **state)
{
	(void)state;
	struct err e = {0};
	struct family_rules *r = family_rules_load(NULL, &e);
	struct strings *texts = strings_new();
	assert_non_null(r);
	for (size_t i = 0; i < sizeof mangled / sizeof *mangled; i++)
		strings_addz(texts, mangled[i]);
	struct family_memo memo = {r, texts, family_answers_new(strings_count(texts))};
	for (size_t i = 0; i < sizeof mangled / sizeof *mangled; i++)
		if (family_memo_of(&memo, strings_addz(texts, mangled[i]), 0) != family_of(r, mangled[i], ""))
			fail_msg("%s", mangled[i]);
	family_answers_free(memo.answers);
	strings_free(texts);
	family_rules_free(r);
}

/* Names made of what rules look for, whole and as parts of other words. */
static const char *const parts[] = {"cast",
				    "convert",
				    "copy_kernel",
				    "mla_",
				    "lamb_",
				    "gemm",
				    "conv2d",
				    "bn_fw",
				    "sort",
				    "attn",
				    "topk",
				    "fmha",
				    "sum_",
				    "rope",
				    "x",
				    "_",
				    "elementwise_kernel",
				    "index",
				    "Rms",
				    "Norm",
				    "fill",
				    "dot_kernel"};

static void add_identifier(char *name, uint32_t seed)
{
	enum { PARTS = sizeof parts / sizeof *parts, MOST_PARTS = 3, BYTES = 96 };
	char own[BYTES] = "";
	for (uint32_t k = 0; k <= seed % MOST_PARTS; k++)
		strcat(own, parts[seed / (k ? k * PARTS : 1) % PARTS]);
	sprintf(name + strlen(name), "%zu%s", strlen(own), own);
}

static void made_up_mangled_names_say_what_their_readable_texts_say(void **state)
{
	enum { NAMES = 6000, BYTES = 512 };
	static char names[NAMES][BYTES];
	(void)state;
	struct err e = {0};
	struct family_rules *r = family_rules_load(NULL, &e);
	struct strings *texts = strings_new();
	assert_non_null(r);
	for (uint32_t i = 0; i < NAMES; i++) {
		strcpy(names[i], "_ZN4user");
		add_identifier(names[i], i * 2654435761u >> 7);
		strcat(names[i], i % 2 ? "I" : "ILi4E");
		add_identifier(names[i], i * 2246822519u >> 9);
		strcat(names[i], i % 3 ? "EEvT_" : "EEvi");
		strings_addz(texts, names[i]);
	}
	struct family_memo memo = {r, texts, family_answers_new(strings_count(texts))};
	for (uint32_t i = 0; i < NAMES; i++)
		if (family_memo_of(&memo, strings_addz(texts, names[i]), 0) != family_of(r, names[i], ""))
			fail_msg("%s", names[i]);
	family_answers_free(memo.answers);
	strings_free(texts);
	family_rules_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_moves_values_says_what_it_changes),
		cmocka_unit_test(mangled_names_say_what_their_readable_texts_say),
		cmocka_unit_test(made_up_mangled_names_say_what_their_readable_texts_say),
		cmocka_unit_test(kernels_belong_to_families),
		cmocka_unit_test(families_are_summed_up),
		cmocka_unit_test(a_window_cuts_families_like_kernels),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
