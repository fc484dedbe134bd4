/* tests/bench/gen/xspace_ops.h - ops of the made-up TensorFlow program: types with their kernels, and the nodes of its graph. */
#ifndef BENCH_GEN_XSPACE_OPS_H
#define BENCH_GEN_XSPACE_OPS_H
#include "random.h"
#include <stdio.h>

enum { N_TYPES = 16, N_OPS = 640, N_LAYERS = 24 };

static const struct op_type {
	const char *name, *kernel; /* NULL: runs on the host alone */
	int64_t median_ns;
} op_types[N_TYPES] = {
	{"MatMul", "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", 70000},
	{"Cast",
	 "void "
	 "Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<Eigen::Tensor<"
	 "Eigen::half, 1, 1, int>, 16>, Eigen::TensorConversionOp<Eigen::half, Eigen::TensorMap<Eigen::Tensor<float "
	 "const, 1, 1, int>, 16> const> const>, Eigen::GpuDevice>, int>(Eigen::TensorEvaluator, int)",
	 4000},
	{"ReadVariableOp", NULL, 0},
	{"AddV2", "Add_GPU_DT_HALF_DT_HALF_kernel", 5000},
	{"Mul", "Mul_GPU_DT_HALF_DT_HALF_kernel", 5000},
	{"BiasAdd",
	 "void tensorflow::BiasNHWCKernel<Eigen::half>(int, Eigen::half const*, Eigen::half const*, Eigen::half*, int)",
	 6000},
	{"Softmax",
	 "void cudnn::softmax_fw_kernel<2, __half, float, 256, 1, 0, 0>(cudnnTensorStruct, __half const*, "
	 "cudnnTensorStruct, __half*, int, int)",
	 11000},
	{"FusedBatchNormV3",
	 "void cudnn::bn_fw_tr_1C11_kernel_NCHW<__half, float, 512, true, 1, true>(cudnnTensorStruct, __half const*, "
	 "cudnnTensorStruct, __half*, float const*, float const*, float, float)",
	 24000},
	{"Conv2D", "volta_fp16_s884cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1", 90000},
	{"ResourceApplyAdam",
	 "void tensorflow::functor::ApplyAdamKernel<float>(int, float*, float*, float*, float, float, float, float, "
	 "float, float const*, bool)",
	 12000},
	{"Sum",
	 "void tensorflow::functor::RowReduceKernel<Eigen::half const*, Eigen::half*, cub::Sum>(Eigen::half const*, "
	 "Eigen::half*, int, int, cub::Sum, float)",
	 9000},
	{"Transpose",
	 "void tensorflow::functor::ShuffleInTensor3Simple<unsigned int, 2, 1, 0, false>(int, unsigned int const*, "
	 "tensorflow::functor::Dimension<3>, unsigned int*)",
	 13000},
	{"Relu", "Relu_GPU_DT_HALF_DT_HALF_kernel", 6000},
	{"_Arg", NULL, 0},
	{"Identity", NULL, 0},
	{"GatherV2",
	 "void tensorflow::GatherOpKernel<Eigen::half, int, true>(Eigen::half const*, int const*, Eigen::half*, long, "
	 "long, long, long)",
	 8000},
};
static struct op {
	const struct op_type *type;
	char name[160];
} ops[N_OPS];

static inline int layer_of(int op)
{
	return op * N_LAYERS / N_OPS;
}
static inline void ops_make(void)
{
	static const char *const scopes[] = {"self_attention/query/einsum/Einsum",
					     "self_attention/key/einsum/Einsum",
					     "self_attention/softmax",
					     "intermediate/einsum/Einsum",
					     "output/add",
					     "output_layer_norm/batchnorm",
					     "dropout_1/dropout",
					     "self_attention_layer_norm/moments"};
	for (int i = 0; i < N_OPS; i++) {
		ops[i].type = &op_types[rng() % N_TYPES];
		snprintf(ops[i].name, sizeof ops[i].name, "model/encoder/transformer/layer_%d/%s/%s_%d", layer_of(i),
			 scopes[rng() & 7], ops[i].type->name, i);
	}
}
#endif
