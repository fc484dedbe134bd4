/* importers/rocprof/rocprof.h - what the files that read tables of rocprof share. A table is known by its columns, which are found by name. */
#ifndef STEPSCOPE_ROCPROF_H
#define STEPSCOPE_ROCPROF_H
#include "fields.h"
#include "model/store/base/idmap.h"
#include "model/store/ingest/ingest.h"

enum field_of {
	NAME,
	BEGIN,
	END,
	DEVICE,
	QUEUE,
	STREAM,
	CORRELATION,
	SHARED,
	REGISTERS,
	DISPATCH,
	COUNTER,
	VALUE,
	DOMAIN,
	FUNCTION,
	PROCESS,
	THREAD,
	DIRECTION,
	FROM,
	TO,
	OPERATION,
	SIZE,
	ADDRESS,
	GRID,
	GRID_X,
	GRID_Y,
	GRID_Z,
	GROUP,
	GROUP_X,
	GROUP_Y,
	GROUP_Z,
	COLUMNS
};
enum table_kind {
	TABLE_KERNELS,  /* a dispatch a line */
	TABLE_COUNTERS, /* a line for each counter of a dispatch */
	TABLE_CALLS,    /* a call of HIP, HSA or RCCL, or a range of ROCTX, a line */
	TABLE_COPIES,
	TABLE_ALLOCATIONS, /* memory given out or given back, a line */
	TABLE_SCRATCH,     /* the same of the memory that waves spill to, by queue */
	TABLE_KINDS
};
struct table {
	unsigned place[COLUMNS]; /* which field; MOST_FIELDS = none */
	unsigned fields;
	enum table_kind kind;
};
/* False: no table that is read; one without times is none. */
bool table_head(struct table *t, const struct fields *head);

enum { LONGEST_LINE_BYTES = 1 << 20 };
struct reader {
	struct ingest *in;
	struct source *src;
	struct notes *notes;
	struct strings *strings;
	struct attrs *attrs;
	struct table table;
	struct fields fields;
	str_id keys[MOST_FIELDS];
	str_id amd;
	uint32_t host;
	uint64_t taken;
	/* the dispatch whose counters are being read: it goes in when the next one begins */
	struct event_in counted;
	struct kernel_info counted_kernel;
	int64_t counted_dispatch;
	bool counting;
	struct idmap dispatches; /* those whose counters were read */
	struct idmap pools;      /* by address: the memory that it was given from */
	char line[LONGEST_LINE_BYTES + 1];
};
/* Takes the line in `fields`, as an entry; `at`: where it begins. Numbers x->taken. */
void rocprof_row(struct reader *x, int64_t at);
/* No more lines follow. */
void rocprof_rows_end(struct reader *x);
#endif
