/* tests/unit/collective_calls.h - collectives of several ranks, as their recorders tell them. */
#ifndef STEPSCOPE_TESTS_COLLECTIVE_CALLS_H
#define STEPSCOPE_TESTS_COLLECTIVE_CALLS_H
#include "build_trace.h"
#include "model/store/facts/collectives.h"

/* A kernel of a collective of which the message and the call are recorded. */
static inline void group_call(struct build *b, int64_t stream, const char *name, double start_us, double dur_us,
			      uint64_t corr, struct collective_info x)
{
	struct event_in e = build_event(b, KIND_KERNEL, build_stream(b, 0, stream), name, start_us, dur_us);
	e.corr = corr;
	e.side = ingest_side(b->in, SIDE_COLLECTIVES, &x);
	build_add(b, &e);
}

/* A reduction of four ranks, the n-th of its group. */
static inline void reduce(struct build *b, double start_us, double end_us, uint64_t corr, int n)
{
	group_call(b, 20, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", start_us, end_us - start_us, corr,
		   (struct collective_info){.op = build_text(b, "allreduce"),
					    .group = build_text(b, "0"),
					    .group_ranks = build_text(b, "[0, 1, 2, 3]"),
					    .in_elements = 1000000,
					    .out_elements = 1000000,
					    .group_size = 4,
					    .seq = n,
					    .src_rank = UNKNOWN_I64,
					    .dst_rank = UNKNOWN_I64});
}
#endif
