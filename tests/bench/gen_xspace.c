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
#include "gen/count.h"
#include "gen/xspace_ops.h"
#include "gen/xspace_planes.h"
#include <stdbool.h>

enum { MOST_GPUS = 8, N_SHAPES = 64, SCOPE_LEVELS = 4, OPS_PER_CALL = 64 };
enum { COMPUTE, H2D, D2H, NCCL, OPS, SCOPES, STEPS, N_LINES }; /* of a GPU */

static int n_gpus = 2, jax;
static uint64_t correlation = 70, last_id = 8000000, step;

/* Lines of the host, and the numbers of names and strings there. */
static struct {
	struct line *executor[MOST_GPUS], *manager[MOST_GPUS], *python, *get_next, *pool;
	uint64_t step, next, map, poll, alloc, dealloc, launch, copy, run, execute, ops[MOST_GPUS][N_OPS];
	uint64_t region, half, shapes[N_SHAPES], kernels[N_TYPES];
} host;
static struct gpu {
	struct plane *plane;
	struct line *lines[N_LINES];
	uint64_t ops[N_OPS], scopes[SCOPE_LEVELS][N_LAYERS], h2d, d2h, nccl;
	uint64_t annotations[N_OPS], details[N_OPS], shapes[N_SHAPES], module;
	int64_t compute_free, nccl_free; /* when its streams have done all that was launched */
} gpus[MOST_GPUS];

/* ---- planes ---------------------------------------------------------------------------------------------------------- */

static struct line *host_line(struct plane *p, const char *name)
{
	return line(p, name, (int64_t)(rng() >> 33));
}

static void make_shapes(struct plane *p, uint64_t shapes[N_SHAPES])
{
	for (int i = 0; i < N_SHAPES; i++) {
		char text[64];
		snprintf(text, sizeof text, "(half[%d,%d];float[%d])", 8 << (i & 3), 64 << (i >> 3), 768 + i);
		shapes[i] = ref_string(p, text);
	}
}

static void make_host_lines(struct plane *p)
{
	char name[64];
	for (int d = 0; d < n_gpus; d++) {
		snprintf(name, sizeof name, "tf_gpu_private_%d/%lld", d, (long long)(int32_t)rng());
		host.executor[d] = host_line(p, name);
		snprintf(name, sizeof name, "tf_GPU_Event_Manager/%lld", (long long)(int32_t)rng());
		host.manager[d] = host_line(p, name);
	}
	host.python = host_line(p, "python3");
	host.get_next = host_line(p, "tf_data_iterator_get_next/1630881670");
	host.pool = host_line(p, "tf_data_private_threadpool/737528048");
}

static void make_host(void)
{
	struct plane *p = plane("/host:CPU");
	make_host_lines(p);
	host.step = event_name(p, jax ? "train" : "TraceContext", NULL);
	host.next = event_name(p, "IteratorGetNextOp::DoCompute", NULL);
	host.map = event_name(p, "Iterator::Root::Prefetch::ParallelMapV2", NULL);
	host.poll = event_name(p, "EventMgr::PollLoop", NULL);
	host.alloc = event_name(p, "MemoryAllocation", NULL);
	host.dealloc = event_name(p, "MemoryDeallocation", NULL);
	host.launch = event_name(p, "cuLaunchKernel", NULL);
	host.copy = event_name(p, "cuMemcpyHtoDAsync_v2", NULL);
	host.run = event_name(p, jax ? "PjitFunction(train_step)" : "FunctionRun", NULL);
	host.execute = event_name(p, "ExecutorState::Process", NULL);
	host.region = ref_string(p, "temp");
	host.half = ref_string(p, "half");
	make_shapes(p, host.shapes);
	for (int i = 0; i < N_TYPES; i++)
		host.kernels[i] = ref_string(p, op_types[i].kernel ? op_types[i].kernel : "none");
	for (int d = 0; d < n_gpus; d++)
		for (int i = 0; i < N_OPS; i++) {
			char name[320];
			snprintf(name, sizeof name, "replica_%d/%.200s:%.80s", d, ops[i].name, ops[i].type->name);
			host.ops[d][i] = event_name(p, name, ops[i].type->name);
		}
}

