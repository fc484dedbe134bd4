/* tests/bench/gen/kineto_kernels.h - what a GPU of the made-up training job runs, by kind: names, median lengths, and the calls that start it. */
#ifndef BENCH_GEN_KINETO_KERNELS_H
#define BENCH_GEN_KINETO_KERNELS_H
#include <stdint.h>

enum { C_EW, C_GEMM, C_NORM, C_RED, C_ATT, C_NCCL, C_OPT, C_H2D, C_DTOH, C_DTOD, C_SET, C_N };
static const char *const kernel_name[C_N][5] = {
	[C_EW] = {"void at::native::vectorized_elementwise_kernel<4, "
		  "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}, "
		  "std::array<char*, 2ul> >(int, at::native::GeluCUDAKernelImpl, std::array<char*, 2ul>)",
		  "void "
		  "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)"
		  "::{lambda(float)#1}, std::array<char*, 2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, "
		  "at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1> >(int, "
		  "at::native::direct_copy_kernel_cuda)",
		  "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::Half>, "
		  "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul>)",
		  "void at::native::elementwise_kernel<128, 4, "
		  "at::native::gpu_kernel_impl<at::native::BinaryFunctor<c10::Half, c10::Half, c10::Half, "
		  "at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&)>(int, "
		  "at::native::gpu_kernel_impl)",
		  "triton_poi_fused_add_native_dropout_17"},
	[C_GEMM] =
		{"ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn",
		 "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32_stage4_warpsize2x2x1_tensor16x8x16_kernel",
		 "void "
		 "cutlass::Kernel2<cutlass_80_wmma_tensorop_f16_s161616gemm_f16_32x32_64x2_nn_align8>(cutlass_80_wmma_"
		 "tensorop_f16_s161616gemm_f16_32x32_64x2_nn_align8::Params)",
		 "volta_sgemm_128x64_nn",
		 "void cublasLt::splitKreduce_kernel<32, 16, int, float, __half, float, __half, true, false, "
		 "false>(cublasLt::cublasSplitKParams<float>, float const*, __half const*, __half*, __half*, float "
		 "const*, float const*, __half const*, __half const*, __half*, void*, long, float*, int*)"},
	[C_NORM] = {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::Half, float>(int, "
		    "float, c10::Half const*, c10::Half const*, c10::Half const*, float*, float*, c10::Half*)",
		    "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::Half, "
		    "float>(c10::Half const*, c10::Half const*, float const*, float const*, c10::Half const*, "
		    "c10::Half*, int)",
		    "void (anonymous namespace)::softmax_warp_forward<c10::Half, c10::Half, float, 9, false, "
		    "false>(c10::Half*, c10::Half const*, int, int, int, bool const*, int, bool)",
		    "void at::native::(anonymous namespace)::cuComputeGradGammaBeta<c10::Half, float>(c10::Half "
		    "const*, c10::Half const*, long, long, float const*, float const*, c10::Half*, c10::Half*)",
		    "triton_red_fused_native_layer_norm_4"},
	[C_RED] = {"void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::Half, "
		   "at::native::func_wrapper_t<c10::Half, at::native::sum_functor<c10::Half, float, "
		   "c10::Half>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, c10::Half, "
		   "4> >(at::native::ReduceOp)",
		   "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, "
		   "float, float, float>, unsigned int, float, 4> >(at::native::ReduceOp<float, "
		   "at::native::MeanOps<float, float, float, float>, unsigned int, float, 4>)",
		   "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, "
		   "at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(float*, float const*, int)",
		   "triton_per_fused_sum_2",
		   "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, "
		   "long>(float*, float*, float*, long*, float*, bool, long, long, long, long)"},
	[C_ATT] = {"void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 64, 4, false, false, cutlass::half_t>, "
		   "false, true, false, false, true, false>(Flash_fwd_params)",
		   "void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<64, 64, 128, 8, 2, 4, 4, "
		   "false, false, cutlass::half_t>, false, true, false, true, false>(Flash_bwd_params)",
		   "fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<cutlass::half_t, "
		   "cutlass::arch::Sm80, true, 64, 64, 64, true, true>::Params)",
		   "void flash_bwd_dot_do_o_kernel<true>(Flash_bwd_params)",
		   "void flash_bwd_convert_dq_kernel(Flash_bwd_params, int)"},
	[C_NCCL] = {"ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
		    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
		    "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
		    "ncclDevKernel_AllReduce_Sum_f16_TREE_LL(ncclDevKernelArgsStorage<4096ul>)",
		    "ncclDevKernel_ReduceScatter_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
	[C_OPT] =
		{"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
		 "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
		 "namespace)::FusedAdamMathFunctor<float, 4>, float const*, double, double, double, double, double, "
		 "bool, bool>(at::native::(anonymous namespace)::FusedOptimizerTensorListMetadata<4>, double, double)",
		 "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
		 "namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::BinaryOpScalarFunctor<float, "
		 "2, 1, 1>, std::multiplies<float>, float>(at::native::(anonymous namespace)::TensorListMetadata<2>, "
		 "std::multiplies<float>, float)",
		 "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
		 "namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::LpNormFunctor<float, "
		 "(at::native::NormType)1, float, 1, 1, 0> >(at::native::(anonymous namespace)::TensorListMetadata<1>, "
		 "float*, int)",
		 "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, "
		 "1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)",
		 "void at::native::lpnorm_cleanup<float, (at::native::NormType)1, float>(float const*, float*, int)"},
	[C_H2D] = {"Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD (Pageable -> Device)",
		   "Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD (Pinned -> Device)",
		   "Memcpy HtoD (Pinned -> Device)"},
	[C_DTOH] = {"Memcpy DtoH (Device -> Pageable)", "Memcpy DtoH (Device -> Pageable)",
		    "Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH (Device -> Pageable)",
		    "Memcpy DtoH (Device -> Pageable)"},
	[C_DTOD] = {"Memcpy DtoD (Device -> Device)", "Memcpy DtoD (Device -> Device)",
		    "Memcpy DtoD (Device -> Device)", "Memcpy DtoD (Device -> Device)",
		    "Memcpy DtoD (Device -> Device)"},
	[C_SET] = {"Memset (Device)", "Memset (Device)", "Memset (Device)", "Memset (Device)", "Memset (Device)"},
};
static const int64_t kernel_median_ns[C_N] = {9000,  120000, 14000, 16000, 90000, 900000,
					      60000, 180000, 2500,  1800,  1500};
enum {
	CALL_LAUNCH,
	CALL_MEMCPY,
	CALL_MEMSET,
	CALL_CAPTURING = 5,
	CALL_SYNC = 7
}; /* of the names below, those that others ask for */
static const char *const call_name[] = {
	"cudaLaunchKernel",    "cudaMemcpyAsync",       "cudaMemsetAsync",
	"cudaEventQuery",      "cudaEventRecord",       "cudaStreamIsCapturing",
	"cudaStreamWaitEvent", "cudaStreamSynchronize", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
	"cudaPeekAtLastError", "cudaFuncGetAttributes"};
static const int call_cbid[] = {211, 41, 51, 136, 135, 317, 147, 131, 217, 11, 73};
#endif
