/* model/analysis/memory/xla_memory_columns.h - the columns of the tables xla_memory (one row per program and memory space), xla_buffers (one
 * row per buffer) and xla_heap (one row per step of a heap). */
#ifndef STEPSCOPE_XLA_MEMORY_COLUMNS_H
#define STEPSCOPE_XLA_MEMORY_COLUMNS_H
#include "memory_shared.h"

/* clang-format off */
#define XLA_MEMORY_COLUMNS(_) \
	_(COL_XLA_MEMORY_RANK,       SHARED_RANK) \
	_(COL_XLA_MEMORY_PROGRAM,    XLA_PROGRAM) \
	_(COL_XLA_MEMORY_SPACE,      XLA_SPACE) \
	_(COL_XLA_MEMORY_PEAK,       "program_peak_bytes", INT, BYTES, "most memory in use while the program runs: arguments, outputs, constants, and its temporaries where they need most together, as the compiler planned them") \
	_(COL_XLA_MEMORY_ARGUMENTS,  "argument_bytes",   INT, BYTES, "what the program is given: parameters, batch") \
	_(COL_XLA_MEMORY_OUTPUTS,    "output_bytes",     INT, BYTES, "what it gives back, in memory of its own") \
	_(COL_XLA_MEMORY_TEMPORARY,  "temporary_bytes",  INT, BYTES, "set aside for what lives inside the program; more than the temporaries need together where holes are left between them") \
	_(COL_XLA_MEMORY_CONSTANTS,  "literal_bytes",    INT, BYTES, "constants that the compiler put into the program") \
	_(COL_XLA_MEMORY_LOCAL,      "thread_local_bytes", INT, BYTES, "what single threads have for themselves inside called computations: no memory of the device, in no sum") \
	_(COL_XLA_MEMORY_ALIASED,    "aliased_bytes",    INT, BYTES, "of the arguments: memory that outputs take over (donated buffers)") \
	_(COL_XLA_MEMORY_TOTAL,      "set_aside_bytes",  INT, BYTES, "all allocations of the program: arguments, outputs, temporaries and constants") \
	_(COL_XLA_MEMORY_PADDING,    "padding_bytes",    INT, BYTES, "of what is in use at the peak: what layouts add to the elements") \
	_(COL_XLA_MEMORY_PEAK_AFTER, "peak_instruction", TEXT, NONE, "instruction that makes the peak of the temporaries; null: the program has no heap of them") \
	_(COL_XLA_MEMORY_PEAK_AT,    "peak_position",    INT, ID,    "its place among the steps of the heap, as xla_heap counts") \
	_(COL_XLA_MEMORY_STEPS,      "heap_steps",       INT, COUNT, "steps of the heap: temporaries allocated and freed, in the order of the program") \
	_(COL_XLA_MEMORY_BUFFERS,    "program_buffers",  INT, COUNT, "buffers of the program there: values that share memory count each")
#define XLA_BUFFERS_COLUMNS(_) \
	_(COL_XLA_BUFFERS_RANK,      SHARED_RANK) \
	_(COL_XLA_BUFFERS_PROGRAM,   XLA_PROGRAM) \
	_(COL_XLA_BUFFERS_SPACE,     XLA_SPACE) \
	_(COL_XLA_BUFFERS_NAME,      "instruction",      TEXT, NONE, "instruction that makes the value; of a tuple the part in braces; null: memory that no value of the program has") \
	_(COL_XLA_BUFFERS_KIND,      "buffer_kind",      TEXT, NONE, "argument, output, thread-local, constant, temporary: of its allocation, the first that holds") \
	_(COL_XLA_BUFFERS_BYTES,     "buffer_bytes",     INT, BYTES, "its size, padding included") \
	_(COL_XLA_BUFFERS_PADDING,   "buffer_padding_pct", REAL, PERCENT, "share of the size that its layout adds to the elements; null: the shape does not tell") \
	_(COL_XLA_BUFFERS_SHAPE,     "buffer_shape",     TEXT, NONE, "shape with its layout, as XLA writes it") \
	_(COL_XLA_BUFFERS_OPCODE,    "opcode",           TEXT, NONE, "kind of the instruction") \
	_(COL_XLA_BUFFERS_OP,        "buffer_op",        TEXT, NONE, "op of the framework that the instruction is for") \
	_(COL_XLA_BUFFERS_AT_PEAK,   "at_peak",          BOOL, NONE, "in use at the peak of the program; of buffers that share one place all the time the largest, of values that took over memory the latest") \
	_(COL_XLA_BUFFERS_FROM,      "from_position",    INT, ID,    "step of the heap that allocates it; null: it is there all the time, or no step names it") \
	_(COL_XLA_BUFFERS_TO,        "to_position",      INT, ID,    "step that frees it; null: none does") \
	_(COL_XLA_BUFFERS_ALLOCATION, "allocation_number", INT, ID,  "allocation it lies in, as the program counts them") \
	_(COL_XLA_BUFFERS_ALLOCATION_BYTES, "allocation_bytes", INT, BYTES, "size of that") \
	_(COL_XLA_BUFFERS_OFFSET,    "offset_bytes",     INT, BYTES, "where in it the buffer begins")
#define XLA_HEAP_COLUMNS(_) \
	_(COL_XLA_HEAP_RANK,         SHARED_RANK) \
	_(COL_XLA_HEAP_PROGRAM,      XLA_PROGRAM) \
	_(COL_XLA_HEAP_SPACE,        XLA_SPACE) \
	_(COL_XLA_HEAP_POSITION,     "heap_position",    INT, ID,    "place among the steps of the heap, in the order of the program") \
	_(COL_XLA_HEAP_AFTER,        "at_instruction",   TEXT, NONE, "instruction at which the buffer is given out or taken back") \
	_(COL_XLA_HEAP_BUFFER,       "heap_buffer",      TEXT, NONE, "the buffer: instruction that makes it, of a tuple the part in braces") \
	_(COL_XLA_HEAP_WHAT,         "heap_step",        TEXT, NONE, "given out, taken back, shared: it takes the memory of one that is in use") \
	_(COL_XLA_HEAP_BYTES,        "buffer_bytes",     INT, BYTES, "its size, padding included") \
	_(COL_XLA_HEAP_USED,         "heap_bytes",       INT, BYTES, "in use after it: the heap, and what the program has there all the time")
/* clang-format on */

enum { XLA_MEMORY_COLUMNS(COLUMN_ID) };
enum { XLA_BUFFERS_COLUMNS(COLUMN_ID) };
enum { XLA_HEAP_COLUMNS(COLUMN_ID) };
#endif
