/* model/store/facts/xla_memory.h - what compiled XLA programs say of the memory they need on each device that runs them. */
#ifndef STEPSCOPE_FACTS_XLA_MEMORY_H
#define STEPSCOPE_FACTS_XLA_MEMORY_H
#include "model/store/base/strings.h"
#include <stdint.h>

struct xla_program {
	int64_t program;     /* id of its module, UNKNOWN_I64; others may have the same */
	str_id name, module; /* "jit_train_step(15)" as the profile names it, "jit_train_step" */
	uint32_t host;       /* whose file tells of it */
};
/* What an allocation is for; of several the first in this order. */
enum xla_buffer_kind { XLA_ARGUMENT, XLA_OUTPUT, XLA_THREAD_LOCAL, XLA_CONSTANT, XLA_TEMPORARY, XLA_BUFFER_KINDS };
/* A value in its place in an allocation; an allocation that holds none has one row with `id` UNKNOWN_I64. Unknown = UNKNOWN_I64. */
struct xla_buffer {
	int64_t allocation, allocation_bytes; /* its number in the program */
	int64_t space;                        /* memory space: 0 is the device's main memory */
	int64_t id, bytes, offset_bytes;
	int64_t unpadded_bytes; /* elements without padding of the layout */
	uint32_t program;       /* row of that table */
	uint32_t kind;          /* enum xla_buffer_kind, of the allocation */
	uint32_t also_output;   /* 0 or 1: an argument whose memory the result takes over */
	str_id name, opcode;    /* of the instruction: "fusion.3{1}", "fusion" */
	str_id op, shape;       /* "jit(f)/dot_general", "f32[2,3]{1,0}" */
};
/* One step of the compiler's simulation of a heap of temporaries, in the order of the program. */
enum xla_heap_kind { XLA_HEAP_ALLOC, XLA_HEAP_FREE, XLA_HEAP_SHARE };
struct xla_heap_event {
	uint32_t program, trace; /* row of that table; which of the program's heaps */
	uint32_t kind;           /* enum xla_heap_kind */
	uint32_t buffer, shared; /* rows of the buffers; shared: SHARE: whose memory it takes */
	str_id instruction;
};
/* clang-format off */
#define XLA_PROGRAM_SIDE_COLUMNS(_, T) _(T, program, SIDE_ANY) _(T, name, SIDE_TEXT) _(T, module, SIDE_TEXT) _(T, host, SIDE_ANY)
#define XLA_BUFFER_SIDE_COLUMNS(_, T) \
	_(T, allocation, SIDE_ANY) _(T, allocation_bytes, SIDE_ANY) _(T, space, SIDE_ANY) _(T, id, SIDE_ANY) _(T, bytes, SIDE_ANY) \
	_(T, offset_bytes, SIDE_ANY) _(T, unpadded_bytes, SIDE_ANY) _(T, program, SIDE_ANY) _(T, kind, XLA_BUFFER_KINDS) \
	_(T, also_output, SIDE_FLAG) _(T, name, SIDE_TEXT) _(T, opcode, SIDE_TEXT) _(T, op, SIDE_TEXT) _(T, shape, SIDE_TEXT)
#define XLA_HEAP_SIDE_COLUMNS(_, T) \
	_(T, program, SIDE_ANY) _(T, trace, SIDE_ANY) _(T, kind, SIDE_ANY) _(T, buffer, SIDE_ANY) _(T, shared, SIDE_ANY) \
	_(T, instruction, SIDE_TEXT)
/* clang-format on */
#endif
