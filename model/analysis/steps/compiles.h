/* model/analysis/steps/compiles.h - where the host compiled or traced a function: the outermost such events; what the compiler's own
 *          threads do meanwhile is a part of them.
 * Rules:   by name, from one table in compiles.c; calls that only look compiled code up are none. TensorFlow marks calls of a
 *          tf.function that traced it (stat tf_function_call).
 * Warm-up: until the last step of that phase ends (see derived_step_phase); steps too few to tell: the first two. */
#ifndef STEPSCOPE_COMPILES_H
#define STEPSCOPE_COMPILES_H
#include "model/analysis/derived/derived.h"
#include "model/query.h"

/* What the time of torch.compile goes to: reading the bytecode and building guards; making the program of kernels; writing, building and
 * loading them; trying which of several is fastest. */
enum compile_part { COMPILE_TRACES, COMPILE_LOWERS, COMPILE_BUILDS, COMPILE_TUNES, COMPILE_PARTS };
struct compile {
	const char *kind; /* "xla", "inductor", "triton", "tf_function", "nvrtc", "jax_trace" */
	row_id row;
	uint32_t step;                 /* NONE_ID = between or without steps */
	bool warm_known, after_warmup; /* known: its host has steps */
	const char *shape, *previous;  /* as recorded; NULL = not recorded */
	const char
		*region; /* torch.compile: "0/1", the frame and how often it was compiled before; NULL = not recorded */
	bool parts_told; /* torch.compile: part_ns adds up to its time */
	int64_t part_ns[COMPILE_PARTS];
};
struct compiles {
	struct compile *at; /* by start */
	uint32_t n;
};
/* By that table, whatever the kind. */
bool name_compiles(const char *name);
/* Those that intersect the window and pass the filter. False with `e` when cancelled. */
bool compiles_read(const struct derived *d, const struct query *q, struct arena *mem, struct progress *p,
		   struct compiles *out, struct err *e);
#endif
