/*
 * gen_odd - write a Kineto style Chrome trace (JSON) that is odd in one way to stdout.
 *
 * Build:  cc -O2 -o gen_odd gen_odd.c
 * Usage:  gen_odd KIND COUNT > trace.json       gen_odd list: the kinds
 *   COUNT  objects in traceEvents, about; suffixes k and M are understood. What is odd grows with it: of two million objects
 *          each kind is as large as its line in KINDS says.
 * Same arguments, same bytes. Memory use is constant.
 *
 * The model: one call after the other, each of them an op, its launch, the arrow's two ends and the kernel, in the layout and
 * of the length that Kineto writes, with a step around a hundred of them. A kind changes one thing about every call.
 */
#include "gen/count.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t T0_NS = 1712195495000000000;
enum { PID = 40960, TID = 40960, STREAM = 7, CALLS_PER_STEP = 100 };
enum { CALL_NS = 20000, OP_NS = 9000, LAUNCH_AT_NS = 3000, LAUNCH_NS = 4000, KERNEL_AT_NS = 8000, KERNEL_NS = 11000 };
enum { OP = 1, ARROW = 2, STEP = 4 }; /* what a call has beside launch and kernel */

struct call {
	uint64_t i, pid, tid, device, stream, correlation, arrow;
	int parts;
	int64_t at_ns, op_ns, launch_at_ns, launch_ns, kernel_at_ns,
		kernel_ns;         /* at: of the launch from the op's begin */
	int64_t step_ns;           /* from just before the op's begin */
	const char *kernel, *args; /* its name; more arguments of the op */
};

static uint64_t n_calls; /* of the whole trace */
static uint64_t n_objects;
static char text[1200]; /* of the call that is being made */

/* ---- output ---------------------------------------------------------------------------------------------------------- */

static void begin(char ph)
{
	static int begun;
	printf("%s\n  {\n    \"ph\": \"%c\", ", begun ? "," : "", ph);
	begun = 1;
	n_objects++;
}

static void put_us(const char *key, int64_t ns)
{
	printf("\"%s\": %" PRId64 ".%03d", key, ns / 1000, (int)(ns % 1000));
}

static void put_place(uint64_t pid, uint64_t tid)
{
	printf("\"pid\": %" PRIu64 ", \"tid\": %" PRIu64 ",\n    ", pid, tid);
}

static void put_event(const char *category, const char *name, uint64_t pid, uint64_t tid, int64_t at_ns, int64_t dur_ns)
{
	begin('X');
	printf("\"cat\": \"%s\", \"name\": \"%s\", ", category, name);
	put_place(pid, tid);
	put_us("ts", T0_NS + at_ns);
	printf(", ");
	put_us("dur", dur_ns);
	printf(",\n    \"args\": {\n      ");
}

static void end_event(void)
{
	printf("\n    }\n  }");
}

static void put_arrow(const struct call *c, char ph, uint64_t pid, uint64_t tid, int64_t at_ns)
{
	begin(ph);
	printf("\"id\": %" PRIu64 ", ", c->arrow);
	put_place(pid, tid);
	put_us("ts", T0_NS + at_ns);
	printf(",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"%s\n  }", ph == 'f' ? ", \"bp\": \"e\"" : "");
}

static void put_step(const struct call *c)
{
	char name[40];
	snprintf(name, sizeof name, "ProfilerStep#%" PRIu64, c->i);
	put_event("user_annotation", name, c->pid, c->tid, c->at_ns, c->step_ns);
	printf("\"External id\": %" PRIu64 ", \"Ev Idx\": %" PRIu64, 2 * c->i + 1, 2 * c->i);
	end_event();
}

static void put_op(const struct call *c, const char *name)
{
	put_event("cpu_op", name, c->pid, c->tid, c->at_ns, c->op_ns);
	printf("\"External id\": %" PRIu64 ", \"Ev Idx\": %" PRIu64 "%s", 2 * c->i + 2, 2 * c->i + 1, c->args);
	end_event();
}

