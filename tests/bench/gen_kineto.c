/*
 * gen_kineto - write a synthetic PyTorch/Kineto style Chrome trace (JSON) to stdout.
 *
 * Build:  cc -O2 -o gen_kineto gen_kineto.c -lm
 * Usage:  gen_kineto [-s SEED] [-k RANK/RANKS] [-r] [-p] [-c] [-m] [-i] COUNT > trace.json
 *   COUNT    target number of objects in traceEvents; whole training steps are written until it is
 *            reached, so the true number is a little above. Suffixes k and M are understood.
 *   -s SEED  seed of the generator (default 1). Same arguments => same bytes (with the same C library).
 *   -k R/N   rank R of a job of N with one process group. Files of one seed, count and N are one run: each all-reduce
 *            ends at one time on all ranks, and in each step one rank enters all of them last (rank 7 in half of the steps)
 *   -r       record_shapes: cpu_op args also get input dims, types and strides (larger events)
 *   -p       python_function events around the modules (stack capture on)
 *   -c       compact: one event per line, no indentation (default: Kineto's indented layout)
 *   -m       whole-microsecond timestamps (older files); default is 3 decimals (nanoseconds)
 *   -i       one cudaMalloc-style cpu_instant_event ("ph":"i") for about every eighth cpu_op
 * A line with the counts goes to stderr. Memory use is constant.
 *
 * The model: one rank, one GPU; a transformer trained step by step. Main thread: data loader, H2D copies,
 * forward, loss, optimizer. Autograd thread: backward and bucketed all-reduce. Streams: 7 compute,
 * 20 NCCL, 24 copies. The CPU runs ahead of the GPU until a sync; some steps wait for input.
 * The file is written in the order of real files: the ops of the autograd thread, the ops of the main
 * thread, then the runtime calls and GPU activities interleaved, metadata last. Not sorted by time.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t rng_s;
static inline uint64_t rng(void)
{
	uint64_t z = (rng_s += 0x9E3779B97F4A7C15ull);
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
	return z ^ (z >> 31);
}
static uint32_t lnt[1024]; /* lognormal quantiles, fixed point /1024 */
static void ln_init(void)
{
	for (int i = 0; i < 1024; i++) { /* logistic quantile is close to the normal one and needs no erf */
		double p = (i + 0.5) / 1024, z = log(p / (1 - p)) / 1.702;
		lnt[i] = (uint32_t)(exp(0.75 * z) * 1024 + 0.5);
	}
}
static inline int64_t lnd(int64_t median)
{
	return 1 + ((median * lnt[rng() >> 54]) >> 10);
}

