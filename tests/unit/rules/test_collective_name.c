/* What a collective is, from names of kernels and words of records. */
#include "tests/unit/unit.h"
#include <string.h>
#include "model/analysis/names/collective_name.h"

static const char *or_dash(const char *s)
{
	return s ? s : "-";
}

static void kernels(void **state)
{
	static const struct {
		const char *kernel, *says;
	} names[] = {
		{"ncclAllReduceRingLLKernel_sum_f32(ncclColl)", "AllReduce ring LL fp32"},
		{"ncclAllReduceTreeLL128Kernel_sum_f16(ncclColl)", "AllReduce tree LL128 fp16"},
		{"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
		 "AllReduce ring LL fp32"},
		{"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long)", "SendRecv ring simple -"},
		{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "AllReduce ring LL fp32"},
		{"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevComm*)", "ReduceScatter ring LL bf16"},
		{"ncclDevKernel_AllReduce_Sum_f16_TREE_LL(x)", "AllReduce tree LL fp16"},
		{"ncclDevKernel_AllReduce_Sum_bf16_NVLS(x)", "AllReduce NVLS - bf16"},
		{"ncclKernel_AllReduce_TREE_LL128_Sum___nv_bfloat16(x)", "AllReduce tree LL128 bf16"},
		{"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "AllGather ring LL -"},
		{"ncclDevKernel_Broadcast_RING_SIMPLE(x)", "Broadcast ring simple -"},
		{"ncclDevKernel_Reduce_Sum_f64_RING_LL(x)", "Reduce ring LL fp64"},
		{"ncclDevKernel_Generic(x)", "- - - -"},
		{"void multimem_all_reduce_kernel<c10::BFloat16, 8>(c10::BFloat16*, unsigned long)",
		 "AllReduce - - bf16"},
		{"void vllm::cross_device_reduce_1stage<__half, 8>(x)", "AllReduce - - fp16"},
		{"void one_shot_all_reduce_kernel<float, 4>(float*)", "AllReduce - - fp32"},
		{"void c10d::(anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
		 "AllReduce - - bf16"},
		{"oneccl_allreduce_bf16", "AllReduce - - bf16"},
		{"all-reduce-start.12", "AllReduce - - -"},
		{"collective-permute.3", "SendRecv - - -"},
		{"reduce-scatter", "ReduceScatter - - -"},
		{"ncclDevKernel_AllReduce_Sum_f8e4m3_RING_SIMPLE(x)", "AllReduce ring simple fp8"},
		{"mscclKernel_Sum_float_LL(x)", "- - LL fp32"},
		{"void deep_ep::internode_ll::dispatch<false, 3, 7168>(void*)", "- - - -"},
		{"void lib::direct_all_gather_kernel<float>(float*)", "AllGather - - fp32"},
		{"void flashinfer::fusion::allreduce_fusion_kernel_oneshot_lamport<(flashinfer::fusion::Pattern)1, "
		 "__nv_bfloat16, 8, true>(flashinfer::fusion::Params<__nv_bfloat16>)",
		 "AllReduce - - bf16"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct collective_name n = collective_of_kernel(names[i].kernel);
		char text[96];
		snprintf(text, sizeof text, "%s %s %s %s", or_dash(collective_op_word(n.op)), or_dash(n.algorithm),
			 or_dash(n.protocol), or_dash(n.dtype));
		assert_string_equal(text, names[i].says);
	}
}

static void records(void **state)
{
	(void)state;
	assert_int_equal(collective_of_record("_allgather_base"), COLLECTIVE_ALL_GATHER);
	assert_int_equal(collective_of_record("_reduce_scatter_base"), COLLECTIVE_REDUCE_SCATTER);
	assert_int_equal(collective_of_record("all_to_allv"), COLLECTIVE_ALL_TO_ALL);
	assert_int_equal(collective_of_record("nccl:all_to_all"), COLLECTIVE_ALL_TO_ALL);
	assert_int_equal(collective_of_record("allreduce_coalesced"), COLLECTIVE_ALL_REDUCE);
	assert_int_equal(collective_of_record("broadcast"), COLLECTIVE_BROADCAST);
	assert_int_equal(collective_of_record("gloo:all_reduce"), COLLECTIVE_ALL_REDUCE);
	assert_int_equal(collective_of_record("wait"), COLLECTIVE_UNKNOWN);
	assert_int_equal(collective_of_record(""), COLLECTIVE_UNKNOWN);
}

static void element_types(void **state)
{
	static const struct {
		const char *spelling, *word;
		int bytes;
	} types[] = {{"Float", "fp32", 4}, {"BFloat16", "bf16", 2},  {"c10::BFloat16", "bf16", 2},
		     {"Half", "fp16", 2},  {"long int", "int64", 8}, {"Float8_e4m3fn", "fp8", 1},
		     {"Byte", "uint8", 1}, {"int8_t", "int8", 1}};
	(void)state;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		assert_string_equal(collective_dtype(types[i].spelling), types[i].word);
		assert_int_equal(collective_dtype_bytes(types[i].spelling), types[i].bytes);
	}
	assert_null(collective_dtype("Tensor"));
	assert_null(collective_dtype(""));
	assert_int_equal(collective_dtype_bytes("?"), 0);
}

static void bus_factors(void **state)
{
	(void)state;
	assert_float_equal(collective_bus_factor(COLLECTIVE_ALL_REDUCE, 8), 1.75, 1e-12);
	assert_float_equal(collective_bus_factor(COLLECTIVE_ALL_GATHER, 4), 0.75, 1e-12);
	assert_float_equal(collective_bus_factor(COLLECTIVE_SEND_RECV, 8), 1, 1e-12);
	assert_float_equal(collective_bus_factor(COLLECTIVE_ALL_REDUCE, 1), 1, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(kernels), cmocka_unit_test(records),
					   cmocka_unit_test(element_types), cmocka_unit_test(bus_factors)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
