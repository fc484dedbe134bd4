/* model/analysis/memory/replay.h - every allocation of a trace in order of time: how much is in use after it, and which free ends which
 * allocation.
 * Pools:   one allocator's memory of one device in one process: addresses and totals are of a pool. The order is that of time, then of
 *          the rows.
 * In use:  the recorded total (heap and stack) where there is one, else what was in use before and the block's bytes. What was alive
 *          before the first event follows from the first total; without totals it is the least with which nothing falls below 0.
 * Matched: by address; without addresses by size, the latest allocation first. An address that is given again without having been
 *          freed ends the block that had it.
 * Life:    made when first asked for, kept with `derived`. Threads: any. Per allocation 4 bytes, 8 more where not all totals are recorded,
 *          4 more where rows of several pools or threads are put in order. Formulas: SEMANTICS.md, 17. */
#ifndef STEPSCOPE_REPLAY_H
#define STEPSCOPE_REPLAY_H
#include "model/analysis/derived/derived.h"

/* What a row of events says together. */
struct memory_counts {
	uint32_t allocations, frees;
	int64_t allocated_bytes, reserved_peak_bytes; /* reserved_peak_bytes: UNKNOWN_I64: none of them tells */
};
static inline void memory_counts_add(struct memory_counts *c, const struct allocation *a)
{
	c->allocations += a->bytes > 0;
	c->frees += a->bytes < 0;
	c->allocated_bytes += a->bytes > 0 ? a->bytes : 0;
	if (a->reserved_bytes != UNKNOWN_I64 && a->reserved_bytes > c->reserved_peak_bytes)
		c->reserved_peak_bytes = a->reserved_bytes;
}

struct replay_pool {
	uint32_t process, row; /* row: of the table MEMORY_POOLS */
	/* The device of the trace that the memory is of, NONE_ID: the host's, or none that the trace knows. Where the recorder counts
	 * devices in another way than the allocator (ROCm: all of the machine, those that the process sees), the only one of each are
	 * the same. */
	uint32_t device;
	uint32_t first, n;  /* places */
	uint32_t first_run; /* of replay.run_max: the most in use in each REPLAY_RUN places from `first` on */
	bool has_totals, has_addresses;
	int64_t before_bytes; /* alive before the first event */
	uint32_t differences; /* recorded totals that are not the one before and the block's bytes */
	uint32_t
		unknown; /* frees of blocks that were allocated before the trace, or whose allocation is not recorded */
	uint32_t given_again;        /* addresses given again without having been freed */
	struct memory_counts counts; /* of the whole trace */
};
enum { REPLAY_RUN = 256 };
struct replay {
	const struct trace *t;
	const struct allocation *rows; /* as the trace has them */
	uint32_t n, n_pools;
	const struct replay_pool *pools;
	const uint32_t *row;       /* by place: of `rows`; NULL: its own number */
	const uint32_t *other;     /* by place: of an allocation what ends it, of a free the allocation; NONE_ID */
	const int64_t *used_bytes; /* by place: in use after it; NULL: as all rows record it */
	const int64_t *run_max;
};
/* Never NULL; n is 0 where no allocation is recorded. */
const struct replay *replay_of(const struct derived *d);

static inline const struct allocation *replay_at(const struct replay *x, uint32_t place)
{
	return &x->rows[x->row ? x->row[place] : place];
}
static inline row_id replay_event(const struct replay *x, uint32_t place)
{
	return (row_id)replay_at(x, place)->event;
}
static inline int64_t replay_ns(const struct replay *x, uint32_t place)
{
	return trace_columns(x->t)->start_ns[replay_at(x, place)->event];
}
static inline bool replay_is_free(const struct replay *x, uint32_t place)
{
	return replay_at(x, place)->bytes < 0;
}
/* Bytes of the block that is given (above 0) or taken back (below); of a free that does not tell them what its allocation or the
 * totals say, else 0. */
int64_t replay_bytes(const struct replay *x, const struct replay_pool *p, uint32_t place);
/* In use right after `place`. */
int64_t replay_after(const struct replay *x, uint32_t place);
/* In use right before `place`, which may be the one after the pool's last. */
static inline int64_t replay_before(const struct replay *x, const struct replay_pool *p, uint32_t place)
{
	return place > p->first ? replay_after(x, place - 1) : p->before_bytes;
}
/* First place of the pool at ts_ns or later, or the one after its last. */
uint32_t replay_from(const struct replay *x, const struct replay_pool *p, int64_t ts_ns);
/* The place in [from, to) with the most in use after it, the last of equal ones; NONE_ID: there is none. */
uint32_t replay_most(const struct replay *x, const struct replay_pool *p, uint32_t from, uint32_t to);
/* Of an event that gives a block out what ends it, of one that takes it back what gave it out; NONE_ID: neither, or not in the trace. */
row_id replay_other_event(const struct replay *x, row_id r);
/* Memory, of which there is, or UNKNOWN_I64: by what the allocator says at that place, else by the device. */
int64_t replay_capacity(const struct replay *x, const struct replay_pool *p, uint32_t place);
const struct memory_pool *replay_pool_info(const struct replay *x, const struct replay_pool *p);
/* What the allocator says beside, NULL = nothing. */
const struct allocator_state *replay_state(const struct replay *x, uint32_t place);
uint32_t replay_host(const struct replay *x, const struct replay_pool *p);
/* The number of its device as the trace counts devices, else as the allocator does; UNKNOWN_I64: the host's memory. */
int64_t replay_ordinal(const struct replay *x, const struct replay_pool *p);
#endif
