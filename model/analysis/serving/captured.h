/* model/analysis/serving/captured.h - what a replayed graph runs, by the trace of its capture: a launch that is captured runs nothing,
 * but stands among its ops, modules and Python frames. SEMANTICS.md, 19.
 * Rule:   captured launches are those that no device work belongs to, in their order; one that runs, and the start or end of a capture,
 *         divide them. A graph's work is compared with the piece that holds most of its names: what is called the same, in the same
 *         order, is the same; one of another name between two that are the same on both sides stands at its place. Where the capture
 *         tells no names of kernels, a piece must have as many launches of the same sorts in the same order.
 * Never:  two clocks are compared, and no event of the capture comes into the trace. */
#ifndef STEPSCOPE_CAPTURED_H
#define STEPSCOPE_CAPTURED_H
#include "model/store/trace/trace.h"

/* Work of graphs in `t`, whichever way it was found. */
struct captured_counts {
	uint32_t graphs, work, by_name, by_place, unmatched;
};
/* Gives the work of t's graphs the names that `capture` tells, before anybody else reads t. False: it holds no captured launch, or t
 * no graph. */
bool captured_name(struct trace *t, const struct trace *capture, struct captured_counts *out, struct err *e);

/* The same from the trace itself, where it tells which call made each node of its graphs (Nsight Systems); else nothing. */
bool captured_tells_nodes(const struct trace *t);
void captured_name_by_nodes(struct trace *t); /* where it does */

/* Several files are open, and one of them is the capture of what another replays: numbers of their sources. */
struct captured_pair {
	uint32_t capture, execution;
};
/* False: they are no such pair. */
bool captured_pair_find(const struct trace *t, struct captured_pair *out);
#endif
