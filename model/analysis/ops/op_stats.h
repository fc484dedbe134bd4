/* model/analysis/ops/op_stats.h - framework ops on the host and on devices: how often, how long, how much of it themselves.
 * Host:    events that are ops (op_index.h), thread by thread. Self = without the ops nested in them.
 * Device:  device work by the op it belongs to; work of no op under "(no op)", by reason. Self = time in which it is what began last
 *          on its stream, so that all self times of a stream add up to its busy time. How often: the number of launching ops
 *          where they are recorded, else the runs of its most frequent kernel, as one op may run several.
 * Placed:  host ops that are leaves and start no device work: what really runs on the host. Counted: those of steady steps,
 *          where there are any, but no tf.data and what runs inside of it.
 * xprof:   that tool's rules instead (SEMANTICS.md, X6): begins and ends paired by a stack, kernels' self
 *          time is their length, work of no op is not counted, IDLE per thread and per device.
 * Window:  times are clipped, counts are of what starts inside. */
#ifndef STEPSCOPE_OP_STATS_H
#define STEPSCOPE_OP_STATS_H
#include "op_index.h"
#include "op_keys.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/query/shared.h"
#include "model/query.h"

enum op_place { OP_DEVICE, OP_HOST, OP_PLACES };
/* Arithmetic and memory traffic of device work that starts in the window, see op_costs.h. A rate is a sum per its time. */
struct op_work {
	double flops, bytes;           /* 0 with no time: unknown */
	int64_t all_ns;                /* whole lengths of all its work */
	int64_t flops_ns, bytes_ns;    /* whole lengths of the kernels whose cost is known */
	double roof_flops, roof_bytes; /* what the devices could do per second, times these lengths; NaN = unknown */
};
/* What is known about an op on one side. */
struct op_side {
	int64_t occurrences, total_ns, self_ns;
	int64_t eager_ns;        /* self time run outside of any graph or function */
	int64_t known_ns;        /* self time of which the trace tells whether it was */
	int64_t placed, leaf_ns; /* OP_HOST: occurrences and self time of those that run here; OP_DEVICE: as above */
	int64_t counted, counted_ns; /* of these two, in steps that count (step_phase.h) and in no input pipeline */
	int64_t pieces;              /* kernels, copies, events */
	int64_t kernel_ns, tc_ns;    /* of kernels that rules know; of those the ones on Tensor Cores */
	row_id longest;
	int64_t longest_ns;
	bool eager;          /* one of them was */
	struct op_work work; /* OP_DEVICE, where op_stats_by_part was asked */
};
struct op_stat {
	struct span name, type;
	enum op_lack lack; /* of "(no op)", of which each reason has one: why its work belongs to no op */
	uint32_t op;       /* place in the index: several when events decide the group */
	uint32_t key;      /* of struct op_keys: the group, where the event decides it */
	const char *shape; /* NULL = unknown */
	struct op_side side[OP_PLACES];
};
struct op_stats {
	struct op_stat *at;
	uint32_t n;
	int64_t total_ns[OP_PLACES]; /* the time that IDLE and the ops share: per thread, per device, added up */
	int64_t self_ns[OP_PLACES];  /* of all ops */
	int64_t idle_ns[OP_PLACES];  /* of devices: no work at all, from the first to the last; of threads: no op */
	bool tracks[OP_PLACES];      /* there are threads, there are devices */
	struct op_keys keys;         /* texts of the groups */
};
/* The first, and the second by the query's word, as parts of answers (query/shared.h). */
extern const struct shared_part op_stats_part, op_stats_by_part;
/* Places in `at` that have something on that side, most self time first, ties by name; *n of them. */
uint32_t *op_stats_order(const struct op_stats *s, enum op_place place, struct arena *mem, uint32_t *n);
#endif