static void make_kernel_strings(struct gpu *g)
{
	for (int i = 0; i < N_OPS; i++) {
		char text[320];
		snprintf(text, sizeof text, "%s:%s", ops[i].name, ops[i].type->name);
		g->annotations[i] = ref_string(g->plane, text);
		unsigned grid = 1u << (rng() % 13), block = 64u << (rng() & 3);
		unsigned occupancy = 25 * (1 + (unsigned)(rng() & 3));
		unsigned grid_y = 1 + (unsigned)(rng() & 3);
		unsigned shared = (unsigned)(rng() & 7) * 4096;
		unsigned registers = 16 + (unsigned)(rng() & 15) * 8;
		snprintf(text, sizeof text,
			 "regs:%u\nstatic_shared:%u\ndynamic_shared:0\ngrid:%u,%u,1\nblock:%u,1,1\nocc_pct:%u",
			 registers, shared, grid, grid_y, block, occupancy);
		g->details[i] = ref_string(g->plane, text);
	}
}

/* Kernels are the first names of the plane: those of type i have number i + 1. */
static void make_gpu_names(struct gpu *g)
{
	static const char *const scopes[SCOPE_LEVELS] = {"model", "encoder", "transformer", "layer_"};
	for (int i = 0; i < N_TYPES; i++)
		event_name(g->plane, op_types[i].kernel ? op_types[i].kernel : op_types[i].name, NULL);
	for (int i = 0; i < N_OPS; i++)
		g->ops[i] = event_name(g->plane, ops[i].name, ops[i].type->name);
	for (int level = 0; level < SCOPE_LEVELS; level++)
		for (int i = 0; i < N_LAYERS; i++) {
			char name[32];
			snprintf(name, sizeof name, level + 1 < SCOPE_LEVELS ? "%s" : "%s%d", scopes[level], i);
			g->scopes[level][i] = event_name(g->plane, name, NULL);
		}
	g->h2d = event_name(g->plane, "MemcpyH2D", NULL);
	g->d2h = event_name(g->plane, "MemcpyD2H", NULL);
	g->nccl = event_name(g->plane, "ncclAllReduceRingLLKernel_sum_f16(ncclColl)", NULL);
}

static void make_gpu(int d)
{
	static const char *const streams[] = {"Compute", "MemcpyH2D", "MemcpyD2H", "NCCL"};
	struct gpu *g = &gpus[d];
	char name[64];
	snprintf(name, sizeof name, "/device:GPU:%d", d);
	g->plane = plane(name);
	for (int s = COMPUTE; s <= NCCL; s++) {
		snprintf(name, sizeof name, "Stream #%d(%s)", 120 + 8 * d + s, streams[s]);
		g->lines[s] = line(g->plane, name, 120 + 8 * d + s);
	}
	g->lines[OPS] = line(g->plane, jax ? "XLA Ops" : "TensorFlow Ops", 0x7fffff01);
	g->lines[SCOPES] = line(g->plane, jax ? "XLA Modules" : "TensorFlow Name Scope", 0x7fffff02);
	g->lines[STEPS] = line(g->plane, "Steps", 0x7fffff03);
	make_kernel_strings(g);
	make_gpu_names(g);
	make_shapes(g->plane, g->shapes);
	g->module = ref_string(g->plane, "jit_train_step");
}

/* ---- ops ------------------------------------------------------------------------------------------------------------- */

struct ran {
	int op;
	int64_t begin, end; /* of its kernel */
};

static void put_allocation(int type, int64_t begin, int64_t end)
{
	uint64_t bytes = 256ull << (rng() & 15);
	s_str(S_ALLOC, "GPU_0_bfc");
	s_i64(S_BRES, 0);
	s_i64(S_BALL, 3000000000ull + bytes);
	s_i64(S_BAV, 12000000000ull - bytes);
	s_dbl(S_FRAG, (double)(rng() & 1023) / 4096);
	s_i64(S_PEAK, 9000000000ull);
	s_i64(S_REQ, bytes - 4);
	s_i64(S_ALB, bytes);
	s_u64(S_ADDR, 139910371608800ull + (rng() & 0xffffff00));
	s_ref(S_TFOP, host.kernels[type]);
	s_i64(S_ID, last_id);
	s_ref(S_REGION, host.region);
	s_ref(S_DT, host.half);
	s_ref(S_SHAPE, host.shapes[rng() & 63]);
	s_i64(S_GROUP, step);
	put_event(host.python, (rng() & 3) ? host.alloc : host.dealloc, begin, end);
}

static void put_host_op(int d, int i, int64_t begin, int64_t end)
{
	s_i64(S_GROUP, step);
	s_i64(S_ID, ++last_id);
	s_ref(S_KNAME, host.kernels[ops[i].type - op_types]);
	s_i64(S_NOUT, 1 + (rng() & 1));
	s_i64(S_NCTRL, 0);
	if (rng() & 1)
		s_ref(S_SHAPE, host.shapes[rng() & 63]);
	if (ops[i].type->kernel)
		s_u64(S_EAGER, 0);
	put_event(host.executor[d], host.ops[d][i], begin, end);
}

