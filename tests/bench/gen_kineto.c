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
#include "gen/count.h"
#include "gen/kineto_json.h"
#include "gen/kineto_run.h"

enum { PID = 40960, TID_MAIN = 40960, TID_AUTOGRAD = 41733 };

static int with_shapes, with_python, with_allocations; /* -r, -p, -i */
static uint64_t event_index, seq_no, flow_id, python_id, python_parent, collective_no;

static uint64_t tid_of(int thread)
{
	return thread == AUTOGRAD ? TID_AUTOGRAD : TID_MAIN;
}

/* ---- ops ------------------------------------------------------------------------------------------------------------- */

static void put_dims(void)
{
	unsigned k = 1 + (unsigned)(rng() & 1);
	PUT(", \"Concrete Inputs\": [\"\", \"\"], \"Input Strides\": [");
	for (unsigned i = 0; i <= k; i++) {
		if (i)
			PUT(", ");
		PUT("[4096, 1]");
	}
	PUT("], \"Input Dims\": [");
	for (unsigned i = 0; i <= k; i++) {
		if (i)
			PUT(", ");
		PUT("[");
		put_number(128ull << (rng() & 7));
		PUT(", ");
		put_number(1024ull << (rng() & 3));
		PUT("]");
	}
	PUT("], \"Input type\": [");
	for (unsigned i = 0; i <= k; i++) {
		if (i)
			PUT(", ");
		PUT("\"c10::Half\"");
	}
	PUT("]");
}

static void put_op(const struct record *r, uint64_t index, int thread)
{
	const struct node *x = &nodes[r->node];
	entry_head("cpu_op", x->name, PID, tid_of(thread), r->begin, r->end - r->begin);
	PUT("\"External id\": ");
	put_number(r->external_id);
	if (x->seq) {
		PUT(",\"Sequence number\": ");
		put_number(seq_no);
		if (thread == AUTOGRAD)
			PUT(", \"Fwd thread id\": 1");
	}
	if (with_shapes)
		put_dims();
	PUT(", \"Ev Idx\": ");
	put_number(index);
	entry_tail();
}

