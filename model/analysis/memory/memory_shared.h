/* model/analysis/memory/memory_shared.h - columns that several tables of this room have with one meaning. */
#ifndef STEPSCOPE_MEMORY_SHARED_H
#define STEPSCOPE_MEMORY_SHARED_H
#include "model/shared_columns.h"

/* clang-format off */
#define MEMORY_ALLOCATOR "allocator",  TEXT, NONE,  "whose memory: the allocator's name, for PyTorch the kind of device (cuda, hip, cpu); null: the driver's alone"
#define MEMORY_PEAK      "peak_bytes", INT,  BYTES, "most memory in use in the window or step, what was in use at its start included: recorded total (heap and stack) where there is one, else replayed"
#define MEMORY_PEAK_AT   "peak_at_ns", INT,  NS,    "when that was last reached, from the first event of the trace"
#define MEMORY_START     "start_used_bytes", INT, BYTES, "in use when the window or step begins; at the trace's start what was alive before it: by the first recorded total, without totals at least that"
#define MEMORY_END       "end_used_bytes", INT, BYTES, "in use when it ends"
#define MEMORY_COUNT     "allocations", INT, COUNT, "blocks allocated in it"
#define MEMORY_FREES     "frees",      INT,  COUNT, "blocks freed in it"
#define MEMORY_ALLOCATED "allocated_bytes", INT, BYTES, "bytes of all blocks allocated in it"
#define MEMORY_CAPACITY_HELP "memory there is: heap, stack and free bytes of the allocator at the peak, else the device's memory"
#define MEMORY_CONSTANT  "constant_bytes", INT, BYTES, "in use from a step's start to its end: weights, optimizer state, what earlier steps keep; most of the steps that count"
#define XLA_PROGRAM      "xla_program", TEXT, NONE, "compiled program, as the profile names it; what it needs it needs on each device that runs it"
#define XLA_SPACE        "memory_space", INT, ID,  "0: the device's main memory; others are the target's own: on TPUs on-chip memories, and the host's"
/* clang-format on */
#endif