/* ---- output ---- */
static char ob[1 << 20];
static size_t on;
static uint64_t total_bytes;
static void flush(void)
{
	size_t o = 0;
	while (o < on) {
		ssize_t w = write(1, ob + o, on - o);
		if (w <= 0) {
			perror("write");
			exit(1);
		}
		o += (size_t)w;
	}
	total_bytes += on;
	on = 0;
}
static inline void ps(const char *s, size_t n)
{
	memcpy(ob + on, s, n);
	on += n;
}
#define P(lit) ps(lit, sizeof(lit) - 1)
static inline void pz(const char *s)
{
	ps(s, strlen(s));
}
static inline void pu(uint64_t v)
{
	char t[24];
	int i = 24;
	do {
		t[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	ps(t + i, (size_t)(24 - i));
}
static int opt_r, opt_p, opt_c, opt_m, opt_i;
static unsigned rank, ranks; /* -k; ranks 0: no job */
static inline void pt(int64_t ns)
{ /* microseconds with 3 decimals */
	if (opt_m) {
		pu((uint64_t)ns / 1000);
		return;
	}
	pu((uint64_t)ns / 1000);
	unsigned r = (unsigned)(ns % 1000);
	ob[on++] = '.';
	ob[on++] = (char)('0' + r / 100);
	ob[on++] = (char)('0' + r / 10 % 10);
	ob[on++] = (char)('0' + r % 10);
}
static uint64_t nobj;
enum { K_CPU, K_RT, K_KERN, K_CPY, K_SET, K_UA, K_GUA, K_PY, K_AS, K_AF, K_FS, K_FF, K_I, K_M, K_N };
static uint64_t cnt[K_N];
static int pass; /* 0 count, 1 autograd thread, 2 main thread, 3 runtime and GPU */
static int first_obj;
static inline int want(int k, int p)
{
	if (pass == 0) {
		nobj++;
		cnt[k]++;
		return 0;
	}
	if (pass != p)
		return 0;
	if (on > sizeof ob - 16384)
		flush();
	if (first_obj)
		first_obj = 0;
	else
		P(",");
	if (opt_c)
		P("\n");
	else
		P("\n  ");
	return 1;
}
#define NL()                         \
	do {                         \
		if (opt_c)           \
			P(" ");      \
		else                 \
			P("\n    "); \
	} while (0)
#define NLA()                          \
	do {                           \
		if (opt_c)             \
			P("");         \
		else                   \
			P("\n      "); \
	} while (0)

#define PID      40960
#define TID_MAIN 40960
#define TID_BWD  41733
static const int64_t T0 = 1712195495000000000ll;

static unsigned gpu(void)
{
	return ranks ? rank % 8 : 0;
}
static void head(const char *cat, const char *name, uint64_t pid, uint64_t tid, int64_t ts, int64_t dur)
{
	P("{");
	NL();
	P("\"ph\": \"X\", \"cat\": \"");
	pz(cat);
	P("\", \"name\": \"");
	pz(name);
	P("\", \"pid\": ");
	pu(pid);
	P(", \"tid\": ");
	pu(tid);
	P(",");
	NL();
	P("\"ts\": ");
	pt(T0 + ts);
	P(", \"dur\": ");
	pt(dur);
	P(",");
	NL();
	P("\"args\": {");
	NLA();
}
static void tail(void)
{
	if (opt_c)
		P("}}");
	else
		P("\n    }\n  }");
}
static void flow(int k, int p, const char *cat, int ph, uint64_t id, uint64_t pid, uint64_t tid, int64_t ts)
{
	if (!want(k, p))
		return;
	P("{");
	NL();
	P("\"ph\": \"");
	ob[on++] = (char)ph;
	P("\", \"id\": ");
	pu(id);
	P(", \"pid\": ");
	pu(pid);
	P(", \"tid\": ");
	pu(tid);
	P(", \"ts\": ");
	pt(T0 + ts);
	P(",");
	NL();
	P("\"cat\": \"");
	pz(cat);
	P("\", \"name\": \"");
	pz(cat);
	P("\"");
	if (ph == 'f')
		P(", \"bp\": \"e\"");
	if (opt_c)
		P("}");
	else
		P("\n  }");
}

/* ---- op templates: name(children...) ; !cN kernel of class N, @x plain runtime call x ---- */
enum { C_EW, C_GEMM, C_NORM, C_RED, C_ATT, C_NCCL, C_OPT, C_H2D, C_DTOH, C_DTOD, C_SET, C_N };
static const char *kname[C_N][5] = {
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
static const int64_t kmed[C_N] = {9000, 120000, 14000, 16000, 90000, 900000, 60000, 180000, 2500, 1800, 1500};
static const char *rtname[] = {
	"cudaLaunchKernel",    "cudaMemcpyAsync",       "cudaMemsetAsync",
	"cudaEventQuery",      "cudaEventRecord",       "cudaStreamIsCapturing",
	"cudaStreamWaitEvent", "cudaStreamSynchronize", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
	"cudaPeekAtLastError", "cudaFuncGetAttributes"};
static const int rtcbid[] = {211, 41, 51, 136, 135, 317, 147, 131, 217, 11, 73};

#define F_LINEAR "aten::linear(aten::t(aten::transpose(aten::as_strided)) aten::addmm(@9 !1))"
#define B_LINEAR(n)                                                                                               \
	"~autograd::engine::evaluate_function: "                                                                  \
	"AddmmBackward0(AddmmBackward0(aten::t(aten::transpose(aten::as_strided)) aten::mm(@9 !1) "               \
	"aten::t(aten::transpose(aten::as_strided)) aten::mm(@9 !1)) aten::sum(aten::as_strided !3) aten::view) " \
	"autograd::engine::evaluate_function: "                                                                   \
	"torch::autograd::AccumulateGrad(torch::autograd::AccumulateGrad(aten::detach(detach) aten::add_(!0)) "   \
	"torch.distributed.ddp.reducer::copy_bucket_to_grad(aten::view aten::copy_(@3 @5 !9))) "
static const char *fwd_layer[] = {
	"+aten::layer_norm(aten::native_layer_norm(aten::empty aten::empty aten::empty @9 !2 aten::view))",
	"+" F_LINEAR,
	"aten::view",
	"aten::transpose(aten::as_strided)",
	"aten::transpose(aten::as_strided)",
	"aten::split(aten::narrow(aten::slice(aten::as_strided)) aten::narrow(aten::slice(aten::as_strided)))",
	"+aten::scaled_dot_product_attention(aten::_scaled_dot_product_flash_attention(aten::transpose(aten::as_"
	"strided) aten::_flash_attention_forward(aten::empty_like(aten::empty_strided) aten::empty @10 @8 !4)))",
	"aten::contiguous(aten::clone(aten::empty_like(aten::empty) aten::copy_(!0)))",
	"+" F_LINEAR,
	"+aten::dropout(aten::native_dropout(aten::empty_like(aten::empty_strided) aten::empty @5 !0))",
	"+aten::add(!0)",
	"+aten::layer_norm(aten::native_layer_norm(aten::empty aten::empty aten::empty @9 !2 aten::view))",
	"+" F_LINEAR,
	"+aten::gelu(aten::empty !0)",
	"+" F_LINEAR,
	"+aten::dropout(aten::native_dropout(aten::empty_like(aten::empty_strided) @5 !0))",
	"+aten::add(!0)",
	0};
static const char *bwd_layer[] = {
	"~autograd::engine::evaluate_function: AddBackward0(AddBackward0)",
	"~autograd::engine::evaluate_function: "
	"NativeDropoutBackward0(NativeDropoutBackward0(aten::native_dropout_backward(aten::empty !0)))",
	B_LINEAR(1),
	"~autograd::engine::evaluate_function: GeluBackward0(GeluBackward0(aten::gelu_backward(aten::empty !0)))",
	B_LINEAR(2),
	"~autograd::engine::evaluate_function: "
	"NativeLayerNormBackward0(NativeLayerNormBackward0(aten::native_layer_norm_backward(aten::empty aten::empty "
	"aten::empty !2 !2 !2)))",
	"~autograd::engine::evaluate_function: AddBackward0(AddBackward0)",
	B_LINEAR(3),
	"~autograd::engine::evaluate_function: "
	"ScaledDotProductFlashAttentionBackward0(ScaledDotProductFlashAttentionBackward0(aten::_scaled_dot_product_"
	"flash_attention_backward(aten::_flash_attention_backward(aten::empty_like(aten::empty_strided) "
	"aten::zeros(aten::empty aten::zero_(aten::fill_(!10))) @10 !4 !4 !4))))",
	"~autograd::engine::evaluate_function: "
	"SplitBackward0(SplitBackward0(aten::cat(aten::narrow(aten::slice(aten::as_strided)) !0)))",
	B_LINEAR(4),
	"~autograd::engine::evaluate_function: "
	"NativeLayerNormBackward0(NativeLayerNormBackward0(aten::native_layer_norm_backward(aten::empty aten::empty !2 "
	"!2)))",
	0};
static const char *nccl_op[] = {"c10d::allreduce_(record_param_comms(nccl:all_reduce(@4 @6 @3 !5 @4)))", 0};
static const char *h2d_op[] = {"aten::to(aten::_to_copy(aten::empty_strided aten::copy_(@5 !7)))",
			       "aten::to(aten::_to_copy(aten::empty_strided aten::copy_(@5 !7)))", 0};
static const char *loss_op[] = {"+aten::cross_entropy_loss(aten::log_softmax(aten::_log_softmax(!3)) "
				"aten::nll_loss_nd(aten::nll_loss(aten::nll_loss_forward(!3))))",
				"aten::ones_like(aten::empty_like(aten::empty_strided) aten::fill_(!0))", 0};
static const char *opt_op[] = {"Optimizer.step#AdamW.step(aten::_foreach_norm(aten::empty !6 !6) "
			       "aten::_foreach_mul_(!6 !6) aten::_fused_adamw_(!6 !6 !6 !6))",
			       "Optimizer.zero_grad#AdamW.zero_grad(aten::zero_(aten::fill_(!10)))", 0};
static const char *item_op[] = {"aten::item(aten::_local_scalar_dense(!8 @7))", 0};

typedef struct {
	const char *name;
	int len, kind, arg, ch, nx, seq;
} Node; /* kind 0 op, 1 kernel, 2 runtime */
static Node nd[1024];
static int nnd;
static const char *pp;
static int parse_list(void)
{
	int headi = -1, last = -1;
	while (*pp && *pp != ')') {
		if (*pp == ' ') {
			pp++;
			continue;
		}
		int i = nnd++;
		Node *n = &nd[i];
		memset(n, 0, sizeof *n);
		n->ch = n->nx = -1;
		if (*pp == '!' || *pp == '@') {
			n->kind = *pp == '!' ? 1 : 2;
			n->arg = (int)strtol(pp + 1, (char **)&pp, 10);
		} else {
			if (*pp == '+') {
				n->seq = 1;
				pp++;
			} else if (*pp == '~') {
				n->seq = 2;
				pp++;
			}
			const char *b = pp;
			while (*pp && *pp != '(' && *pp != ')' && !(*pp == ' ' && pp[-1] != ':'))
				pp++;
			char *s = malloc((size_t)(pp - b) + 1);
			memcpy(s, b, (size_t)(pp - b));
			s[pp - b] = 0;
			n->name = s;
			if (*pp == '(') {
				pp++;
				n->ch = parse_list();
				pp++;
			}
		}
		if (last < 0)
			headi = i;
		else
			nd[last].nx = i;
		last = i;
	}
	return headi;
}
static int roots[8][64], nroots[8];
static void load(int g, const char **v)
{
	for (; *v; v++) {
		pp = *v;
		int r = parse_list();
		for (; r >= 0; r = nd[r].nx)
			roots[g][nroots[g]++] = r;
	}
}

/* ---- simulation ---- */
typedef struct {
	int node, depth, kcls, kv;
	int64_t a, b;
	uint64_t ext, corr;
	int64_t ks, kd;
	int stream;
	uint64_t seq;
} Rec;
static Rec rec[4096];
static int nrec;
static uint64_t ext_id, corr_id, ev_idx, seq_no, fb_id, py_id, call_no;
static int step_no;
static int64_t now_t[2], sfree[3]; /* main, autograd; streams compute, nccl, copy */
static const int stream_no[3] = {7, 20, 24};
static void sim(int n, int th, int depth, uint64_t pext)
{
	for (; n >= 0; n = nd[n].nx) {
		Rec *r = &rec[nrec++];
		Node *x = &nd[n];
		r->node = n;
		r->depth = depth;
		r->a = now_t[th];
		r->corr = 0;
		if (x->kind == 0) {
			r->ext = ++ext_id;
			r->seq = 0;
			now_t[th] += lnd(700);
			if (x->ch >= 0)
				sim(x->ch, th, depth + 1, r->ext);
			now_t[th] += lnd(900);
		} else {
			r->ext = pext;
			r->corr = (corr_id += 1 + (rng() & 3));
			if (x->kind == 1) {
				int c = x->arg;
				r->kcls = c;
				r->kv = (int)(rng() % 5);
				int st = c == C_NCCL ? 1 : c == C_H2D ? 2 : 0;
				now_t[th] += lnd(c >= C_H2D && c <= C_DTOD ? 7000 : 5200);
				r->ks = now_t[th] + lnd(1500);
				if (r->ks < sfree[st] + 900)
					r->ks = sfree[st] + 900 + (int64_t)(rng() & 1023);
				r->kd = (lnd(kmed[c]) & ~31ll) + 32;
				sfree[st] = r->ks + r->kd;
				r->stream = stream_no[st];
			} else {
				r->kcls = -1;
				if (x->arg == 7) {
					for (int s = 0; s < 3; s++)
						if (now_t[th] < sfree[s])
							now_t[th] = sfree[s];
				}
				now_t[th] += lnd(x->arg == 5 ? 600 : 900);
			}
		}
		r = &rec[r - rec];
		r->b = now_t[th];
		if (x->kind)
			now_t[th] += lnd(300);
		now_t[th] += lnd(250);
	}
}
static uint64_t mixed(uint64_t a, uint64_t b)
{
	uint64_t z = (a + 1) * 0x9E3779B97F4A7C15ull ^ (b + 1) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ (z >> 30)) * 0x94D049BB133111EBull;
	return z ^ (z >> 31);
}
/* Who enters the collectives of the step last. */
static unsigned latest_rank(void)
{
	uint64_t h = mixed((uint64_t)step_no, ranks);
	return (unsigned)((h & 1 ? 7 : h >> 8) % ranks);
}
/* What the simulation says is when the first rank could begin a collective, and when all of them end it. All else is alike on all ranks, so
 * that a rank costs what a trace without -k does. */
static void on_rank(const Rec *r, int64_t *start, int64_t *dur)
{
	int64_t after = 0;
	if (ranks && r->kcls == C_NCCL)
		after = rank == latest_rank() ? r->kd / 2 : (int64_t)(mixed(r->corr, rank) % (uint64_t)(r->kd / 8 + 1));
	*start = r->ks + after;
	*dur = r->kd - after;
}
/* The process group as PyTorch writes it: no more than 30 ranks are listed. */
static void group_args(const Rec *r)
{
	static const char *const ops[] = {"allreduce", "allreduce", "_allgather_base", "allreduce",
					  "_reduce_scatter_base"};
	static const char *const types[] = {"Half", "Float", "Half", "Half", "Half"};
	P("\"Collective name\": \"");
	pz(ops[r->kv]);
	P("\", \"In msg nelems\": 13107200, \"Out msg nelems\": 13107200, \"Group size\": ");
	pu(ranks);
	P(", \"dtype\": \"");
	pz(types[r->kv]);
	P("\", \"Process Group Name\": \"0\", \"Process Group Description\": \"default_pg\", \"Process Group Ranks\": "
	  "\"[0");
	for (unsigned i = 1; i < ranks && i < 30; i++) {
		P(", ");
		pu(i);
	}
	if (ranks > 30)
		P(", ...");
	P("]\", \"Seq\": ");
	pu(call_no);
	P(",      ");
}
static void dims(void)
{
	unsigned k = 1 + (unsigned)(rng() & 1);
	P(", \"Concrete Inputs\": [\"\", \"\"], \"Input Strides\": [");
	for (unsigned i = 0; i <= k; i++) {
		if (i)
			P(", ");
		P("[4096, 1]");
	}
	P("], \"Input Dims\": [");
	for (unsigned i = 0; i <= k; i++) {
		if (i)
			P(", ");
		P("[");
		pu(128ull << (rng() & 7));
		P(", ");
		pu(1024ull << (rng() & 3));
		P("]");
	}
	P("], \"Input type\": [");
	for (unsigned i = 0; i <= k; i++) {
		if (i)
			P(", ");
		P("\"c10::Half\"");
	}
	P("]");
}
static void emit(int th)
{
	int p = th ? 1 : 2;
	uint64_t tid = th ? TID_BWD : TID_MAIN;
	for (int i = 0; i < nrec; i++) {
		Rec *r = &rec[i];
		Node *x = &nd[r->node];
		if (x->kind == 0) {
			uint64_t my = ev_idx++;
			uint64_t save = rng_s; /* args must not disturb the simulation of the other passes */
			if (want(K_CPU, p)) {
				head("cpu_op", x->name, PID, tid, r->a, r->b - r->a);
				P("\"External id\": ");
				pu(r->ext);
				if (x->seq) {
					P(",\"Sequence number\": ");
					pu(seq_no);
					if (th)
						P(", \"Fwd thread id\": 1");
				}
				if (opt_r)
					dims();
				P(", \"Ev Idx\": ");
				pu(my);
				tail();
			}
			if (x->seq == 1) {
				seq_no++;
				if (seq_no % 3 == 0)
					flow(K_FS, p, "fwdbwd", 's', ++fb_id, PID, tid, r->a);
			}
			if (x->seq == 2 && fb_id && seq_no % 3 == 1)
				flow(K_FF, p, "fwdbwd", 'f', fb_id, PID, tid, r->a);
			if (opt_i && (my & 7) == 3 && want(K_I, p)) {
				P("{");
				NL();
				P("\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": "
				  "\"[memory]\",");
				NL();
				P("\"pid\": ");
				pu(PID);
				P(", \"tid\": ");
				pu(tid);
				P(",");
				NL();
				P("\"ts\": ");
				pt(T0 + r->a + 200);
				P(",");
				NL();
				P("\"args\": {");
				NLA();
				P("\"Total Reserved\": 8589934592, \"Total Allocated\": ");
				pu(2147483648u + (rng() & 0x3FFFFE00));
				P(", \"Bytes\": ");
				pu(512ull << (rng() & 15));
				P(", \"Addr\": ");
				pu(140000000000000ull + (rng() & 0xFFFFFE00));
				P(", \"Device Id\": 0, \"Device Type\": 1, \"Ev Idx\": ");
				pu(my);
				tail();
			}
			rng_s = save;
			continue;
		}
		uint64_t save = rng_s;
		int api = x->kind == 2 ? x->arg : r->kcls == C_SET ? 2 : r->kcls >= C_H2D ? 1 : 0;
		if (want(K_RT, 3)) {
			head("cuda_runtime", rtname[api], PID, tid, r->a, r->b - r->a);
			P("\"External id\": ");
			pu(r->ext);
			P(",      \"cbid\": ");
			pu((uint64_t)rtcbid[api]);
			P(", \"correlation\": ");
			pu(r->corr);
			tail();
		}
		if (r->kcls < 0) {
			flow(K_AF, 3, "ac2g", 'f', r->corr, PID, tid, r->a);
			rng_s = save;
			continue;
		}
		flow(K_AS, 3, "ac2g", 's', r->corr, PID, tid, r->a);
		int64_t ks, kd;
		on_rank(r, &ks, &kd);
		call_no += r->kcls == C_NCCL;
		if (ranks)
			rng_s ^= mixed(rank, ranks);
		int kk = r->kcls < C_H2D ? K_KERN : r->kcls == C_SET ? K_SET : K_CPY;
		if (want(kk, 3)) {
			head(kk == K_KERN  ? "kernel"
			     : kk == K_SET ? "gpu_memset"
					   : "gpu_memcpy",
			     kname[r->kcls][r->kv], gpu(), (uint64_t)r->stream, ks, kd);
			if (ranks && r->kcls == C_NCCL)
				group_args(r);
			P("\"External id\": ");
			pu(r->ext);
			if (kk == K_KERN) {
				unsigned g = 1u << (rng() & 15), b = 64u << (rng() & 3), w = g * b / 32;
				P(",      \"queued\": 0, \"device\": ");
				pu(gpu());
				P(", \"context\": 1,      \"stream\": ");
				pu((uint64_t)r->stream);
				P(", \"correlation\": ");
				pu(r->corr);
				P(",      \"registers per thread\": ");
				pu(16 + (rng() & 15) * 8);
				P(",      \"shared memory\": ");
				pu(r->kcls == C_GEMM ? 49152 : (rng() & 3) * 1024);
				P(",      \"blocks per SM\": ");
				pu(g / 108);
				P(".");
				pu(100000 + g * 7919u % 900000);
				P(",      \"warps per SM\": ");
				pu(w / 108);
				P(".");
				pu(100000 + w * 7919u % 900000);
				P(",      \"grid\": [");
				pu(g);
				P(", ");
				pu(1 + (rng() & 7));
				P(", 1],      \"block\": [");
				pu(b);
				P(", 1, 1],      \"est. achieved occupancy %\": ");
				pu(rng() % 101);
			} else {
				uint64_t by = r->kcls == C_H2D ? 1048576ull << (rng() & 3) : 256ull << (rng() & 15);
				P(",      \"device\": ");
				pu(gpu());
				P(", \"context\": 1,      \"stream\": ");
				pu((uint64_t)r->stream);
				P(", \"correlation\": ");
				pu(r->corr);
				P(",      \"bytes\": ");
				pu(by);
				P(", \"memory bandwidth (GB/s)\": ");
				pu(by / (uint64_t)kd);
				P(".");
				pu(1000000000000000ull + rng() % 9000000000000000ull);
			}
			tail();
		}
		flow(K_AF, 3, "ac2g", 'f', r->corr, gpu(), (uint64_t)r->stream, ks);
		rng_s = save;
	}
}
static void annot(int k, int p, const char *cat, const char *name, uint64_t pid, uint64_t tid, int64_t a, int64_t b)
{
	uint64_t e = ++ext_id, i = ev_idx++;
	if (!want(k, p))
		return;
	head(cat, name, pid, tid, a, b - a);
	P("\"External id\": ");
	pu(e);
	if (k == K_UA) {
		P(",\"Ev Idx\": ");
		pu(i);
	}
	tail();
}
static uint64_t py_parent;
static void pyf(const char *name, int64_t a, int64_t b, int mod)
{
	uint64_t id = ++py_id;
	if (!want(K_PY, 2))
		return;
	head("python_function", name, PID, TID_MAIN, a, b - a);
	P("\"Python parent id\": ");
	pu(py_parent);
	P(", \"Python id\": ");
	pu(id);
	if (mod >= 0) {
		P(", \"Python module id\": ");
		pu((uint64_t)mod);
	}
	P(", \"Ev Idx\": ");
	pu(ev_idx);
	tail();
}
static void group(int g, int th)
{
	for (int i = 0; i < nroots[g]; i++) {
		int r = roots[g][i], nx = nd[r].nx;
		int64_t py = opt_p && th == 0 ? 2 + (int64_t)(rng() % 5)
					      : 0; /* depth of the python frames around this module */
		now_t[th] += 40 * py + (py ? 10 : 0);
		int64_t a = now_t[th];
		nrec = 0;
		nd[r].nx = -1;
		sim(r, th, 0, 0);
		nd[r].nx = nx;
		if (py) {
			static const char *pyn[] = {"torch/nn/modules/module.py(1532): _call_impl",
						    "torch/nn/modules/module.py(1528): _wrapped_call_impl",
						    "model/transformer.py(214): forward",
						    "torch/nn/modules/linear.py(116): forward",
						    "<built-in function linear>",
						    "torch/nn/functional.py(2546): layer_norm"};
			py_parent = py_id;
			for (int64_t k = 0; k < py; k++)
				pyf(k == 0 ? "nn.Module: TransformerBlock_7" : pyn[(k + i) % 6], a - 40 * (py - k),
				    now_t[th] + 40 * (py - k), k == 0 ? i : -1);
			now_t[th] += 40 * py + 10;
		}
		emit(th);
	}
}
static void run_step(int s, int nlayer)
{
	char nm[64];
	step_no = s;
	int64_t a = now_t[0], g0 = -1;
	int64_t load =
		3000 + lnd(150000) + (rng() % 24 == 0 ? 8000000 + lnd(20000000) : 0); /* now and then an input stall */
	annot(K_UA, 2, "user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", PID,
	      TID_MAIN, a + 2000, a + load);
	now_t[0] += load + 1000;
	group(0, 0);
	if (g0 < 0)
		g0 = sfree[0] > now_t[0] ? sfree[0] : now_t[0];
	int64_t f0 = now_t[0];
	for (int l = 0; l < nlayer; l++)
		group(1, 0);
	group(2, 0);
	annot(K_UA, 2, "user_annotation", "## forward ##", PID, TID_MAIN, f0, now_t[0]);
	int64_t b0 = now_t[0];
	if (now_t[1] < now_t[0])
		now_t[1] = now_t[0] + 20000;
	for (int l = 0; l < nlayer; l++) {
		group(3, 1);
		if (l % 3 == 2)
			group(4, 1);
	}
	now_t[0] = now_t[1] + 15000; /* the main thread waits in backward() */
	annot(K_UA, 2, "user_annotation", "## backward ##", PID, TID_MAIN, b0, now_t[0]);
	if (sfree[0] < sfree[1])
		sfree[0] = sfree[1];
	group(5, 0);
	if (s % 4 == 3 || rng() % 6 == 0)
		group(6, 0);
	now_t[0] += lnd(30000);
	snprintf(nm, sizeof nm, "ProfilerStep#%d", s);
	annot(K_UA, 2, "user_annotation", nm, PID, TID_MAIN, a, now_t[0]);
	annot(K_GUA, 3, "gpu_user_annotation", nm, gpu(), 7, g0, sfree[0]);
}
static void reset(uint64_t seed)
{
	rng_s = seed * 0x5851F42D4C957F2Dull + 1;
	ext_id = 0;
	corr_id = 1000;
	ev_idx = 0;
	seq_no = 0;
	fb_id = 0;
	py_id = 0;
	call_no = 0;
	now_t[0] = now_t[1] = 1000000;
	memset(sfree, 0, sizeof sfree);
}
static void meta(const char *what, uint64_t pid, const char *tid, const char *key, const char *val, int isnum)
{
	cnt[K_M]++;
	if (on > sizeof ob - 16384)
		flush();
	P(",\n  {");
	NL();
	P("\"name\": \"");
	pz(what);
	P("\", \"ph\": \"M\", \"ts\": ");
	pt(T0);
	P(", \"pid\": ");
	pu(pid);
	P(", \"tid\": ");
	pz(tid);
	P(",");
	NL();
	P("\"args\": {");
	NLA();
	P("\"");
	pz(key);
	P("\": ");
	if (!isnum)
		P("\"");
	pz(val);
	if (!isnum)
		P("\"");
	tail();
}
int main(int argc, char **argv)
{
	uint64_t seed = 1, want_n = 0;
	int o;
	while ((o = getopt(argc, argv, "s:k:rpcmi")) != -1)
		switch (o) {
		case 's':
			seed = strtoull(optarg, 0, 10);
			break;
		case 'k':
			if (sscanf(optarg, "%u/%u", &rank, &ranks) != 2 || rank >= ranks)
				return 2;
			break;
		case 'r':
			opt_r = 1;
			break;
		case 'p':
			opt_p = 1;
			break;
		case 'c':
			opt_c = 1;
			break;
		case 'm':
			opt_m = 1;
			break;
		case 'i':
			opt_i = 1;
			break;
		default:
			return 2;
		}
	if (optind < argc) {
		char *e;
		want_n = strtoull(argv[optind], &e, 10);
		if (*e == 'k')
			want_n *= 1000;
		if (*e == 'M')
			want_n *= 1000000;
	}
	if (!want_n) {
		fprintf(stderr, "usage: gen_kineto [-s SEED] [-k RANK/RANKS] [-r] [-p] [-c] [-m] [-i] COUNT\n");
		return 2;
	}
	ln_init();
	load(0, h2d_op);
	load(1, fwd_layer);
	load(2, loss_op);
	load(3, bwd_layer);
	load(4, nccl_op);
	load(5, opt_op);
	load(6, item_op);
	int nlayer = want_n < 20000 ? 4 : 24, steps = 0;
	pass = 0;
	reset(seed);
	while (nobj + 40 < want_n)
		run_step(steps++, nlayer);
	P("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": ");
	pu(gpu());
	P(", \"name\": \"NVIDIA "
	  "A100-SXM4-80GB\", \"totalGlobalMem\": 85049606144,\n      \"computeMajor\": 8, \"computeMinor\": 0,\n      "
	  "\"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n      \"regsPerBlock\": 65536, "
	  "\"warpSize\": 32,\n      \"sharedMemPerBlock\": 49152, \"numSms\": 108\n    }\n  ],\n"
	  "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": ");
	pu(rank);
	P(", \"world_size\": ");
	pu(ranks ? ranks : 8);
	P("},\n  \"displayTimeUnit\": \"ns\",\n  \"traceEvents\": [");
	first_obj = 1;
	for (pass = 1; pass <= 3; pass++) {
		reset(seed);
		for (int s = 0; s < steps; s++)
			run_step(s, nlayer);
	}
	for (int g = 0; g < 8; g++) {
		char b[32];
		uint64_t id = (uint64_t)g;
		snprintf(b, sizeof b, "GPU %d", g);
		meta("process_name", id, "0", "name", "python3", 0);
		meta("process_labels", id, "0", "labels", b, 0);
		snprintf(b, sizeof b, "%d", 16777216 + g);
		meta("process_sort_index", id, "0", "sort_index", b, 1);
	}
	meta("process_name", PID, "0", "name", "python3", 0);
	meta("process_labels", PID, "0", "labels", "CPU", 0);
	meta("process_sort_index", PID, "0", "sort_index", "40960", 1);
	meta("thread_name", PID, "40960", "name", "thread 40960 (python3)", 0);
	meta("thread_name", PID, "41733", "name", "thread 41733 (pt_autograd_0)", 0);
	meta("thread_name", gpu(), "7", "name", "stream 7 ", 0);
	meta("thread_name", gpu(), "20", "name", "stream 20 ", 0);
	meta("thread_name", gpu(), "24", "name", "stream 24 ", 0);
	P("\n  ],\n  \"traceName\": \"synthetic.pt.trace.json\"\n}\n");
	flush();
	static const char *kn[K_N] = {"cpu_op",
				      "cuda_runtime",
				      "kernel",
				      "gpu_memcpy",
				      "gpu_memset",
				      "user_annotation",
				      "gpu_user_annotation",
				      "python_function",
				      "ac2g_s",
				      "ac2g_f",
				      "fwdbwd_s",
				      "fwdbwd_f",
				      "instant",
				      "metadata"};
	uint64_t t = 0;
	for (int i = 0; i < K_N; i++)
		t += cnt[i];
	fprintf(stderr, "steps %d objects %llu bytes %llu", steps, (unsigned long long)t,
		(unsigned long long)total_bytes);
	for (int i = 0; i < K_N; i++)
		if (cnt[i])
			fprintf(stderr, " %s %llu", kn[i], (unsigned long long)cnt[i]);
	fprintf(stderr, "\n");
	return 0;
}