static void put_allocation(const struct record *r, uint64_t index, int thread)
{
	PUT("{");
	line_of_entry();
	PUT("\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",");
	line_of_entry();
	PUT("\"pid\": ");
	put_number(PID);
	PUT(", \"tid\": ");
	put_number(tid_of(thread));
	PUT(",");
	line_of_entry();
	PUT("\"ts\": ");
	put_us(T0 + r->begin + 200);
	PUT(",");
	line_of_entry();
	PUT("\"args\": {");
	line_of_args();
	PUT("\"Total Reserved\": 8589934592, \"Total Allocated\": ");
	put_number(2147483648u + (rng() & 0x3FFFFE00));
	PUT(", \"Bytes\": ");
	put_number(512ull << (rng() & 15));
	PUT(", \"Addr\": ");
	put_number(140000000000000ull + (rng() & 0xFFFFFE00));
	PUT(", \"Device Id\": 0, \"Device Type\": 1, \"Ev Idx\": ");
	put_number(index);
	entry_tail();
}

static void emit_op(const struct record *r, int thread)
{
	int p = thread == AUTOGRAD ? AUTOGRAD_OPS : MAIN_OPS, seq = nodes[r->node].seq;
	uint64_t index = event_index++;
	uint64_t save = rng_s; /* args must not disturb the simulation of the other passes */
	if (want(K_CPU, p))
		put_op(r, index, thread);
	if (seq == SEQ_GIVES) {
		seq_no++;
		if (seq_no % 3 == 0)
			flow(K_FS, p, "fwdbwd", 's', ++flow_id, PID, tid_of(thread), r->begin);
	}
	if (seq == SEQ_ASKS && flow_id && seq_no % 3 == 1)
		flow(K_FF, p, "fwdbwd", 'f', flow_id, PID, tid_of(thread), r->begin);
	if (with_allocations && (index & 7) == 3 && want(K_I, p))
		put_allocation(r, index, thread);
	rng_s = save;
}

/* ---- calls and what they start --------------------------------------------------------------------------------------- */

/* The process group as PyTorch writes it: no more than 30 ranks are listed. */
static void put_group(const struct record *r)
{
	static const char *const ops[] = {"allreduce", "allreduce", "_allgather_base", "allreduce",
					  "_reduce_scatter_base"};
	static const char *const types[] = {"Half", "Float", "Half", "Half", "Half"};
	PUT("\"Collective name\": \"");
	put_text(ops[r->variant]);
	PUT("\", \"In msg nelems\": 13107200, \"Out msg nelems\": 13107200, \"Group size\": ");
	put_number(ranks);
	PUT(", \"dtype\": \"");
	put_text(types[r->variant]);
	PUT("\", \"Process Group Name\": \"0\", \"Process Group Description\": \"default_pg\", \"Process Group "
	    "Ranks\": "
	    "\"[0");
	for (unsigned i = 1; i < ranks && i < 30; i++) {
		PUT(", ");
		put_number(i);
	}
	if (ranks > 30)
		PUT(", ...");
	PUT("]\", \"Seq\": ");
	put_number(collective_no);
	PUT(",      ");
}

static void put_call(const struct record *r, int thread)
{
	const struct node *x = &nodes[r->node];
	int call = x->kind == NODE_CALL ? x->arg
		   : r->kind == C_SET   ? CALL_MEMSET
		   : r->kind >= C_H2D   ? CALL_MEMCPY
					: CALL_LAUNCH;
	entry_head("cuda_runtime", call_name[call], PID, tid_of(thread), r->begin, r->end - r->begin);
	PUT("\"External id\": ");
	put_number(r->external_id);
	PUT(",      \"cbid\": ");
	put_number((uint64_t)call_cbid[call]);
	PUT(", \"correlation\": ");
	put_number(r->correlation);
	entry_tail();
}

static void put_place(const struct record *r)
{
	PUT(",      \"device\": ");
	put_number(gpu());
	PUT(", \"context\": 1,      \"stream\": ");
	put_number((uint64_t)r->stream);
	PUT(", \"correlation\": ");
	put_number(r->correlation);
}

/* So many per multiprocessor of an A100, with decimals that are made up. */
static void put_per_sm(const char *key, unsigned n)
{
	put_text(key);
	put_number(n / 108);
	PUT(".");
	put_number(100000 + n * 7919u % 900000);
}

static void put_kernel_args(const struct record *r)
{
	unsigned grid = 1u << (rng() & 15), block = 64u << (rng() & 3);
	PUT(",      \"queued\": 0, \"device\": ");
	put_number(gpu());
	PUT(", \"context\": 1,      \"stream\": ");
	put_number((uint64_t)r->stream);
	PUT(", \"correlation\": ");
	put_number(r->correlation);
	PUT(",      \"registers per thread\": ");
	put_number(16 + (rng() & 15) * 8);
	PUT(",      \"shared memory\": ");
	put_number(r->kind == C_GEMM ? 49152 : (rng() & 3) * 1024);
	put_per_sm(",      \"blocks per SM\": ", grid);
	put_per_sm(",      \"warps per SM\": ", grid * block / 32);
	PUT(",      \"grid\": [");
	put_number(grid);
	PUT(", ");
	put_number(1 + (rng() & 7));
	PUT(", 1],      \"block\": [");
	put_number(block);
	PUT(", 1, 1],      \"est. achieved occupancy %\": ");
	put_number(rng() % 101);
}

static void put_copy_args(const struct record *r, int64_t dur)
{
	uint64_t bytes = r->kind == C_H2D ? 1048576ull << (rng() & 3) : 256ull << (rng() & 15);
	put_place(r);
	PUT(",      \"bytes\": ");
	put_number(bytes);
	PUT(", \"memory bandwidth (GB/s)\": ");
	put_number(bytes / (uint64_t)dur);
	PUT(".");
	put_number(1000000000000000ull + rng() % 9000000000000000ull);
}

static void put_work(const struct record *r, int kind, int64_t start, int64_t dur)
{
	const char *category = kind == K_KERN ? "kernel" : kind == K_SET ? "gpu_memset" : "gpu_memcpy";
	entry_head(category, kernel_name[r->kind][r->variant], gpu(), (uint64_t)r->stream, start, dur);
	if (ranks && r->kind == C_NCCL)
		put_group(r);
	PUT("\"External id\": ");
	put_number(r->external_id);
	if (kind == K_KERN)
		put_kernel_args(r);
	else
		put_copy_args(r, dur);
	entry_tail();
}

static void emit_call(const struct record *r, int thread)
{
	uint64_t save = rng_s;
	if (want(K_RT, CALLS_AND_WORK))
		put_call(r, thread);
	if (r->kind < 0) {
		flow(K_AF, CALLS_AND_WORK, "ac2g", 'f', r->correlation, PID, tid_of(thread), r->begin);
		return;
	}
	flow(K_AS, CALLS_AND_WORK, "ac2g", 's', r->correlation, PID, tid_of(thread), r->begin);
	int64_t start, dur;
	on_rank(r, &start, &dur);
	collective_no += r->kind == C_NCCL;
	if (ranks)
		rng_s ^= mixed(rank, ranks);
	int kind = r->kind < C_H2D ? K_KERN : r->kind == C_SET ? K_SET : K_CPY;
	if (want(kind, CALLS_AND_WORK))
		put_work(r, kind, start, dur);
	flow(K_AF, CALLS_AND_WORK, "ac2g", 'f', r->correlation, gpu(), (uint64_t)r->stream, start);
	rng_s = save;
}

static void emit_tree(int thread)
{
	for (int i = 0; i < n_records; i++)
		if (nodes[records[i].node].kind == NODE_OP)
			emit_op(&records[i], thread);
		else
			emit_call(&records[i], thread);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static void annotate(const char *name, int64_t begin, int64_t end)
{
	uint64_t id = ++external_id, index = event_index++;
	if (!want(K_UA, MAIN_OPS))
		return;
	entry_head("user_annotation", name, PID, TID_MAIN, begin, end - begin);
	PUT("\"External id\": ");
	put_number(id);
	PUT(",\"Ev Idx\": ");
	put_number(index);
	entry_tail();
}

static void annotate_gpu(const char *name, int64_t begin, int64_t end)
{
	uint64_t id = ++external_id;
	event_index++;
	if (!want(K_GUA, CALLS_AND_WORK))
		return;
	entry_head("gpu_user_annotation", name, gpu(), 7, begin, end - begin);
	PUT("\"External id\": ");
	put_number(id);
	entry_tail();
}

static void put_python(const char *name, int64_t begin, int64_t end, int module)
{
	uint64_t id = ++python_id;
	if (!want(K_PY, MAIN_OPS))
		return;
	entry_head("python_function", name, PID, TID_MAIN, begin, end - begin);
	PUT("\"Python parent id\": ");
	put_number(python_parent);
	PUT(", \"Python id\": ");
	put_number(id);
	if (module >= 0) {
		PUT(", \"Python module id\": ");
		put_number((uint64_t)module);
	}
	PUT(", \"Ev Idx\": ");
	put_number(event_index);
	entry_tail();
}

/* Python frames around module `number`, one in the other. */
static void python_frames(int64_t depth, int64_t begin, int64_t end, int number)
{
	static const char *const names[] = {"torch/nn/modules/module.py(1532): _call_impl",
					    "torch/nn/modules/module.py(1528): _wrapped_call_impl",
					    "model/transformer.py(214): forward",
					    "torch/nn/modules/linear.py(116): forward",
					    "<built-in function linear>",
					    "torch/nn/functional.py(2546): layer_norm"};
	python_parent = python_id;
	for (int64_t k = 0; k < depth; k++)
		put_python(k == 0 ? "nn.Module: TransformerBlock_7" : names[(k + number) % 6], begin - 40 * (depth - k),
			   end + 40 * (depth - k), k == 0 ? number : -1);
}

static void run_group(enum group g, int thread)
{
	for (int i = 0; i < n_roots[g]; i++) {
		int64_t depth = with_python && thread == MAIN ? 2 + (int64_t)(rng() % 5) : 0;
		now[thread] += 40 * depth + (depth ? 10 : 0);
		int64_t begin = now[thread];
		run_tree(roots[g][i], thread);
		if (depth) {
			python_frames(depth, begin, now[thread], i);
			now[thread] += 40 * depth + 10;
		}
		emit_tree(thread);
	}
}

static void run_step(int step, int n_layers)
{
	char name[64];
	step_no = (uint64_t)step;
	int64_t begin = now[MAIN];
	int64_t load = 3000 + around(150000);
	if (rng() % 24 == 0) /* now and then an input stall */
		load += 8000000 + around(20000000);
	annotate("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", begin + 2000, begin + load);
	now[MAIN] += load + 1000;
	run_group(H2D, MAIN);
	int64_t gpu_begin = stream_free[COMPUTE] > now[MAIN] ? stream_free[COMPUTE] : now[MAIN];
	int64_t forward = now[MAIN];
	for (int l = 0; l < n_layers; l++)
		run_group(FWD_LAYER, MAIN);
	run_group(LOSS, MAIN);
	annotate("## forward ##", forward, now[MAIN]);
	int64_t backward = now[MAIN];
	if (now[AUTOGRAD] < now[MAIN])
		now[AUTOGRAD] = now[MAIN] + 20000;
	for (int l = 0; l < n_layers; l++) {
		run_group(BWD_LAYER, AUTOGRAD);
		if (l % 3 == 2)
			run_group(NCCL, AUTOGRAD);
	}
	now[MAIN] = now[AUTOGRAD] + 15000; /* the main thread waits in backward() */
	annotate("## backward ##", backward, now[MAIN]);
	if (stream_free[COMPUTE] < stream_free[COLLECTIVES])
		stream_free[COMPUTE] = stream_free[COLLECTIVES];
	run_group(OPTIMIZER, MAIN);
	if (step % 4 == 3 || rng() % 6 == 0)
		run_group(ITEM, MAIN);
	now[MAIN] += around(30000);
	snprintf(name, sizeof name, "ProfilerStep#%d", step);
	annotate(name, begin, now[MAIN]);
	annotate_gpu(name, gpu_begin, stream_free[COMPUTE]);
}

static void reset(uint64_t seed)
{
	run_reset(seed);
	event_index = seq_no = flow_id = python_id = collective_no = 0;
}

/* ---- the file -------------------------------------------------------------------------------------------------------- */

static void put_file_head(void)
{
	PUT("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": ");
	put_number(gpu());
	PUT(", \"name\": \"NVIDIA "
	    "A100-SXM4-80GB\", \"totalGlobalMem\": 85049606144,\n      \"computeMajor\": 8, \"computeMinor\": 0,\n     "
	    " "
	    "\"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n      \"regsPerBlock\": 65536, "
	    "\"warpSize\": 32,\n      \"sharedMemPerBlock\": 49152, \"numSms\": 108\n    }\n  ],\n"
	    "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": ");
	put_number(rank);
	PUT(", \"world_size\": ");
	put_number(ranks ? ranks : 8);
	PUT("},\n  \"displayTimeUnit\": \"ns\",\n  \"traceEvents\": [");
	first_obj = 1;
}

static void put_file_end(void)
{
	for (int g = 0; g < 8; g++) {
		char b[32];
		uint64_t id = (uint64_t)g;
		snprintf(b, sizeof b, "GPU %d", g);
		metadata("process_name", id, "0", "name", "python3", 0);
		metadata("process_labels", id, "0", "labels", b, 0);
		snprintf(b, sizeof b, "%d", 16777216 + g);
		metadata("process_sort_index", id, "0", "sort_index", b, 1);
	}
	metadata("process_name", PID, "0", "name", "python3", 0);
	metadata("process_labels", PID, "0", "labels", "CPU", 0);
	metadata("process_sort_index", PID, "0", "sort_index", "40960", 1);
	metadata("thread_name", PID, "40960", "name", "thread 40960 (python3)", 0);
	metadata("thread_name", PID, "41733", "name", "thread 41733 (pt_autograd_0)", 0);
	metadata("thread_name", gpu(), "7", "name", "stream 7 ", 0);
	metadata("thread_name", gpu(), "20", "name", "stream 20 ", 0);
	metadata("thread_name", gpu(), "24", "name", "stream 24 ", 0);
	PUT("\n  ],\n  \"traceName\": \"synthetic.pt.trace.json\"\n}\n");
	flush();
}

static void tell_counts(int steps)
{
#define NAME(id, name) name,
	static const char *const names[] = {ENTRY_KINDS(NAME)};
	uint64_t n = 0;
	for (int i = 0; i < K_N; i++)
		n += counts[i];
	fprintf(stderr, "steps %d objects %llu bytes %llu", steps, (unsigned long long)n,
		(unsigned long long)total_bytes);
	for (int i = 0; i < K_N; i++)
		if (counts[i])
			fprintf(stderr, " %s %llu", names[i], (unsigned long long)counts[i]);
	fprintf(stderr, "\n");
}

/* Every pass makes the same steps, as many as the first one counted. */
static void write_trace(uint64_t seed, uint64_t count)
{
	int n_layers = count < 20000 ? 4 : 24, steps = 0;
	lognormal_init(0.75);
	ops_read();
	reset(seed);
	for (pass = COUNT; n_objects + 40 < count;)
		run_step(steps++, n_layers);
	put_file_head();
	for (pass = COUNT + 1; pass < N_PASSES; pass++) {
		reset(seed);
		for (int step = 0; step < steps; step++)
			run_step(step, n_layers);
	}
	put_file_end();
	tell_counts(steps);
}

int main(int argc, char **argv)
{
	static const struct {
		char letter;
		int *on;
	} switches[] = {
		{'r', &with_shapes}, {'p', &with_python}, {'i', &with_allocations}, {'c', &one_line}, {'m', &whole_us}};
	uint64_t seed = 1, count = 0;
	int o;
	while ((o = getopt(argc, argv, "s:k:rpcmi")) != -1) {
		if (o == '?' || (o == 'k' && (sscanf(optarg, "%u/%u", &rank, &ranks) != 2 || rank >= ranks)))
			return 2;
		if (o == 's')
			seed = strtoull(optarg, 0, 10);
		for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
			if (switches[i].letter == o)
				*switches[i].on = 1;
	}
	if (optind < argc)
		count = count_of(argv[optind]);
	if (!count) {
		fprintf(stderr, "usage: gen_kineto [-s SEED] [-k RANK/RANKS] [-r] [-p] [-c] [-m] [-i] COUNT\n");
		return 2;
	}
	write_trace(seed, count);
	return 0;
}
