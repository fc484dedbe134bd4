/* model/analysis/memory/xla_memory.h - the memory that compiled XLA programs need, as their buffer assignments say. Formulas: SEMANTICS.md, 17.
 * A use is one program's part of one memory space. Everything is per device that runs the program, and of no window. */
#ifndef STEPSCOPE_XLA_MEMORY_H
#define STEPSCOPE_XLA_MEMORY_H
#include "model/analysis/derived/derived.h"
#include "model/store/base/arena.h"

struct xla_use {
	uint32_t program; /* row of SIDE_XLA_PROGRAMS */
	int64_t space;
	int64_t kind_bytes[XLA_BUFFER_KINDS]; /* of its allocations, by enum xla_buffer_kind */
	int64_t aliased_bytes;                /* arguments whose memory is an output's, too */
	int64_t total_bytes;
	int64_t peak_bytes, padding_bytes; /* padding: of what is in use at the peak */
	uint32_t peak_step; /* row of SIDE_XLA_HEAP after which that is, NONE_ID: the program has no heap there */
	uint32_t buffers, heap_steps;
};
/* What becomes of a buffer. */
struct xla_life {
	uint32_t use;                /* NONE_ID: of no program */
	uint32_t from_step, to_step; /* places in the heap of its program, NONE_ID: it has none, or is never freed */
	bool at_peak;                /* in use then; where several buffers have one place all the time, the largest */
};
struct xla_memory {
	const struct trace *t;
	const struct xla_program *programs;
	const struct xla_buffer *buffers;
	const struct xla_heap_event *steps;
	uint32_t n_programs, n_buffers, n_steps, n_uses;
	struct xla_use *uses;
	uint32_t *by_peak;       /* uses, the largest peak first */
	struct xla_life *lives;  /* by row of the buffers */
	int64_t *heap_bytes;     /* by row of the steps: the heap after it and what stands beside it all the time */
	uint32_t *use_of_step;   /* NONE_ID: of a heap that nobody can place */
	uint32_t *place_of_step; /* 0, 1, ... in its heap */
};
/* Everything in `mem`. Never NULL. */
const struct xla_memory *xla_memory_find(const struct derived *d, struct arena *mem);
const char *xla_program_words(const struct xla_memory *x, uint32_t program); /* "jit_train_step(15)", of the trace */
uint32_t xla_program_host(const struct xla_memory *x, uint32_t program);
const char *xla_kind_words(uint32_t kind);
#endif