static void put_launch(const struct call *c)
{
	int64_t at_ns = c->at_ns + c->launch_at_ns;
	put_event("cuda_runtime", "cudaLaunchKernel", c->pid, c->tid, at_ns, c->launch_ns);
	printf("\"External id\": %" PRIu64 ",      \"cbid\": 211, \"correlation\": %" PRIu64, 2 * c->i + 2,
	       c->correlation);
	end_event();
	if (c->parts & ARROW)
		put_arrow(c, 's', c->pid, c->tid, at_ns);
}

static void put_kernel(const struct call *c)
{
	int64_t at_ns = c->at_ns + c->kernel_at_ns;
	put_event("kernel", c->kernel, c->device, c->stream, at_ns, c->kernel_ns);
	printf("\"External id\": %" PRIu64 ",      \"queued\": 0, \"device\": %" PRIu64
	       ", \"context\": 1,      \"stream\": %" PRIu64,
	       2 * c->i + 2, c->device, c->stream);
	printf(", \"correlation\": %" PRIu64 ",      \"registers per thread\": 64,      \"shared memory\": 49152,",
	       c->correlation);
	printf("      \"blocks per SM\": 9.109056,      \"warps per SM\": 151.244896,      \"grid\": [1024, 7, 1],"
	       "      \"block\": [512, 1, 1],      \"est. achieved occupancy %%\": 45");
	end_event();
	if (c->parts & ARROW)
		put_arrow(c, 'f', c->device, c->stream, at_ns);
}

static void put_call(const struct call *c)
{
	static const char *const ops[] = {"aten::add_", "aten::linear", "aten::layer_norm", "aten::gelu"};
	if (c->parts & STEP)
		put_step(c);
	if (c->parts & OP)
		put_op(c, ops[c->i % 4]);
	put_launch(c);
	put_kernel(c);
}

/* ---- calls ----------------------------------------------------------------------------------------------------------- */

static struct call call_of(uint64_t i)
{
	static const char *const kernels[] = {
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::Half>, "
		"std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul>)",
		"ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn",
		"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::Half, float>(int, float, "
		"c10::Half const*, c10::Half const*, c10::Half const*, float*, float*, c10::Half*)",
		"triton_poi_fused_add_native_dropout_17"};
	return (struct call){.i = i,
			     .pid = PID,
			     .tid = TID,
			     .stream = STREAM,
			     .correlation = i + 1,
			     .arrow = i + 1,
			     .parts = OP | ARROW | (i % CALLS_PER_STEP ? 0 : STEP),
			     .at_ns = (int64_t)i * CALL_NS,
			     .op_ns = OP_NS,
			     .launch_at_ns = LAUNCH_AT_NS,
			     .launch_ns = LAUNCH_NS,
			     .kernel_at_ns = KERNEL_AT_NS,
			     .kernel_ns = KERNEL_NS,
			     .step_ns = (int64_t)CALLS_PER_STEP * CALL_NS - 1000,
			     .kernel = kernels[i % 4],
			     .args = ""};
}

static void plain(struct call *c)
{
	(void)c;
}

static void steps(struct call *c)
{
	c->parts = OP | STEP;
	c->step_ns = CALL_NS - 1000;
}

static void streams(struct call *c)
{
	c->stream = STREAM + c->i % (n_calls / 4 + 1);
}

static void threads(struct call *c)
{
	c->tid = TID + c->i % (n_calls / 4 + 1);
}

static void devices(struct call *c)
{
	c->device = c->i % 500;
}

static void names(struct call *c)
{
	snprintf(text, sizeof text,
		 "void at::native::vectorized_elementwise_kernel<4, at::native::Functor_%" PRIx64 "<c10::Half>, "
		 "std::array<char*, 3ul> >(int, at::native::Functor<c10::Half>, std::array<char*, 3ul>)",
		 c->i * 2654435761u);
	c->kernel = text;
	c->parts &= STEP;
}

