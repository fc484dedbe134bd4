/* model/analysis/kernels/occupancy.h - how many blocks of a launch fit on a streaming multiprocessor, and what keeps more away.
 * Rules:  the occupancy calculation that NVIDIA documents (registers per warp, shared memory per block, warps, blocks),
 *         from a table of limits per compute capability. Blocks with more than 48 KiB of shared memory are taken to have
 *         asked for it, for they ran. The split between shared memory and cache is taken to be the largest one.
 * Recorders that call the same calculation without that allowance tell 0 for such kernels: no kernel runs at 0. */
#ifndef STEPSCOPE_OCCUPANCY_H
#define STEPSCOPE_OCCUPANCY_H
#include "model/store/trace/trace.h"

/*   id, word, what is used up */
#define OCCUPANCY_LIMITS(_)                                              \
	_(WARPS, "block size", "warps: the block's threads fill the SM") \
	_(REGISTERS, "registers", "registers of all its threads")        \
	_(SMEM, "shared memory", "shared memory per block")              \
	_(BLOCKS, "blocks per SM", "as many blocks as an SM takes, all small")

enum occupancy_limit {
#define OCCUPANCY_LIMIT_ENUM(id, word, help) OCCUPANCY_##id,
	OCCUPANCY_LIMITS(OCCUPANCY_LIMIT_ENUM)
#undef OCCUPANCY_LIMIT_ENUM
		OCCUPANCY_LIMIT_COUNT
};
/* The word of the limit as tables show it ("registers"). */
const char *occupancy_limit_word(enum occupancy_limit l);

struct occupancy {
	uint32_t blocks_per_sm; /* that fit at once */
	double pct;             /* threads of those, of the threads an SM can hold; at most 100 */
	bool full;              /* nothing limits: all threads an SM can hold */
	enum occupancy_limit limit;
};
/* False where the compute capability, the registers, the shared memory or the block are not known, and where no block
 * fits. AMD's devices have other rules: false. */
bool occupancy_of(const struct trace *t, const struct device *d, const struct kernel_info *k, struct occupancy *out);

/* How a grid falls upon a device: waves of as many blocks as fit at once. */
struct waves {
	double blocks_per_sm; /* of the whole grid */
	double waves;         /* 2.5: two full ones and a half */
	double tail_pct;      /* places of the last wave that stay empty */
	double tail_loss_pct; /* the same, of the places of all waves: what the tail can cost at most */
	double occupancy_pct; /* what the launch can reach: a small grid does not fill the SMs */
};
/* o may be NULL: only blocks_per_sm is known then, the rest NaN. Where grid or SMs are not known, what the recorder says of blocks per SM
 * counts; false where it says nothing. */
bool waves_of(const struct device *d, const struct kernel_info *k, const struct occupancy *o, struct waves *out);
#endif
