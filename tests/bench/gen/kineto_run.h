/* tests/bench/gen/kineto_run.h - how the made-up training job runs: each tree of ops on its thread, and what it launches on its stream.
 *
 * run_reset() -> run_tree() for each tree, after which `records` holds what it did. */
#ifndef BENCH_GEN_KINETO_RUN_H
#define BENCH_GEN_KINETO_RUN_H
#include "kineto_kernels.h"
#include "kineto_ops.h"
#include "random.h"

/* What a node did. Times in ns since T0. */
struct record {
	int node, kind, variant; /* kind: of the kernel, -1 of a call alone; which of its five names */
	int64_t begin, end;      /* on the thread */
	uint64_t external_id, correlation;
	int64_t work_start, work_dur; /* on the stream */
	int stream;
};
enum { MAIN, AUTOGRAD, N_THREADS };
enum { COMPUTE, COLLECTIVES, COPIES, N_STREAMS };

static struct record records[4096];
static int n_records;
static uint64_t external_id, correlation, step_no;
static int64_t now[N_THREADS], stream_free[N_STREAMS];
static unsigned rank, ranks; /* -k; ranks 0: no job */

static inline void run_reset(uint64_t seed)
{
	rng_s = seed * 0x5851F42D4C957F2Dull + 1;
	external_id = 0;
	correlation = 1000;
	now[MAIN] = now[AUTOGRAD] = 1000000;
	memset(stream_free, 0, sizeof stream_free);
}
static inline void run_kernel(struct record *r, int kind, int thread)
{
	static const int numbers[N_STREAMS] = {7, 20, 24};
	int s = kind == C_NCCL ? COLLECTIVES : kind == C_H2D ? COPIES : COMPUTE;
	r->kind = kind;
	r->variant = (int)(rng() % 5);
	now[thread] += around(kind >= C_H2D && kind <= C_DTOD ? 7000 : 5200);
	r->work_start = now[thread] + around(1500);
	if (r->work_start < stream_free[s] + 900)
		r->work_start = stream_free[s] + 900 + (int64_t)(rng() & 1023);
	r->work_dur = (around(kernel_median_ns[kind]) & ~31ll) + 32;
	stream_free[s] = r->work_start + r->work_dur;
	r->stream = numbers[s];
}
static inline void run_call(struct record *r, int call, int thread)
{
	r->kind = -1;
	for (int s = 0; call == CALL_SYNC && s < N_STREAMS; s++)
		if (now[thread] < stream_free[s])
			now[thread] = stream_free[s];
	now[thread] += around(call == CALL_CAPTURING ? 600 : 900);
}
/* The node and those that follow it, within the op `parent_id`. */
static inline void run_nodes(int n, int thread, uint64_t parent_id)
{
	for (; n >= 0; n = nodes[n].next) {
		struct record *r = &records[n_records++];
		const struct node *x = &nodes[n];
		r->node = n;
		r->begin = now[thread];
		r->correlation = 0;
		if (x->kind == NODE_OP) {
			r->external_id = ++external_id;
			now[thread] += around(700);
			run_nodes(x->child, thread, r->external_id);
			now[thread] += around(900);
		} else {
			r->external_id = parent_id;
			r->correlation = (correlation += 1 + (rng() & 3));
			if (x->kind == NODE_KERNEL)
				run_kernel(r, x->arg, thread);
			else
				run_call(r, x->arg, thread);
		}
		r->end = now[thread];
		if (x->kind != NODE_OP)
			now[thread] += around(300);
		now[thread] += around(250);
	}
}
/* One root alone, not those that follow it. */
static inline void run_tree(int root, int thread)
{
	int next = nodes[root].next;
	n_records = 0;
	nodes[root].next = -1;
	run_nodes(root, thread, 0);
	nodes[root].next = next;
}

/* ---- one rank of a job ---------------------------------------------------------------------------------------------- */

static inline uint64_t mixed(uint64_t a, uint64_t b)
{
	uint64_t z = (a + 1) * 0x9E3779B97F4A7C15ull ^ (b + 1) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ (z >> 30)) * 0x94D049BB133111EBull;
	return z ^ (z >> 31);
}
static inline unsigned gpu(void)
{
	return ranks ? rank % 8 : 0;
}
/* Who enters the collectives of the step last. */
static inline unsigned latest_rank(void)
{
	uint64_t h = mixed(step_no, ranks);
	return (unsigned)((h & 1 ? 7 : h >> 8) % ranks);
}
/* What the simulation says is when the first rank could begin a collective, and when all of them end it. All else is alike on all
 * ranks, so that a rank costs what a trace without -k does. */
static inline void on_rank(const struct record *r, int64_t *start, int64_t *dur)
{
	int64_t after = 0;
	if (ranks && r->kind == C_NCCL)
		after = rank == latest_rank()
				? r->work_dur / 2
				: (int64_t)(mixed(r->correlation, rank) % (uint64_t)(r->work_dur / 8 + 1));
	*start = r->work_start + after;
	*dur = r->work_dur - after;
}
#endif
