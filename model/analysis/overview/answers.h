/* model/analysis/overview/answers.h - the answers that overview and findings are made of: each one made once, two at a time.
 * Threads: the caller's and one more take the next answer that no thread has begun. Which thread made what leaves no trace.
 * Kept:    what the query keeps is not made again (query/shared.h); of a query that keeps nothing all of it lives in `mem`. */
#ifndef STEPSCOPE_ANSWERS_H
#define STEPSCOPE_ANSWERS_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/kernels/fusion.h"
#include "model/analysis/kernels/kernel_families.h"
#include "model/analysis/kernels/kernel_stats.h"
#include "model/analysis/ops/op_stats.h"
#include "model/query.h"
#include "model/table.h"

/* The slow ones first, so that both threads end together. What shares something large that the first one makes stands apart, so that
 * the other one need not wait for it: launch_totals and tiny_ops (idle time), replicas and collective_steps (collectives). Input and
 * steps make the halves of one thing and should not be under way at once. The tables are those of analysis.h; what is made of a table
 * is written once, here.
 *   id, table */
/* clang-format off */
#define ANSWER_TABLES(_) \
	_(INPUT, input) \
	_(REPLICAS, replicas) \
	_(LAUNCH_TOTALS, launch_totals) \
	_(TENSOR_CORES, tensor_cores) \
	_(COPIES, copies) \
	_(TINY_OPS, tiny_ops) \
	_(STEPS, steps) \
	_(COLLECTIVE_STEPS, collective_steps) \
	_(IDLE, idle) \
	_(VERDICTS, verdicts) \
	_(IDLE_CAUSES, idle_causes) \
	_(SYNCS, syncs) \
	_(LAUNCH_ORDER, launch_order) \
	_(DEVICES, devices) \
	_(COMPILES, compiles) \
	_(COMPILED_REGIONS, compiled_regions) \
	_(DEVICE_PAIRS, device_pairs) \
	_(PIPELINE_STAGES, pipeline_stages) \
	_(COMM_GROUPS, comm_groups) \
	_(ALL_TO_ALL, all_to_all) \
	_(MEMORY, memory) \
	_(ITERATIONS, iterations) \
	_(KERNEL_FAMILIES, kernel_families)
/*   id, sums */
#define ANSWERS(_) \
	_(OPS, ops) \
	_(KERNELS, kernels) \
	_(FUSION, fusion) \
	ANSWER_TABLES(_) \
	_(SAID, said)
/* clang-format on */

enum answer {
#define ANSWER_ENUM(id, name) ANSWER_##id,
	ANSWERS(ANSWER_ENUM)
#undef ANSWER_ENUM
		ANSWER_COUNT
};
#define ANSWER_BIT(id) (1u << ANSWER_##id)
#define OVERVIEW_NEEDS (ANSWER_BIT(OPS) | ANSWER_BIT(KERNELS) | ANSWER_BIT(STEPS) | ANSWER_BIT(IDLE))
#define ANSWERS_ALL    ((1u << ANSWER_COUNT) - 1)

struct answers {
	const struct derived *d; /* set by the caller, as are the next two */
	const struct query *q;
	struct progress *progress;
	bool for_reader; /* the overview names top kernels and tells means of a step's parts, which no rule asks for; set by the caller */
	const struct kernel_stats *kernels;
	const struct op_stats *ops;
	const struct fusion_stats *fusion;
	const struct kernel_said *said; /* of the kinds of `kernels` */
#define ANSWER_FIELD(id, name) const struct table *name;
	ANSWER_TABLES(ANSWER_FIELD)
#undef ANSWER_FIELD
};
/* Those of the set `wanted`. False with `e` (of the first in the list that failed) when one of them fails or is cancelled. */
bool answers_make(struct answers *a, uint32_t wanted, struct arena *mem, struct err *e);
#endif
