/* model/store/facts/side_tables.h - typed rows beside the events: one table for each kind of fact that few events have. A table is
 *          its struct, the list of its columns, and one line in SIDE_TABLES; memory, seal, saved file, its check and
 *          `stepscope dump` follow from that line.
 * Rows:    NUMBERED  events (event_in.detail) or other rows say a row's number; row 0 is "none".
 *          OF_EVENTS the struct begins with `uint64_t event`; an event has at most one row of a table, and after the seal rows
 *                    are in the order of their events. Fill: event_in.side = ingest_side(...). Ask: trace_side.
 * Columns: numbers, texts (str_id), flags; floats and arrays only in tables saved by hand. A new column of a table that was
 *          released needs a section of its own, by hand: the columns of a section are counted, not named.
 * Files:   WHERE_ANY is for new tables: their section is written when there are rows, and older programs pass over it. */
#ifndef STEPSCOPE_SIDE_TABLES_H
#define STEPSCOPE_SIDE_TABLES_H
#include "allocations.h"
#include "collectives.h"
#include "facts.h"
#include "replayed.h"
#include "xla_memory.h"
#include <stddef.h>

/* What the 'E' or 'e' record of a pair said. */
struct end_attrs {
	uint64_t event;
	attr_at attrs;
};

/* What the values of a column must be below when a file is read; ANY: nothing depends on them. */
enum { SIDE_ANY = 0, SIDE_FLAG = 2, SIDE_TEXT = UINT32_MAX /* as many as the trace has texts */ };

/* clang-format off */
/* Of these only what is checked: kernels are unpacked late and saved by hand. */
#define KERNEL_SIDE_COLUMNS(_, T) \
	_(T, op, SIDE_TEXT) _(T, op_type, SIDE_TEXT) _(T, module, SIDE_TEXT) _(T, equation, SIDE_TEXT) _(T, shape, SIDE_TEXT)
#define COPY_SIDE_COLUMNS(_, T) \
	_(T, kind, COPY_KINDS) _(T, src, MEM_KINDS) _(T, dst, MEM_KINDS) _(T, is_async, SIDE_ANY) _(T, bytes, SIDE_ANY) \
	_(T, op, SIDE_TEXT) _(T, op_type, SIDE_TEXT)
#define HOST_DETAIL_SIDE_COLUMNS(_, T) \
	_(T, step_num, SIDE_ANY) _(T, iter_num, SIDE_ANY) _(T, step_id, SIDE_ANY) _(T, root_level, SIDE_ANY) \
	_(T, producer_type, SIDE_ANY) _(T, consumer_type, SIDE_ANY) _(T, producer_id, SIDE_ANY) _(T, consumer_id, SIDE_ANY) \
	_(T, device_ordinal, SIDE_ANY) _(T, is_func, SIDE_ANY) _(T, step_name, SIDE_TEXT) _(T, op, SIDE_TEXT) \
	_(T, op_type, SIDE_TEXT) _(T, graph_type, SIDE_TEXT) _(T, is_async, SIDE_FLAG)
#define HLO_SIDE_COLUMNS(_, T) \
	_(T, program, SIDE_ANY) _(T, module, SIDE_TEXT) _(T, name, SIDE_TEXT) _(T, known, SIDE_ANY) _(T, op, SIDE_TEXT) \
	_(T, op_type, SIDE_TEXT) _(T, opcode, SIDE_TEXT) _(T, category, SIDE_TEXT) _(T, target, SIDE_TEXT) \
	_(T, source, SIDE_TEXT) _(T, flops, SIDE_ANY) _(T, bytes, SIDE_ANY)
#define END_SIDE_COLUMNS(_, T) _(T, event, SIDE_ANY) _(T, attrs, SIDE_ANY)

/* New tables stand last. Section: at most 23 letters.
 *   id            rows          type                section         columns              whose      in a file */
