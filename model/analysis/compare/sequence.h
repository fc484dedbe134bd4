/* model/analysis/compare/sequence.h - the kernels of one step, before and after, in the order in which they run.
 * Which:   of the step in the middle of each side's stretch, on the first device that works in it; stream after stream, the one that
 *          works longest first, so that streams that run beside each other do not mix.
 * How:     kernels are equal whose names are, read loosely (loose_name.h). What stands between equal ones on both sides has been
 *          removed, inserted, replaced (1 -> 1, in order where both are as many), fused (n -> 1), split (1 -> n) or rewritten
 *          (n -> m). Kernels that only changed places are left out. Changes alike are one row.
 * Cost:    as align.h says; of a step, or of a trace without steps, with more kernels than SEQUENCE_MOST nothing is said. */
#ifndef STEPSCOPE_SEQUENCE_H
#define STEPSCOPE_SEQUENCE_H
#include "compare.h"
#include "match.h"

enum { SEQUENCE_MOST = 1 << 17 };
enum sequence_change {
	SEQUENCE_REMOVED,
	SEQUENCE_INSERTED,
	SEQUENCE_REPLACED,
	SEQUENCE_FUSED,
	SEQUENCE_SPLIT,
	SEQUENCE_REWRITTEN
};
enum {
	SEQUENCE_CHANGE,
	SEQUENCE_KERNELS_A,
	SEQUENCE_KERNELS_B,
	SEQUENCE_COUNT,
	SEQUENCE_N_A,
	SEQUENCE_N_B,
	SEQUENCE_A_NS,
	SEQUENCE_B_NS,
	SEQUENCE_CHANGE_NS,
	SEQUENCE_COLUMNS
};
struct sequence {
	struct table *changes; /* the largest change of time first; see the columns */
	struct compare_place *places;
	struct match_pair *replaced; /* names, as recorded, of kernels that stand where others stood, one for one */
	uint32_t n_replaced;
	uint32_t n_a, n_b, n_same; /* kernels of the two steps, and of both */
};
/* False with `e` when cancelled. Without kernels on both sides: no rows. */
bool compare_sequences(const struct compare_side *a, const struct compare_side *b, struct arena *mem,
		       struct progress *p, struct sequence *out, struct err *e);
#endif
