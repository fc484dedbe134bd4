/*
 * gen_xspace - write a synthetic TensorFlow/JAX style XSpace protobuf (*.xplane.pb) to stdout.
 *
 * Build:  cc -O2 -o gen_xspace gen_xspace.c -lm
 * Usage:  gen_xspace [-s SEED] [-g GPUS] [-j] COUNT > host.xplane.pb
 *   COUNT    target number of XEvents over all planes; whole steps are written until it is reached.
 *            Suffixes k and M are understood.
 *   -s SEED  seed (default 1). Same arguments => same bytes (with the same C library).
 *   -g GPUS  number of GPU planes with work (1..8, default 2)
 *   -j       JAX flavour: hlo_op / hlo_module stats and XLA kernel names instead of TF op names
 * A line with the counts goes to stderr. The whole output is held in memory before it is written.
 *
 * The model: one host plane with per-GPU executor threads, event-manager threads and input-pipeline
 * threads; per GPU a plane with Stream lines (Compute, MemcpyH2D, MemcpyD2H, NCCL), and the derived
 * lines Steps, TensorFlow Ops and TensorFlow Name Scope; a Task Environment plane. Every event refers to
 * its name and its stats by metadata id; strings that repeat are ref_value stats; launches and kernels
 * share a correlation id; all work of a step shares a group id.
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
static uint32_t lnt[1024];
static void ln_init(void)
{
	for (int i = 0; i < 1024; i++) {
		double p = (i + 0.5) / 1024, z = log(p / (1 - p)) / 1.702;
		lnt[i] = (uint32_t)(exp(0.8 * z) * 1024 + 0.5);
	}
}
static inline int64_t lnd(int64_t m)
{
	return 1 + ((m * lnt[rng() >> 54]) >> 10);
}

/* ---- growable protobuf buffers ---- */
typedef struct {
	uint8_t *p;
	size_t n, cap;
} Buf;
static inline uint8_t *room(Buf *b, size_t k)
{
	if (b->n + k > b->cap) {
		b->cap = (b->n + k) * 3 / 2 + 4096;
		b->p = realloc(b->p, b->cap);
		if (!b->p) {
			perror("realloc");
			exit(1);
		}
	}
	return b->p + b->n;
}
static inline size_t vlen(uint64_t v)
{
	size_t n = 1;
	while (v >= 128) {
		v >>= 7;
		n++;
	}
	return n;
}
static inline void wv(Buf *b, uint64_t v)
{
	uint8_t *q = room(b, 10), *s = q;
	while (v >= 128) {
		*q++ = (uint8_t)(v | 128);
		v >>= 7;
	}
	*q++ = (uint8_t)v;
	b->n += (size_t)(q - s);
}
static inline void wint(Buf *b, int f, uint64_t v)
{
	wv(b, (uint64_t)f << 3);
	wv(b, v);
}
static inline void wbytes(Buf *b, int f, const void *d, size_t n)
{
	wv(b, (uint64_t)f << 3 | 2);
	wv(b, n);
	memcpy(room(b, n), d, n);
	b->n += n;
}
static inline void wstr(Buf *b, int f, const char *s)
{
	wbytes(b, f, s, strlen(s));
}

/* ---- planes ---- */
enum {
	S_CORR = 1,
	S_CTX,
	S_KDET,
	S_MDET,
	S_GROUP,
	S_EAGER,
	S_SHAPE,
	S_TFOP,
	S_ID,
	S_KNAME,
	S_NOUT,
	S_NCTRL,
	S_ANN,
	S_LEVEL0,
	S_PT,
	S_P,
	S_CT,
	S_C,
	S_ALLOC,
	S_BRES,
	S_BALL,
	S_BAV,
	S_FRAG,
	S_PEAK,
	S_REQ,
	S_ALB,
	S_ADDR,
	S_DT,
	S_REGION,
	S_ITER,
	S_STEPNAME,
	S_HLOOP,
	S_HLOMOD,
	S_PROGID,
	S_OCCMIN,
	S_OCC,
	S_DEVTYPE,
	S_NSTAT
};
static const char *sname[S_NSTAT] = {0,
				     "correlation_id",
				     "context_id",
				     "kernel_details",
				     "memcpy_details",
				     "group_id",
				     "is_eager",
				     "shape",
				     "tf_op",
				     "id",
				     "kernel_name",
				     "num_output_edges",
				     "num_output_control_edges",
				     "annotation",
				     "level 0",
				     "_pt",
				     "_p",
				     "_ct",
				     "_c",
				     "allocator_name",
				     "bytes_reserved",
				     "bytes_allocated",
				     "bytes_available",
				     "fragmentation",
				     "peak_bytes_in_use",
				     "requested_bytes",
				     "allocation_bytes",
				     "addr",
				     "data_type",
				     "region_type",
				     "iter_num",
				     "step_name",
				     "hlo_op",
				     "hlo_module",
				     "program_id",
				     "occupancy_min_grid_size",
				     "theoretical_occupancy_pct",
				     "device_type_string"};