#define SIDE_TABLES(_) \
	_(KERNELS,      kernels,      struct kernel_info, "kernels",      KERNEL_SIDE_COLUMNS,      NUMBERED,  BY_HAND) \
	_(COPIES,       copies,       struct copy_info,   "copies",       COPY_SIDE_COLUMNS,        NUMBERED,  ALWAYS) \
	_(HOST_DETAILS, host_details, struct host_info,   "host_details", HOST_DETAIL_SIDE_COLUMNS, NUMBERED,  ALWAYS) \
	_(HLOS,         hlos,         struct hlo_info,    "hlos",         HLO_SIDE_COLUMNS,         NUMBERED,  WHERE_ANY) \
	_(ENDS,         ends,         struct end_attrs,   "ends",         END_SIDE_COLUMNS,         OF_EVENTS, AS_ROWS) \
	_(COLLECTIVES,  collectives,  struct collective_info, "collective_calls", COLLECTIVE_SIDE_COLUMNS, OF_EVENTS, WHERE_ANY) \
	_(ALLOCATIONS,  allocations,  struct allocation,  "allocations",  ALLOCATION_SIDE_COLUMNS,  OF_EVENTS, WHERE_ANY) \
	_(MEMORY_POOLS, memory_pools, struct memory_pool, "memory_pools", MEMORY_POOL_SIDE_COLUMNS, NUMBERED,  WHERE_ANY) \
	_(ALLOCATOR_STATES, allocator_states, struct allocator_state, "allocator_states", ALLOCATOR_STATE_SIDE_COLUMNS, NUMBERED, WHERE_ANY) \
	_(XLA_PROGRAMS, xla_programs, struct xla_program, "xla_programs", XLA_PROGRAM_SIDE_COLUMNS, NUMBERED,  WHERE_ANY) \
	_(XLA_BUFFERS,  xla_buffers,  struct xla_buffer,  "xla_buffers",  XLA_BUFFER_SIDE_COLUMNS,  NUMBERED,  WHERE_ANY) \
	_(XLA_HEAP,     xla_heap,     struct xla_heap_event, "xla_heap",  XLA_HEAP_SIDE_COLUMNS,    NUMBERED,  WHERE_ANY) \
	_(REPLAYED,     replayed,     struct replayed_work, "replayed_work", REPLAYED_SIDE_COLUMNS,  OF_EVENTS, WHERE_ANY)
/* clang-format on */

enum side_table {
#define SIDE_ENUM(ID, ...) SIDE_##ID,
	SIDE_TABLES(SIDE_ENUM)
#undef SIDE_ENUM
		SIDE_TABLE_COUNT
};
enum side_rows { SIDE_NUMBERED, SIDE_OF_EVENTS };
enum side_saved {
	SIDE_BY_HAND,   /* saved/ knows how */
	SIDE_ALWAYS,    /* column by column; a file without it is damaged */
	SIDE_WHERE_ANY, /* column by column where it has rows; readers that do not know it pass over it */
	SIDE_AS_ROWS    /* as it lies in memory; a file without it is damaged */
};

struct side_column {
	const char *name;
	uint16_t at, bytes; /* in a row */
	bool is_signed;
	uint32_t below; /* SIDE_ANY, SIDE_TEXT or the number itself */
};
struct side_table_info {
	const char *section;
	const struct side_column *columns;
	uint32_t n_columns, row_bytes;
	enum side_rows rows;
	enum side_saved saved;
};
extern const struct side_table_info side_tables[SIDE_TABLE_COUNT];

/* The rows of all tables, by number and by name, for structs of the store (base/column.h). */
#define SIDE_COLUMN_FIELD(ID, rows, ...) struct column rows;
#define SIDE_TABLE_ROWS                                \
	union {                                        \
		struct column side[SIDE_TABLE_COUNT];  \
		struct {                               \
			SIDE_TABLES(SIDE_COLUMN_FIELD) \
		};                                     \
	}

/* A column of n rows as 64-bit numbers, and back: what does not fit is cut off, as a cast does. */
void side_column_get(const struct side_table_info *x, const struct side_column *c, const void *rows, uint64_t n,
		     int64_t *to);
void side_column_set(const struct side_table_info *x, const struct side_column *c, void *rows, uint64_t n,
		     const int64_t *from);
/* Every value of the column is at least 0 and below that. */
bool side_column_below(const struct side_table_info *x, const struct side_column *c, const void *rows, uint64_t n,
		       uint64_t below);
#endif
