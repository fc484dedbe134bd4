/* model/analysis/memory/memory_use.h - how much memory is in use, allocator by allocator, and how far it is from its end. Formulas:
 * SEMANTICS.md, 17. */
#ifndef STEPSCOPE_MEMORY_USE_H
#define STEPSCOPE_MEMORY_USE_H
#include "churn.h"
#include "memory_steps.h"

/* Unknown: UNKNOWN_I64, NaN, NONE_ID. */
struct memory_use {
	const struct replay_pool *pool; /* NULL: no allocation is recorded, only calls of the driver */
	uint32_t host, process, device; /* device: of the trace */
	int64_t ordinal;                /* of the device, as the producer counts */
	const char *allocator;
	uint32_t from, to, peak; /* places in the window; peak: NONE_ID: at its start */
	int64_t peak_bytes, peak_ns, start_bytes, end_bytes;
	int64_t reserved_bytes; /* at the peak */
	struct memory_counts counts;
	int64_t capacity_bytes, largest_free_bytes;
	double fragmentation_pct;
	/* of the steps that count */
	uint32_t steps, growing; /* growing: of those that tell, how many keep something */
	uint32_t telling;
	double late_growth_bytes; /* over the second half of them */
	double growth_bytes;      /* per step */
	uint32_t growth_place;    /* the largest block that a step keeps */
	int64_t constant_bytes, per_batch_bytes;
	double headroom; /* the batch, times that */
	struct churn churn;
};
struct memory_uses {
	struct memory_use *at; /* by host, process, device, allocator */
	uint32_t n;
};
/* Of the window; false with `e` when it was cancelled. */
bool memory_uses_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		      struct memory_uses *out, struct err *e);
/* Most in use of the pool in the window: what was in use when it began, or after an event inside. */
struct memory_peak {
	uint32_t from, to, place; /* place: NONE_ID: at the start */
	int64_t bytes, at_ns;
};
/* The same for one pool. */
struct memory_peak memory_peak_of(const struct derived *d, const struct replay *x, const struct replay_pool *p,
				  const struct query *q);
#endif