/* As compilers write kernels of ATen, CUTLASS 2, FlashAttention and CUTLASS 3; the part of each name's own is "Stem" and a number. */
static const struct shape {
	const char *before, *stem, *behind;
} shapes[] = {
	{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_", "Functor_",
	 "IN3c104HalfEEESt5arrayIPcLm3EEEEviT0_T1_"},
	{"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastIZZZZNS0_", "copy_kernel_cuda_",
	 "IiEEvRNS_18TensorIteratorBaseEENKUlvE_clEvENKUlvE_clEvENKUlvE_clEvEUlfE_EEvS5_RKT_EUliE_EEviT1_"},
	{"_ZN7cutlass7Kernel2I", "cutlass_80_tensorop_f16_s16816gemm_f16_256x128_32x3_tn_align8_", "EEvNT_6ParamsE"},
	{"_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIN3c104HalfENS0_14func_wrapper_tIS4_fNS0_", "Reduce_",
	 "IfEEEEjS4_Li4EEEEEvT1_"},
	{"_ZN5flash16flash_fwd_kernelI", "Flash_fwd_kernel_traits_",
	 "ILi128ELi128ELi32ELi4ELb0ELb0EN7cutlass10bfloat16_tE19Flash_kernel_traitsILi128ELi128ELi32ELi4ELb0ELb0ES3_EEL"
	 "b0ELb1ELb0ELb0ELb0ELb1ELb0EEEvNS_16Flash_fwd_paramsE"},
	{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_", "Functor_",
	 "IN3c104HalfEEESt5arrayIPcLm2EEEEviT0_T1_"},
	{"_ZN2at6native18elementwise_kernelILi128ELi2EZNS0_22gpu_kernel_impl_nocastIZZZZNS0_", "clamp_kernel_cuda_",
	 "IiEEvRNS_18TensorIteratorBaseEENKUlvE_clEvENKUlvE_clEvENKUlvE_clEvEUlfE_EEvS5_RKT_EUliE_EEviT1_"},
	{"_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalIN4cute5tupleIJiiiiEEENS1_10collective13CollectiveM"
	 "maINS1_34MainloopSm90TmaGmmaWarpSpecializedILi4ENS5_IJNS4_1CILi2EEENSA_ILi1EEESC_EEENS1_32KernelTmaWarpSpeci"
	 "alizedPingpongEEENS5_IJNSA_ILi64EEENSA_ILi128EEESG_EEENS_10bfloat16_tENS5_IJlSC_lEEESJ_SK_NS4_8TiledMMAINS4_"
	 "8MMA_AtomIJNS4_4SM904GMMA28MMA_64x128x16_F32BF16BF16_SSILNSO_5MajorE0ELSQ_0ELNSO_7ScaleInE1ELSR_1EEEEEENS4_6"
	 "LayoutINS5_IJSC_SC_SC_EEENS5_IJNSA_ILi0EEESW_SW_EEEEENS5_IJNS4_10UnderscoreESZ_SZ_EEEEENS4_13SM90_TMA_LOADEN"
	 "S4_14ComposedLayoutINS4_7SwizzleILi3ELi4ELi3EEENS4_18smem_ptr_flag_bitsILi16EEENSU_INS5_IJNSA_ILi8EEESG_EEEN"
	 "S5_IJSG_SC_EEEEEEEvNS4_8identityENS4_23SM90_TMA_LOAD_MULTICASTES1C_vS1D_EENS_8epilogue10collective18Collecti"
	 "veEpilogueINS1G_22Sm90TmaWarpSpecializedILi4ELi2ELi16ELb1ELb0EEESI_SJ_SK_SJ_SK_NS1G_6fusion15FusionCallbacks"
	 "IS1K_",
	 "LinCombEltAct_", "IfESI_EES12_S1C_NS4_14SM90_TMA_STOREEEENS1_19PersistentSchedulerEvEEEEvNT_6ParamsE"},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void mangled(struct call *c)
{
	const struct shape *of = &shapes[c->i % SHAPES];
	char own[96];
	int n = snprintf(own, sizeof own, "%s%" PRIx64, of->stem, c->i * 2654435761u);
	snprintf(text, sizeof text, "%s%d%s%s", of->before, n, own, of->behind);
	c->kernel = text;
	c->parts &= STEP;
}

static void processes(struct call *c)
{
	c->pid = PID + c->i;
	c->parts &= STEP;
}

static void one_time(struct call *c)
{
	c->at_ns = 0;
}

static void no_length(struct call *c)
{
	c->at_ns = c->op_ns = c->launch_at_ns = c->launch_ns = c->kernel_at_ns = c->kernel_ns = 0;
}

/* Each begins inside the one before and ends after it. */
static void overlaps(struct call *c)
{
	c->op_ns = c->kernel_ns = CALL_NS + CALL_NS / 2;
}

static void one_correlation(struct call *c)
{
	c->correlation = 7;
}

static void one_arrow(struct call *c)
{
	c->arrow = 7;
}

static void own_args(struct call *c)
{
	snprintf(text, sizeof text,
		 ", \"Input %" PRIu64 "\": [%" PRIu64 ", \"v%" PRIu64 "\"], \"key_%" PRIx64 "\": \"value %" PRIu64 "\"",
		 c->i, c->i * 3, c->i * 5, c->i * 2654435761u, c->i * 7);
	c->args = text;
}

static void long_name(struct call *c)
{
	enum { BYTES_PER_CALL = 125 };
	static const char again[] = "void f<int, ns::g<float>, 4> ";
	static char *name;
	size_t n = (size_t)n_calls * BYTES_PER_CALL;
	if (c->i != n_calls / 2 || !(name = malloc(n + 1)))
		return;
	for (size_t at = 0; at < n; at++)
		name[at] = again[at % (sizeof again - 1)];
	name[n] = '\0';
	c->kernel = name;
}

/* ---- what is no call ------------------------------------------------------------------------------------------------- */

/* The last one comes first in the file. */
static void put_reversed(uint64_t i)
{
	struct call c = call_of(n_calls - 1 - i);
	put_call(&c);
}

static void put_counter(uint64_t i)
{
	enum { PER_CALL = 5 };
	for (uint64_t k = i * PER_CALL; k < (i + 1) * PER_CALL; k++) {
		begin('C');
		printf("\"cat\": \"counters\", \"name\": \"number %" PRIu64 " of many counters that are read once\", ",
		       k);
		put_place(PID, TID);
		put_us("ts", T0_NS + (int64_t)k * CALL_NS);
		printf(",\n    \"args\": {\n      \"value\": %" PRIu64 "\n    }\n  }", k % 97);
	}
}

/* What the allocator says of a block that is given out (above 0) or taken back. */
static void put_memory(uint64_t block, int64_t bytes, int64_t at_ns)
{
	enum { SLOTS = 4096 };
	static int64_t used;
	used += bytes;
	begin('i');
	printf("\"s\": \"t\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", ");
	put_place(PID, TID);
	put_us("ts", T0_NS + at_ns);
	printf(",\n    \"args\": {\n      \"Total Reserved\": 8589934592, \"Total Allocated\": %" PRId64
	       ", \"Bytes\": %" PRId64 ", \"Addr\": %" PRIu64 ", \"Device Id\": 0, \"Device Type\": 1",
	       used, bytes, UINT64_C(140000000000000) + block % SLOTS * 4194304);
	end_event();
}

/* One block is given out in each call, in the middle one is taken back: a quarter each lives 3, 17, 64 and 1,000 calls. */
static void put_allocations(uint64_t i)
{
	static const uint64_t lives[] = {3, 17, 64, 1000};
	struct call c = call_of(i);
	int64_t at_ns = c.at_ns;
	c.op_ns = 4 * CALL_NS - 1000;
	if (i % 1000 == 0)
		put_call(&c);
	else if (i % 4 == 0)
		put_op(&c, i % 8 ? "aten::linear" : "aten::gelu");
	put_memory(i, 512 << (i * 2654435761u >> 7 & 15), at_ns + 1000);
	for (uint64_t k = 0; k < 4; k++)
		if (i >= lives[k] && (i - lives[k]) % 4 == k)
			put_memory(i - lives[k], -(512 << ((i - lives[k]) * 2654435761u >> 7 & 15)),
				   at_ns + 9000 + (int64_t)k * 10);
}

/* `deep` ops around one another, and in the innermost one launches with their kernels. */
static void put_tower(uint64_t i, uint64_t deep, uint64_t launches)
{
	struct call op = call_of(i * 5);
	int64_t inside_ns = (int64_t)launches * CALL_NS;
	for (uint64_t k = 0; k < deep; k++) {
		op.op_ns = inside_ns + (int64_t)(deep - k) * 2;
		put_op(&op, "aten::deep");
		op.i++;
		op.at_ns++;
	}
	for (uint64_t k = 0; k < launches; k++) {
		struct call c = call_of(op.i + k);
		c.at_ns = op.at_ns + (int64_t)k * CALL_NS;
		put_launch(&c);
		put_kernel(&c);
	}
}

static void put_nest(uint64_t i)
{
	uint64_t every = n_calls / 20 + 1;
	if (i % every == 0)
		put_tower(i, every * 5, 10);
}

static void put_nested_launches(uint64_t i)
{
	uint64_t every = n_calls / 4 + 1;
	if (i % every == 0)
		put_tower(i, every / 5, every);
}

/* ---- the list -------------------------------------------------------------------------------------------------------- */

static const struct kind {
	const char *name, *what; /* of two million objects */
	int per_call;            /* objects */
	void (*change)(struct call *c);
	void (*put)(uint64_t i); /* instead of a call */
} kinds[] = {
	{"plain", "nothing odd", 5, plain, NULL},
	{"steps", "500 k steps", 4, steps, NULL},
	{"streams", "100 k streams", 5, streams, NULL},
	{"threads", "100 k threads", 5, threads, NULL},
	{"devices", "500 devices", 5, devices, NULL},
	{"names", "1 M kernel names", 2, names, NULL},
	{"mangled", "1 M kernel names, mangled (ATen, CUTLASS)", 2, mangled, NULL},
	{"processes", "1 M processes", 2, processes, NULL},
	{"nest", "ops 100 k deep", 5, NULL, put_nest},
	{"one_time", "all begin at one time", 5, one_time, NULL},
	{"no_length", "the same, without a length", 5, no_length, NULL},
	{"reversed", "the last one first", 5, NULL, put_reversed},
	{"overlaps", "each overlaps the next one in part", 5, overlaps, NULL},
	{"one_correlation", "one correlation id for all", 5, one_correlation, NULL},
	{"one_arrow", "one flow id for all", 5, one_arrow, NULL},
	{"nested_launches", "20 k nested ops over 100 k launches", 5, NULL, put_nested_launches},
	{"own_args", "arguments all different", 5, own_args, NULL},
	{"long_name", "one name of 50 MB", 5, long_name, NULL},
	{"counters", "2 M counters, each with its own name", 5, NULL, put_counter},
	{"allocations", "1.8 M allocations and frees", 2, NULL, put_allocations},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int list(void)
{
	for (int k = 0; k < KINDS; k++)
		printf("%s\t%s\n", kinds[k].name, kinds[k].what);
	return 0;
}

static const struct kind *kind_named(const char *name)
{
	for (int k = 0; k < KINDS; k++)
		if (!strcmp(kinds[k].name, name))
			return &kinds[k];
	return NULL;
}

static void put_one(const struct kind *kind, uint64_t i)
{
	if (kind->put) {
		kind->put(i);
		return;
	}
	struct call c = call_of(i);
	kind->change(&c);
	put_call(&c);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "list"))
		return list();
	const struct kind *kind = argc == 3 ? kind_named(argv[1]) : NULL;
	uint64_t count = kind ? count_of(argv[2]) : 0;
	if (!count) {
		fprintf(stderr, "usage: gen_odd KIND COUNT (gen_odd list: the kinds)\n");
		return 2;
	}
	n_calls = count / (uint64_t)kind->per_call + 1;
	printf("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": \"NVIDIA "
	       "A100-SXM4-80GB\", "
	       "\"computeMajor\": 8, \"computeMinor\": 0, \"numSms\": 108}\n  ],\n  \"traceEvents\": [");
	for (uint64_t i = 0; i < n_calls; i++)
		put_one(kind, i);
	printf("\n  ],\n  \"traceName\": \"synthetic.pt.trace.json\"\n}\n");
	fprintf(stderr, "{\"objects\": %" PRIu64 "}\n", n_objects);
	return fflush(stdout) || ferror(stdout);
}
