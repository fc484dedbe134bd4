/* model/analysis/kernels/fusion.h - runs of element-wise kernels that a compiler could make one kernel of.
 * Run:    kernels in a row on one stream, within one step, with nothing else between them, that compute, copy or cast each
 *         value for itself (rules/families.rules) and are no compiler's work already. A pause longer than launches take
 *         (FUSION_PAUSE_NS) ends it. On a stream each waits for the one before, so all of them count as dependent.
 * Bound:  a run cannot become shorter than its longest kernel, which reads and writes as much: at most the time of the
 *         others and the pauses between are saved. Of the kernels' own time less: the pauses are idle time, which has causes of its
 *         own, and what does not feed each other writes outputs of its own, which no fusion makes one.
 * Chains: where shapes are recorded, a kernel goes on with the chain of the one before it when that one's result has as many
 *         values as one of its inputs, and its name does not come back after others: that begins the same work on other data. Of each chain
 *         its longest kernel remains, which moves at least its own bytes. Without shapes what remains is the kernel name with the
 *         most time in the run. The chains of a group are those of its first run.
 * Groups: runs of the same kernels in the same order. A run belongs to the window in which it begins, as a whole. */
#ifndef STEPSCOPE_FUSION_H
#define STEPSCOPE_FUSION_H
#include "model/analysis/derived/derived.h"
#include "model/analysis/maths/small_sums.h"
#include "model/analysis/query/shared.h"
#include "model/query.h"

#define FUSION_PAUSE_NS INT64_C(50000)
enum { FUSION_GROUPS = 1 << 16 }; /* further runs are one group, the last, without kernels of its own */

enum fusion_ns {
	FUSION_LONGEST_NS, /* of a run, pauses included; no sum */
	FUSION_IN_NS,
	FUSION_BETWEEN_NS,
	FUSION_SAVED_NS,
	FUSION_KERNELS_SAVED_NS, /* the bound without pauses, see above */
	FUSION_KERNELS_SAVED_IN_STEPS_NS,
	FUSION_NS_COUNT
};
/* There may be a quarter as many as kernels. */
struct fusion_group {
	uint32_t device;
	uint32_t kernels; /* of one run; 0 = of further runs */
	row_id first;     /* of the longest run: its kernels are rows in a row */
	uint32_t *chain;  /* per kernel of a run: the number of its chain; NULL: shapes are not recorded */
	uint32_t of_steps;
	uint32_t count, all_kernels, in_steps, all_kernels_in_steps;
	uint32_t ns[FUSION_NS_COUNT]; /* read with fusion_ns */
};
struct fusion_stats {
	struct fusion_group *at; /* most to save first */
	uint32_t n;
	struct small_sums sums;
	int64_t kernels_ns; /* of all kernels that begin in the window */
	int64_t between_ns; /* pauses of all runs */
};
static inline int64_t fusion_ns(const struct fusion_stats *s, const struct fusion_group *g, enum fusion_ns which)
{
	return small_sums_get(&s->sums, g->ns, which);
}
/* The struct as a part of answers (query/shared.h); fails on cancel or when the rules cannot be read. */
extern const struct shared_part fusion_stats_part;
#endif
