/* model/store/facts/allocations.h - what an allocator says of one block that it gives or takes back. */
#ifndef STEPSCOPE_FACTS_ALLOCATIONS_H
#define STEPSCOPE_FACTS_ALLOCATIONS_H
#include "model/store/base/strings.h"
#include <stdint.h>

/* There may be as many as ops: packed until asked for (side_packed.h). Unknown = UNKNOWN_I64, 0 for addresses and rows. */
struct allocation {
	uint64_t event;
	uint64_t addr;
	int64_t bytes;           /* freed: negative; unknown: freed, of unknown size */
	int64_t allocated_bytes; /* of this allocator in this memory, after the event: what programs have of it */
	int64_t reserved_bytes;  /* the same, with what the allocator keeps for later */
	uint32_t pool, state;    /* rows of those tables */
};
/* One memory of one allocator in the processes of the trace. */
struct memory_pool {
	str_id allocator; /* "GPU_0_bfc"; of PyTorch the kind of device: "cuda" */
	int32_t device;   /* ordinal, -1: the host's memory, or not told */
};
/* What TensorFlow and XLA say beside: of the allocator after the event, and whom the block is for. */
struct allocator_state {
	int64_t stack_bytes;            /* outside the heap, kept by programs */
	int64_t available_bytes;        /* of the heap */
	int64_t peak_bytes;             /* most of the heap since the process began */
	int64_t fragmentation;          /* 1 - largest free block / available, in millionths */
	int64_t requested_bytes;        /* before rounding up */
	str_id op, type, shape, region; /* op: without its type */
	int64_t data_type;              /* number of TensorFlow's enum */
};
/* clang-format off */
#define ALLOCATION_SIDE_COLUMNS(_, T) \
	_(T, event, SIDE_ANY) _(T, addr, SIDE_ANY) _(T, bytes, SIDE_ANY) _(T, allocated_bytes, SIDE_ANY) _(T, reserved_bytes, SIDE_ANY) \
	_(T, pool, SIDE_ANY) _(T, state, SIDE_ANY)
#define MEMORY_POOL_SIDE_COLUMNS(_, T) _(T, allocator, SIDE_TEXT) _(T, device, SIDE_ANY)
#define ALLOCATOR_STATE_SIDE_COLUMNS(_, T) \
	_(T, stack_bytes, SIDE_ANY) _(T, available_bytes, SIDE_ANY) _(T, peak_bytes, SIDE_ANY) _(T, fragmentation, SIDE_ANY) \
	_(T, requested_bytes, SIDE_ANY) _(T, op, SIDE_TEXT) _(T, type, SIDE_TEXT) _(T, shape, SIDE_TEXT) _(T, region, SIDE_TEXT) \
	_(T, data_type, SIDE_ANY)
/* clang-format on */
#endif
