/* model/store/trace/trace_private.h - the inside of a sealed trace, shared by the files that build and read it. */
#ifndef STEPSCOPE_TRACE_PRIVATE_H
#define STEPSCOPE_TRACE_PRIVATE_H
#include "trace.h"
#include "model/store/base/column.h"
#include "model/store/ingest/ingest_private.h"
#include <stdatomic.h>

/* Blocks of 64, 4096, ... rows with the latest end in each: lets an iterator skip what ended before its window. */
enum { SKIP_SHIFT = 6, SKIP_LEVELS = 5 };
/* Display rows: `by_disp` lists rows by (track, disp, start). Over it, per 16 entries, the longest event and the sum of
 * durations before; on top of that, per 256 entries, the longest again, and so on. */
enum { FAN = 16, MAX_LEVELS = 8 };

struct disp_row {
	uint32_t first, n; /* entries of by_disp */
};
/* Of launches that own more than one piece of work; the only one of the others is in their link. */
struct launch_group {
	row_id launch;
	uint32_t first, n; /* entries of launched */
};
struct trace {
	union {
		struct trace_public pub;
		struct {
			TRACE_PUBLIC;
		};
	};
	atomic_int refs;
	struct trace
		*whole; /* what it is one rank of (part.h), whose texts, attributes and numbered rows it shares; NULL */
	/* the writable views of c */
	int64_t *start_ns, *dur_ns;
	str_id *name;
	uint32_t *track, *detail, *link;
	uint8_t *kind;
	uint16_t *depth, *disp;
	uint64_t *corr; /* NULL when all fit corr32; attrs_at likewise */
	attr_at *attrs_at;
	uint32_t *corr32, *attrs32;
	int32_t *group; /* NULL when all fit group16, or there are none */
	uint16_t *group16;

	struct strings *strings;
	struct attrs *attrs;
	struct notes notes;
	int64_t base_ns, epoch_ns, span_ns;
	struct host *hosts;
	struct process *processes;
	struct device *devices;
	uint32_t n_hosts, n_processes, n_devices, n_facts, n_sources;
	struct fact *facts;
	struct source_in *sources;
	SIDE_TABLE_ROWS;

	int64_t *skip[SKIP_LEVELS];
	int64_t *
		reached; /* by block of 64 rows: the latest end of the rows of the block's first track that lie before the block */
	struct disp_row *disp_rows;
	uint64_t n_disp_rows;
	row_id *by_disp;
	uint32_t *longest[MAX_LEVELS]; /* index into by_disp */
	int64_t *sum_before;           /* per FAN entries, within the display row's own order, running over all */
	struct launch_group *launches;
	uint32_t n_launches;
	row_id *launched;
	struct flow *flows;
	uint64_t n_flows;
	struct sample *samples;
	bool kernels_tell_no_op;      /* nor any op type; known without unpacking or reading them */
	bool kernels_tell_no_texts;   /* nor any equation nor shape; of a loaded trace: see lazy */
	char *drop_path;              /* removed when the file turns out damaged; NULL: kept */
	struct packed_tables *packed; /* side tables that nobody asked for yet; NULL: of a loaded trace */
	struct lazy *lazy;            /* what a loaded trace has not unpacked yet; NULL: an imported one */
};

/* Whose flow a point continues is found in a table of the last point met of each flow: most flows have two points, so this
 * beats sorting millions of them. The table is of one source at a time, whose points stand together: that of a run of many ranks
 * would be larger than what lies near. */
struct flow_groups {
	uint32_t *last;      /* slot -> index + 1; while they are found */
	uint32_t *next;      /* point -> the next one of its flow, as index + 1 */
	uint64_t *begins;    /* bit per point: a flow begins with it */
	int bits, most_bits; /* of slots, and those there is memory for */
};

static inline int64_t row_end(const struct trace *t, row_id r)
{
	return t->start_ns[r] + t->dur_ns[r];
}
/* Where the event stops to meet what comes after it: an instant fills its own ns. */
static inline int64_t row_reach(const struct trace *t, row_id r)
{
	return t->dur_ns[r] ? row_end(t, r) : t->start_ns[r] + 1;
}

/* The file that what is noted of a host is noted of; UINT32_MAX where several make it up. */
static inline uint32_t trace_file_of(const struct trace *t, uint32_t host)
{
	return t->hosts[host].several_files ? UINT32_MAX : t->hosts[host].source;
}

/* Whether any row of kernels has an op or its type: looks through them. */
bool trace_kernels_tell_op(const struct trace *t);
void trace_kernels_look(struct trace *t); /* sets what the trace says of all rows of kernels */

/* Points the read-only view `c` at the columns, and sums up the tracks. */
void trace_publish_columns(struct trace *t);

/* The first event is at 0 again, after times were changed. */
void trace_settle_base(struct trace *t);

/* Each step of the seal; false when memory is out. map: provisional track -> final track (NONE_ID = dropped). */
bool seal_number(struct trace *t, struct ingest *in, uint32_t *map);
uint32_t *seal_order(struct trace *t, const struct ingest *in, const uint32_t *map,
		     struct spare *spare); /* row -> raw event; caller frees; uses up raw.track */
bool seal_samples(struct trace *t, const struct ingest *in,
		  const uint32_t *map); /* to t->samples, which have room; uses up in->samples */
/* How others help: so many threads share what there is to do, of which one does `beside` first, and memory is taken meanwhile. */
struct helpers {
	unsigned threads;
	struct ahead *ahead;       /* NULL: none */
	bool (*beside)(void *ctx); /* NULL: nothing */
	void *ctx;
};
bool seal_nest(struct trace *t, const struct helpers *h);
bool seal_display(struct trace *t, const struct helpers *h);
bool seal_skip(struct trace *t);
bool seal_links(struct trace *t);
bool seal_launch_groups(struct trace *t); /* second half of seal_links: from the device rows' links */
bool seal_flows(struct trace *t, struct ingest *in, const uint32_t *map, const struct flow_groups *g);

/* Finds the points of each flow, whatever they bind to. g: the caller's to ungroup, also when this fails. */
bool flows_group(const struct ingest *in, struct flow_groups *g);
void flows_ungroup(struct flow_groups *g);
#endif