typedef struct {
	char name[96];
	int64_t id;
	Buf ev;
	uint64_t n;
} Line;
typedef struct {
	char name[64];
	Line ln[24];
	int nl;
	Buf em, sm;
	int64_t nem, nsm;
} Plane;
static Plane P[12];
static int np;
static Plane *plane(const char *n)
{
	Plane *p = &P[np++];
	snprintf(p->name, sizeof p->name, "%s", n);
	for (int i = 1; i < S_NSTAT; i++) { /* map<int64, XStatMetadata> entry */
		Buf t = {0}, e = {0};
		wint(&t, 1, (uint64_t)i);
		wstr(&t, 2, sname[i]);
		wint(&e, 1, (uint64_t)i);
		wbytes(&e, 2, t.p, t.n);
		wbytes(&p->sm, 5, e.p, e.n);
		free(t.p);
		free(e.p);
	}
	p->nsm = S_NSTAT;
	return p;
}
static Line *line(Plane *p, const char *n, int64_t id)
{
	Line *l = &p->ln[p->nl++];
	snprintf(l->name, sizeof l->name, "%.*s", (int)sizeof l->name - 1, n);
	l->id = id;
	return l;
}
static uint64_t evmeta(Plane *p, const char *n, const char *disp)
{
	Buf t = {0}, e = {0};
	uint64_t id = (uint64_t)++p->nem;
	wint(&t, 1, id);
	wstr(&t, 2, n);
	if (disp)
		wstr(&t, 4, disp);
	wint(&e, 1, id);
	wbytes(&e, 2, t.p, t.n);
	wbytes(&p->em, 4, e.p, e.n);
	free(t.p);
	free(e.p);
	return id;
}
static uint64_t refstr(Plane *p, const char *n)
{
	Buf t = {0}, e = {0};
	uint64_t id = (uint64_t)p->nsm++;
	wint(&t, 1, id);
	wstr(&t, 2, n);
	wint(&e, 1, id);
	wbytes(&e, 2, t.p, t.n);
	wbytes(&p->sm, 5, e.p, e.n);
	free(t.p);
	free(e.p);
	return id;
}
/* ---- one event at a time ---- */
static Buf st;
static inline void s_val(int key, int field, uint64_t v)
{
	wv(&st, 4 << 3 | 2);
	wv(&st, 1 + vlen((uint64_t)key) + 1 + vlen(v));
	wint(&st, 1, (uint64_t)key);
	wint(&st, field, v);
}
#define s_u64(k, v) s_val(k, 3, v)
#define s_i64(k, v) s_val(k, 4, v)
#define s_ref(k, v) s_val(k, 7, v)
static inline void s_str(int key, const char *s)
{
	size_t n = strlen(s);
	wv(&st, 4 << 3 | 2);
	wv(&st, 1 + vlen((uint64_t)key) + 1 + vlen(n) + n);
	wint(&st, 1, (uint64_t)key);
	wstr(&st, 5, s);
}
static inline void s_dbl(int key, double d)
{
	wv(&st, 4 << 3 | 2);
	wv(&st, 1 + vlen((uint64_t)key) + 9);
	wint(&st, 1, (uint64_t)key);
	wv(&st, 2 << 3 | 1);
	memcpy(room(&st, 8), &d, 8);
	st.n += 8;
}
static uint64_t total;
static void ev(Line *l, uint64_t meta, int64_t a, int64_t b)
{ /* nanoseconds in, picoseconds out */
	uint64_t off = (uint64_t)a * 1000, dur = (uint64_t)(b - a) * 1000;
	size_t n = 1 + vlen(meta) + 1 + vlen(off) + 1 + vlen(dur) + st.n;
	wv(&l->ev, 4 << 3 | 2);
	wv(&l->ev, n);
	wint(&l->ev, 1, meta);
	wint(&l->ev, 2, off);
	wint(&l->ev, 3, dur);
	memcpy(room(&l->ev, st.n), st.p, st.n);
	l->ev.n += st.n;
	st.n = 0;
	l->n++;
	total++;
}
static void plane_body(Plane *p, int i, Buf *o)
{ /* lines with their lengths, then the metadata maps */
	wint(o, 1, (uint64_t)i);
	wstr(o, 2, p->name);
	for (int k = 0; k < p->nl; k++) {
		Buf h = {0};
		wint(&h, 1, (uint64_t)p->ln[k].id);
		wstr(&h, 2, p->ln[k].name);
		wint(&h, 3, 1606419264123456789ull);
		wv(o, 3 << 3 | 2);
		wv(o, h.n + p->ln[k].ev.n);
		memcpy(room(o, h.n), h.p, h.n);
		o->n += h.n;
		free(h.p);
		memcpy(room(o, p->ln[k].ev.n), p->ln[k].ev.p, p->ln[k].ev.n);
		o->n += p->ln[k].ev.n;
		free(p->ln[k].ev.p);
	}
	memcpy(room(o, p->em.n), p->em.p, p->em.n);
	o->n += p->em.n;
	memcpy(room(o, p->sm.n), p->sm.p, p->sm.n);
	o->n += p->sm.n;
}
static void out(const void *d, size_t n)
{
	const char *c = d;
	while (n) {
		ssize_t w = write(1, c, n > 1 << 24 ? 1 << 24 : n);
		if (w <= 0) {
			perror("write");
			exit(1);
		}
		c += w;
		n -= (size_t)w;
	}
}

