/* model/analysis/memory/memory_steps.h - what each step does to the memory of each allocator. Formulas: SEMANTICS.md, 17. */
#ifndef STEPSCOPE_MEMORY_STEPS_H
#define STEPSCOPE_MEMORY_STEPS_H
#include "model/query.h"
#include "replay.h"

enum { KEPT_STEPS = 2 }; /* a block that outlives so many more steps is kept */
struct memory_step {
	uint32_t pool, step; /* step: index */
	int64_t start_ns, end_ns;
	uint32_t from, to; /* places inside */
	int64_t start_bytes, end_bytes, peak_bytes, peak_ns;
	int64_t constant_bytes; /* alive from its start to its end */
	int64_t kept_bytes;     /* of its own blocks; UNKNOWN_I64: fewer than KEPT_STEPS steps follow */
	int64_t allocated_bytes, freed_bytes;
	uint32_t allocations, frees;
	uint32_t largest_kept; /* place of the largest of these blocks, NONE_ID */
	bool counted;          /* part of what is said of steady steps */
};
struct memory_steps {
	struct memory_step *at; /* by pool, then time */
	uint32_t n;
};
/* The steps of the window, of every pool that has events; false with `e` when it was cancelled. */
bool memory_steps_find(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		       struct memory_steps *out, struct err *e);
#endif