/* The launch, and the kernel after what the stream still has to do. */
static struct ran put_kernel(int d, int i, int64_t launch, int64_t launched)
{
	struct gpu *g = &gpus[d];
	uint64_t type = (uint64_t)(ops[i].type - op_types);
	s_u64(S_CORR, ++correlation);
	s_u64(S_CTX, 1);
	s_ref(S_KDET, host.kernels[type]);
	s_i64(S_GROUP, step);
	put_event(host.executor[d], host.launch, launch, launched);
	struct ran r = {.op = i, .begin = launched + around(1500)};
	int64_t dur = (around(ops[i].type->median_ns) & ~31ll) + 32;
	if (r.begin < g->compute_free + 700)
		r.begin = g->compute_free + 700 + (int64_t)(rng() & 511);
	g->compute_free = r.end = r.begin + dur;
	s_u64(S_CORR, correlation);
	s_ref(S_ANN, g->annotations[i]);
	s_str(S_CTX, "$$1");
	s_ref(S_KDET, g->details[i]);
	if (jax) {
		s_ref(S_HLOMOD, g->module);
		s_ref(S_HLOOP, g->annotations[i]);
		s_u64(S_PROGID, 12);
	} else {
		s_ref(S_SHAPE, g->shapes[rng() & 63]);
		s_ref(S_LEVEL0, g->annotations[i]);
		s_i64(S_EAGER, 0);
	}
	s_i64(S_GROUP, step);
	put_event(g->lines[COMPUTE], type + 1, r.begin, r.end);
	return r;
}

static void put_collective(struct gpu *g)
{
	int64_t begin = g->compute_free > g->nccl_free ? g->compute_free : g->nccl_free, dur = around(250000);
	s_u64(S_CORR, ++correlation);
	s_str(S_CTX, "$$1");
	s_i64(S_GROUP, step);
	put_event(g->lines[NCCL], g->nccl, begin, begin + dur);
	g->nccl_free = begin + dur;
}