/* ---- the workload: OPS graph nodes per step, each with a host event, most with a kernel ---- */
#define NOPS 640
static const char *types[] = {
	"MatMul",           "Cast",    "ReadVariableOp",    "AddV2", "Mul",       "BiasAdd", "Softmax",
	"FusedBatchNormV3", "Conv2D",  "ResourceApplyAdam", "Sum",   "Transpose", "Relu",    "_Arg",
	"Identity",         "GatherV2"};
static const int has_kernel[] = {1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1};
static const int64_t kmed[] = {70000, 4000,  0,    5000,  5000, 6000, 11000, 24000,
			       90000, 12000, 9000, 13000, 6000, 0,    0,     8000};
static const char *kn[] = {
	"volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn",
	"void "
	"Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<Eigen::Tensor<"
	"Eigen::half, 1, 1, int>, 16>, Eigen::TensorConversionOp<Eigen::half, Eigen::TensorMap<Eigen::Tensor<float "
	"const, 1, 1, int>, 16> const> const>, Eigen::GpuDevice>, int>(Eigen::TensorEvaluator, int)",
	"",
	"Add_GPU_DT_HALF_DT_HALF_kernel",
	"Mul_GPU_DT_HALF_DT_HALF_kernel",
	"void tensorflow::BiasNHWCKernel<Eigen::half>(int, Eigen::half const*, Eigen::half const*, Eigen::half*, int)",
	"void cudnn::softmax_fw_kernel<2, __half, float, 256, 1, 0, 0>(cudnnTensorStruct, __half const*, "
	"cudnnTensorStruct, __half*, int, int)",
	"void cudnn::bn_fw_tr_1C11_kernel_NCHW<__half, float, 512, true, 1, true>(cudnnTensorStruct, __half const*, "
	"cudnnTensorStruct, __half*, float const*, float const*, float, float)",
	"volta_fp16_s884cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1",
	"void tensorflow::functor::ApplyAdamKernel<float>(int, float*, float*, float*, float, float, float, float, "
	"float, float const*, bool)",
	"void tensorflow::functor::RowReduceKernel<Eigen::half const*, Eigen::half*, cub::Sum>(Eigen::half const*, "
	"Eigen::half*, int, int, cub::Sum, float)",
	"void tensorflow::functor::ShuffleInTensor3Simple<unsigned int, 2, 1, 0, false>(int, unsigned int const*, "
	"tensorflow::functor::Dimension<3>, unsigned int*)",
	"Relu_GPU_DT_HALF_DT_HALF_kernel",
	"",
	"",
	"void tensorflow::GatherOpKernel<Eigen::half, int, true>(Eigen::half const*, int const*, Eigen::half*, long, "
	"long, long, long)"};
