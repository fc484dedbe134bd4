/* model/analysis/launches/tiny_ops.h - ops whose kernels are too small for the time it takes to launch them.
 * A run of an op is the host event that launched its kernels; where the device's own details name the op each kernel is one.
 * An op is tiny when its runs keep the device busy for less than TINY_UP_NS on average: below TINY_LOW_NS they are surely
 * shorter than a launch takes, in between they may be. Copies and sets do not count, nor do kernels that a graph replays: one launch
 * pays for all of them. */
#ifndef STEPSCOPE_TINY_OPS_H
#define STEPSCOPE_TINY_OPS_H
#include "launch_walk.h"
#include "model/analysis/maths/small_sums.h"
#include "model/analysis/maths/rank.h"
#include "model/query.h"

enum { TINY_LOW_NS = 20000, TINY_UP_NS = 40000 };
struct tiny_name {
	struct span type, op; /* op: empty where several ops of the type are added up */
	uint32_t n_ops;
};
enum tiny_ns {
	TINY_TOTAL_NS, /* clipped */
	TINY_WHOLE_NS, /* of those that start inside */
	TINY_CALL_NS,
	TINY_LAUNCH_BOUND_NS,
	TINY_NOT_LAUNCHED_NS,
	TINY_LAUNCH_IDLE_NS, /* idle time before its kernels whose cause is launch latency (idle.h) */
	TINY_NS_COUNT
};
/* There may be as many as kernels. */
struct tiny_op {
	uint32_t id; /* its place in `names`; of kernels whose op is unknown their name, a str_id */
	uint32_t runs, kernels, short_kernels; /* short: below TINY_LOW_NS */
	row_id longest;
	uint32_t ns[TINY_NS_COUNT]; /* read with tiny_op_ns */
};
struct tiny_ops {
	struct tiny_op *at; /* the first n_named are of ops, the others of kernels whose op is unknown */
	uint32_t *order;    /* most idle time first */
	uint32_t n, n_named;
	struct small_sums sums;
	struct tiny_name *names; /* of all ops, tiny or not; texts end with a 0 */
	int64_t kernels;         /* of the window, tiny or not */
	int64_t kernel_ns;
};
static inline int64_t tiny_op_ns(const struct tiny_ops *all, const struct tiny_op *o, enum tiny_ns which)
{
	return small_sums_get(&all->sums, o->ns, which);
}
/* by_op: each op apart; else by type. False with `e` on cancel. */
bool tiny_ops_make(const struct derived *d, const struct query *q, bool by_op, struct arena *mem, struct progress *p,
		   struct tiny_ops *out, struct err *e);

/* The same beside others that are told of the same walk: tiny_ops_open, NULL with `e` on cancel -> launch_walk with the taker ->
 * tiny_ops_close; told: the walk came to its end. */
struct tiny_ops_reader;
struct tiny_ops_reader *tiny_ops_open(const struct derived *d, const struct query *q, const struct halves *h,
				      struct arena *mem, struct progress *p, struct err *e);
struct launch_taker tiny_ops_taker(struct tiny_ops_reader *x);
void tiny_ops_close(struct tiny_ops_reader *x, bool told, bool by_op, struct arena *mem, struct tiny_ops *out);
#endif
