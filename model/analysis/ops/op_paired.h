/* model/analysis/ops/op_paired.h - self times of one thread as the reference tool finds them: begins and ends in order of time, a
 * stack; an end takes everything off down to its own start, so ops that others partly overlap are lost.
 * Life:    zero-initialise -> op_paired_add... -> op_paired_sum, which empties it for the next thread -> op_paired_free. */
#ifndef STEPSCOPE_OP_PAIRED_H
#define STEPSCOPE_OP_PAIRED_H
#include "model/store/trace/trace.h"

struct op_pair {
	int64_t a_ns, b_ns, children_ns;
	row_id row;
	uint32_t op;
};
struct op_paired {
	struct op_pair *at;
	uint32_t n, cap;
	int64_t first_ns, last_ns; /* of what was added */
};
void op_paired_add(struct op_paired *v, int64_t a_ns, int64_t b_ns, row_id row, uint32_t op);
/* Calls `take` for every op that is not lost, in order of their ends; returns the sum of the self times. */
int64_t op_paired_sum(struct op_paired *v, void (*take)(void *arg, const struct op_pair *x, int64_t self_ns),
		      void *arg);
void op_paired_free(struct op_paired *v);
#endif