static int op_type[NOPS];
static char op_name[NOPS][160];
typedef struct {
	uint64_t hm[NOPS], km[NOPS], om[NOPS], sm_[4][64], ann[NOPS], kdet[NOPS], shp[64], h2d, d2h, nccl, step, module;
} Ids;
static Ids H[8], D[8];

int main(int argc, char **argv)
{
	uint64_t seed = 1, want = 0;
	int o, ng = 2, jax = 0;
	while ((o = getopt(argc, argv, "s:g:j")) != -1)
		switch (o) {
		case 's':
			seed = strtoull(optarg, 0, 10);
			break;
		case 'g':
			ng = atoi(optarg);
			break;
		case 'j':
			jax = 1;
			break;
		default:
			return 2;
		}
	if (optind < argc) {
		char *e;
		want = strtoull(argv[optind], &e, 10);
		if (*e == 'k')
			want *= 1000;
		if (*e == 'M')
			want *= 1000000;
	}
	if (!want || ng < 1 || ng > 8) {
		fprintf(stderr, "usage: gen_xspace [-s SEED] [-g GPUS] [-j] COUNT\n");
		return 2;
	}
	ln_init();
	rng_s = seed * 0x5851F42D4C957F2Dull + 7;
	static const char *scopes[] = {"self_attention/query/einsum/Einsum",
				       "self_attention/key/einsum/Einsum",
				       "self_attention/softmax",
				       "intermediate/einsum/Einsum",
				       "output/add",
				       "output_layer_norm/batchnorm",
				       "dropout_1/dropout",
				       "self_attention_layer_norm/moments"};
	for (int i = 0; i < NOPS; i++) {
		op_type[i] = (int)(rng() % 16);
		snprintf(op_name[i], sizeof op_name[i], "model/encoder/transformer/layer_%d/%s/%s_%d", i * 24 / NOPS,
			 scopes[rng() & 7], types[op_type[i]], i);
	}
	char b[512];
	Plane *h = plane("/host:CPU");
	Line *exe[8], *emg[8], *py, *inp[2], *L[8][8];
	Plane *g[8];
	for (int d = 0; d < ng; d++) {
		snprintf(b, sizeof b, "tf_gpu_private_%d/%lld", d, (long long)(int32_t)rng());
		exe[d] = line(h, b, (int64_t)(rng() >> 33));
		snprintf(b, sizeof b, "tf_GPU_Event_Manager/%lld", (long long)(int32_t)rng());
		emg[d] = line(h, b, (int64_t)(rng() >> 33));
	}
	py = line(h, "python3", (int64_t)(rng() >> 33));
	inp[0] = line(h, "tf_data_iterator_get_next/1630881670", (int64_t)(rng() >> 33));
	inp[1] = line(h, "tf_data_private_threadpool/737528048", (int64_t)(rng() >> 33));
	uint64_t m_pystep = evmeta(h, jax ? "train" : "TraceContext", 0),
		 m_next = evmeta(h, "IteratorGetNextOp::DoCompute", 0),
		 m_map = evmeta(h, "Iterator::Root::Prefetch::ParallelMapV2", 0),
		 m_poll = evmeta(h, "EventMgr::PollLoop", 0), m_alloc = evmeta(h, "MemoryAllocation", 0),
		 m_dealloc = evmeta(h, "MemoryDeallocation", 0), m_launch = evmeta(h, "cuLaunchKernel", 0),
		 m_cpy = evmeta(h, "cuMemcpyHtoDAsync_v2", 0),
		 m_run = evmeta(h, jax ? "PjitFunction(train_step)" : "FunctionRun", 0),
		 m_exec = evmeta(h, "ExecutorState::Process", 0);
	uint64_t r_region = refstr(h, "temp"), r_half = refstr(h, "half"), shp[64];
	for (int i = 0; i < 64; i++) {
		snprintf(b, sizeof b, "(half[%d,%d];float[%d])", 8 << (i & 3), 64 << (i >> 3), 768 + i);
		shp[i] = refstr(h, b);
	}
	uint64_t kref[16];
	for (int i = 0; i < 16; i++)
		kref[i] = refstr(h, kn[i][0] ? kn[i] : "none");
	for (int d = 0; d < ng; d++)
		for (int i = 0; i < NOPS; i++) {
			char nm[320];
			snprintf(nm, sizeof nm, "replica_%d/%.200s:%.80s", d, op_name[i], types[op_type[i]]);
			H[d].hm[i] = evmeta(h, nm, types[op_type[i]]);
		}
	for (int d = 0; d < ng; d++) {
		snprintf(b, sizeof b, "/device:GPU:%d", d);
		Plane *p = g[d] = plane(b);
		Ids *I = &D[d];
		static const char *lk[] = {"Compute", "MemcpyH2D", "MemcpyD2H", "NCCL"};
		for (int k = 0; k < 4; k++) {
			snprintf(b, sizeof b, "Stream #%d(%s)", 120 + 8 * d + k, lk[k]);
			L[d][k] = line(p, b, 120 + 8 * d + k);
		}
		L[d][4] = line(p, jax ? "XLA Ops" : "TensorFlow Ops", 0x7fffff01);
		L[d][5] = line(p, jax ? "XLA Modules" : "TensorFlow Name Scope", 0x7fffff02);
		L[d][6] = line(p, "Steps", 0x7fffff03);
		for (int i = 0; i < NOPS; i++) {
			int t = op_type[i];
			char nm[320];
			I->km[i] = (uint64_t)(t + 1); /* kernel names are the first 16 names of the plane */
			snprintf(nm, sizeof nm, "%s:%s", op_name[i], types[t]);
			I->ann[i] = refstr(p, nm);
			unsigned gx = 1u << (rng() % 13), bx = 64u << (rng() & 3);
			snprintf(nm, sizeof nm,
				 "regs:%u\nstatic_shared:%u\ndynamic_shared:0\ngrid:%u,%u,1\nblock:%u,1,1\nocc_pct:%u",
				 16 + (unsigned)(rng() & 15) * 8, (unsigned)(rng() & 7) * 4096, gx,
				 1 + (unsigned)(rng() & 3), bx, 25 * (1 + (unsigned)(rng() & 3)));
			I->kdet[i] = refstr(p, nm);
		}
		for (int t = 0; t < 16; t++)
			evmeta(p, kn[t][0] ? kn[t] : types[t], 0);
		for (int i = 0; i < NOPS; i++)
			I->om[i] = evmeta(p, op_name[i], types[op_type[i]]);
		for (int i = 0; i < 64; i++) {
			snprintf(b, sizeof b, "(half[%d,%d];float[%d])", 8 << (i & 3), 64 << (i >> 3), 768 + i);
			I->shp[i] = refstr(p, b);
		}
		for (int q = 0; q < 4; q++)
			for (int k = 0; k < 24; k++) {
				snprintf(b, sizeof b,
					 q == 0   ? "model"
					 : q == 1 ? "encoder"
					 : q == 2 ? "transformer"
						  : "layer_%d",
					 k);
				I->sm_[q][k] = evmeta(p, b, 0);
			}
		I->h2d = evmeta(p, "MemcpyH2D", 0);
		I->d2h = evmeta(p, "MemcpyD2H", 0);
		I->nccl = evmeta(p, "ncclAllReduceRingLLKernel_sum_f16(ncclColl)", 0);
		I->module = refstr(p, "jit_train_step");
	}
	int64_t t = 2000000, tg[8][8] = {{0}};
	uint64_t corr = 70, id = 8000000, steps = 0;
	while (total < want) {
		int64_t t0 = t;
		uint64_t grp = steps;
		int64_t in = lnd(900000) + (rng() % 20 == 0 ? 30000000 : 0);
		for (int k = 0; k < 4; k++) {
			s_i64(S_GROUP, grp);
			s_i64(S_ID, ++id);
			ev(inp[1], m_map, t + k * in / 4, t + k * in / 4 + in / 5);
		}
		s_i64(S_GROUP, grp);
		s_i64(S_ITER, steps);
		ev(inp[0], m_next, t, t + in);
		t += in;
		s_i64(S_GROUP, grp);
		s_u64(S_PT, id++);
		s_ref(S_REGION, r_region);
		s_i64(S_ID, id);
		ev(py, m_run, t, t + 200000);
		int64_t tend = t;
		uint64_t base = rng_s;
		for (int d = 0; d < ng; d++) {
			rng_s = base + (uint64_t)d * 77;
			int64_t c = t + 50000, first = -1, e0 = c;
			Ids *I = &D[d];
			if (tg[d][0] < c)
				tg[d][0] = c;
			s_u64(S_CORR, ++corr);
			s_u64(S_CTX, 1);
			ev(exe[d], m_cpy, c, c + 4000);
			int64_t ms = c + 5000;
			s_u64(S_CORR, corr);
			s_u64(S_CTX, 1);
			snprintf(b, sizeof b, "kind_src:pageable kind_dst:device size:%u dest:%d async:1",
				 4096u << (rng() & 7), d);
			s_str(S_MDET, b);
			s_i64(S_GROUP, grp);
			ev(L[d][1], I->h2d, ms, ms + lnd(30000));
			static int64_t oa[NOPS], ob_[NOPS];
			int on[NOPS], n = 0;
			for (int i = 0; i < NOPS; i++) {
				int ty = op_type[i], k = has_kernel[ty];
				int64_t a = c, la = 0, lb = 0;
				int alloc = k && (rng() % 3 == 0);
				c += lnd(250);
				int64_t aa = c;
				if (alloc)
					c += lnd(500);
				int64_t ab = c;
				if (k) {
					la = c;
					c += lnd(3000);
					lb = c;
				}
				c += lnd(300);
				s_i64(S_GROUP, grp);
				s_i64(S_ID, ++id);
				s_ref(S_KNAME, kref[ty]);
				s_i64(S_NOUT, 1 + (rng() & 1));
				s_i64(S_NCTRL, 0);
				if (rng() & 1)
					s_ref(S_SHAPE, shp[rng() & 63]);
				if (k)
					s_u64(S_EAGER, 0);
				ev(exe[d], H[d].hm[i], a, c);
				if (alloc) {
					uint64_t sz = 256ull << (rng() & 15);
					s_str(S_ALLOC, "GPU_0_bfc");
					s_i64(S_BRES, 0);
					s_i64(S_BALL, 3000000000ull + sz);
					s_i64(S_BAV, 12000000000ull - sz);
					s_dbl(S_FRAG, (double)(rng() & 1023) / 4096);
					s_i64(S_PEAK, 9000000000ull);
					s_i64(S_REQ, sz - 4);
					s_i64(S_ALB, sz);
					s_u64(S_ADDR, 139910371608800ull + (rng() & 0xffffff00));
					s_ref(S_TFOP, kref[ty]);
					s_i64(S_ID, id);
					s_ref(S_REGION, r_region);
					s_ref(S_DT, r_half);
					s_ref(S_SHAPE, shp[rng() & 63]);
					s_i64(S_GROUP, grp);
					ev(py, (rng() & 3) ? m_alloc : m_dealloc, aa, ab);
				}
				if (k) {
					s_u64(S_CORR, ++corr);
					s_u64(S_CTX, 1);
					s_ref(S_KDET, kref[ty]);
					s_i64(S_GROUP, grp);
					ev(exe[d], m_launch, la, lb);
					int64_t ks = lb + lnd(1500), kd = (lnd(kmed[ty]) & ~31ll) + 32;
					if (ks < tg[d][0] + 700)
						ks = tg[d][0] + 700 + (int64_t)(rng() & 511);
					if (first < 0)
						first = ks;
					tg[d][0] = ks + kd;
					s_u64(S_CORR, corr);
					s_ref(S_ANN, I->ann[i]);
					s_str(S_CTX, "$$1");
					s_ref(S_KDET, I->kdet[i]);
					if (jax) {
						s_ref(S_HLOMOD, I->module);
						s_ref(S_HLOOP, I->ann[i]);
						s_u64(S_PROGID, 12);
					} else {
						s_ref(S_SHAPE, I->shp[rng() & 63]);
						s_ref(S_LEVEL0, I->ann[i]);
						s_i64(S_EAGER, 0);
					}
					s_i64(S_GROUP, grp);
					ev(L[d][0], I->km[i], ks, ks + kd);
					oa[i] = ks;
					ob_[i] = ks + kd;
					on[n++] = i;
				}
				if (i % 64 == 63 && ng > 1) {
					int64_t ns = tg[d][0] > tg[d][3] ? tg[d][0] : tg[d][3], nd = lnd(250000);
					s_u64(S_CORR, ++corr);
					s_str(S_CTX, "$$1");
					s_i64(S_GROUP, grp);
					ev(L[d][3], I->nccl, ns, ns + nd);
					tg[d][3] = ns + nd;
				}
			}
			for (int q = 0; q < n; q++) {
				s_i64(S_GROUP, grp);
				ev(L[d][4], I->om[on[q]], oa[on[q]], ob_[on[q]]);
			}
			for (int q = 0; q < n;) { /* name scopes: one event per run of ops of one layer, 4 levels */
				int l = on[q] * 24 / NOPS, e = q;
				while (e + 1 < n && on[e + 1] * 24 / NOPS == l)
					e++;
				for (int k = 0; k < 4; k++) {
					s_i64(S_GROUP, grp);
					ev(L[d][5], I->sm_[k][k == 3 ? l : 0], oa[on[q]], ob_[on[e]]);
				}
				q = e + 1;
			}
			s_u64(S_CORR, ++corr);
			s_u64(S_CTX, 1);
			s_str(S_MDET, "size:4 dest:0 async:0");
			s_i64(S_GROUP, grp);
			ev(L[d][2], I->d2h, tg[d][0] + 2000, tg[d][0] + 4500);
			s_i64(S_GROUP, grp);
			ev(exe[d], m_exec, e0, c);
			for (int k = 0; k < 6; k++) {
				s_i64(S_GROUP, grp);
				ev(emg[d], m_poll, e0 + k * (c - e0) / 6, e0 + k * (c - e0) / 6 + lnd(1000));
			}
			if (tg[d][3] > tg[d][0])
				tg[d][0] = tg[d][3];
			snprintf(b, sizeof b, "%llu", (unsigned long long)steps);
			s_str(S_STEPNAME, b);
			s_i64(S_GROUP, grp);
			if (steps >= (uint64_t)I->step) {
				I->step++;
				ev(L[d][6], evmeta(g[d], b, 0), first, tg[d][0]);
			}
			if (c > tend)
				tend = c;
			if (tg[d][0] - 3000000 > tend)
				tend = tg[d][0] - 3000000;
		}
		rng_s = base + 1000003;
		s_i64(S_ITER, steps);
		s_i64(S_GROUP, grp);
		s_i64(S_P, ++id);
		ev(py, m_pystep, t0, tend);
		t = tend + lnd(60000);
		steps++;
	}
	plane("Task Environment");
	size_t bytes = 0;
	for (int i = 0; i < np; i++) {
		Buf body = {0}, hd = {0};
		plane_body(&P[i], i, &body);
		wv(&hd, 1 << 3 | 2);
		wv(&hd, body.n);
		out(hd.p, hd.n);
		out(body.p, body.n);
		bytes += hd.n + body.n;
		free(body.p);
		free(hd.p);
	}
	Buf hn = {0};
	wstr(&hn, 4, "worker-0");
	out(hn.p, hn.n);
	bytes += hn.n;
	fprintf(stderr, "steps %llu events %llu bytes %zu planes %d\n", (unsigned long long)steps,
		(unsigned long long)total, bytes, np);
	return 0;
}