/* All ops of a step on one GPU from `clock` on: when the host has done them. What had a kernel goes to `ran`. */
static int64_t run_ops(int d, int64_t clock, struct ran ran[N_OPS], int *n_ran)
{
	for (int i = 0; i < N_OPS; i++) {
		bool kernel = ops[i].type->kernel;
		bool allocates = kernel && rng() % 3 == 0;
		int64_t begin = clock, allocation = clock += around(250);
		if (allocates)
			clock += around(500);
		int64_t launch = clock, launched = clock;
		if (kernel)
			launched = clock += around(3000);
		clock += around(300);
		put_host_op(d, i, begin, clock);
		if (allocates)
			put_allocation((int)(ops[i].type - op_types), allocation, launch);
		if (kernel)
			ran[(*n_ran)++] = put_kernel(d, i, launch, launched);
		if (i % OPS_PER_CALL == OPS_PER_CALL - 1 && n_gpus > 1)
			put_collective(&gpus[d]);
	}
	return clock;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static void put_copy_in(int d, int64_t clock)
{
	char text[128];
	s_u64(S_CORR, ++correlation);
	s_u64(S_CTX, 1);
	put_event(host.executor[d], host.copy, clock, clock + 4000);
	s_u64(S_CORR, correlation);
	s_u64(S_CTX, 1);
	snprintf(text, sizeof text, "kind_src:pageable kind_dst:device size:%u dest:%d async:1", 4096u << (rng() & 7),
		 d);
	s_str(S_MDET, text);
	s_i64(S_GROUP, step);
	put_event(gpus[d].lines[H2D], gpus[d].h2d, clock + 5000, clock + 5000 + around(30000));
}

/* The lines that are derived from kernels: an event per op, and one per run of ops of one layer on each level of scopes. */
static void put_derived(const struct gpu *g, const struct ran *ran, int n)
{
	for (int i = 0; i < n; i++) {
		s_i64(S_GROUP, step);
		put_event(g->lines[OPS], g->ops[ran[i].op], ran[i].begin, ran[i].end);
	}
	for (int i = 0, last; i < n; i = last + 1) {
		int layer = layer_of(ran[i].op);
		for (last = i; last + 1 < n && layer_of(ran[last + 1].op) == layer;)
			last++;
		for (int level = 0; level < SCOPE_LEVELS; level++) {
			s_i64(S_GROUP, step);
			put_event(g->lines[SCOPES], g->scopes[level][level + 1 == SCOPE_LEVELS ? layer : 0],
				  ran[i].begin, ran[last].end);
		}
	}
}

static void put_step_end(int d, int64_t begin, int64_t end, int64_t first_kernel)
{
	struct gpu *g = &gpus[d];
	char name[32];
	s_u64(S_CORR, ++correlation);
	s_u64(S_CTX, 1);
	s_str(S_MDET, "size:4 dest:0 async:0");
	s_i64(S_GROUP, step);
	put_event(g->lines[D2H], g->d2h, g->compute_free + 2000, g->compute_free + 4500);
	s_i64(S_GROUP, step);
	put_event(host.executor[d], host.execute, begin, end);
	for (int i = 0; i < 6; i++) {
		int64_t at = begin + i * (end - begin) / 6;
		s_i64(S_GROUP, step);
		put_event(host.manager[d], host.poll, at, at + around(1000));
	}
	if (g->nccl_free > g->compute_free)
		g->compute_free = g->nccl_free;
	snprintf(name, sizeof name, "%llu", (unsigned long long)step);
	s_str(S_STEPNAME, name);
	s_i64(S_GROUP, step);
	put_event(g->lines[STEPS], event_name(g->plane, name, NULL), first_kernel, g->compute_free);
}

/* A step on one GPU: when the host may go on. */
static int64_t run_gpu(int d, int64_t begin)
{
	struct gpu *g = &gpus[d];
	struct ran ran[N_OPS];
	int n = 0;
	if (g->compute_free < begin)
		g->compute_free = begin;
	put_copy_in(d, begin);
	int64_t end = run_ops(d, begin, ran, &n);
	put_derived(g, ran, n);
	put_step_end(d, begin, end, n ? ran[0].begin : -1);
	return end > g->compute_free - 3000000 ? end : g->compute_free - 3000000;
}

/* When the input of a step that begins at `clock` is there. */
static int64_t run_input(int64_t clock)
{
	int64_t wait = around(900000);
	if (rng() % 20 == 0)
		wait += 30000000;
	for (int i = 0; i < 4; i++) {
		s_i64(S_GROUP, step);
		s_i64(S_ID, ++last_id);
		put_event(host.pool, host.map, clock + i * wait / 4, clock + i * wait / 4 + wait / 5);
	}
	s_i64(S_GROUP, step);
	s_i64(S_ITER, step);
	put_event(host.get_next, host.next, clock, clock + wait);
	return clock + wait;
}

static int64_t run_step(int64_t clock)
{
	int64_t begin = clock;
	clock = run_input(clock);
	s_i64(S_GROUP, step);
	s_u64(S_PT, last_id++);
	s_ref(S_REGION, host.region);
	s_i64(S_ID, last_id);
	put_event(host.python, host.run, clock, clock + 200000);
	int64_t end = clock;
	uint64_t base = rng_s;
	for (int d = 0; d < n_gpus; d++) {
		rng_s = base + (uint64_t)d * 77; /* GPUs do nearly the same */
		int64_t done = run_gpu(d, clock + 50000);
		end = done > end ? done : end;
	}
	rng_s = base + 1000003;
	s_i64(S_ITER, step);
	s_i64(S_GROUP, step);
	s_i64(S_P, ++last_id);
	put_event(host.python, host.step, begin, end);
	return end + around(60000);
}

static void write_trace(uint64_t seed, uint64_t count)
{
	lognormal_init(0.8);
	rng_s = seed * 0x5851F42D4C957F2Dull + 7;
	ops_make();
	make_host();
	for (int d = 0; d < n_gpus; d++)
		make_gpu(d);
	for (int64_t clock = 2000000; n_events < count; step++)
		clock = run_step(clock);
	plane("Task Environment");
	size_t bytes = write_planes("worker-0");
	fprintf(stderr, "steps %llu events %llu bytes %zu planes %d\n", (unsigned long long)step,
		(unsigned long long)n_events, bytes, n_planes);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, count = 0;
	int o;
	while ((o = getopt(argc, argv, "s:g:j")) != -1)
		switch (o) {
		case 's':
			seed = strtoull(optarg, 0, 10);
			break;
		case 'g':
			n_gpus = atoi(optarg);
			break;
		case 'j':
			jax = 1;
			break;
		default:
			return 2;
		}
	if (optind < argc)
		count = count_of(argv[optind]);
	if (!count || n_gpus < 1 || n_gpus > MOST_GPUS) {
		fprintf(stderr, "usage: gen_xspace [-s SEED] [-g GPUS] [-j] COUNT\n");
		return 2;
	}
	write_trace(seed, count);
	return 0;
}
