/* model/store/ingest/ingest.h - the only way into a trace.
 * Life:    ingest_new -> importer calls in any order -> ingest_seal gives the trace (ingest is spent) or ingest_free.
 * Order:   none required. Ingest sorts, pairs, nests, links; an importer sorts nothing.
 * Time:    absolute int64 ns of whatever clock the source has; the base is subtracted at seal. Importers round once
 *          (ps -> ns: start and end to nearest, dur = end - start).
 * Ledger:  importer counts notes.entries and what it folds itself (metadata: notes.merged) and notes what it leaves out;
 *          each call below says what it counts. After seal notes_balance() holds.
 * Threads: one writer per ingest. `coverage` may be read by the user interface at the same time.
 * Memory:  columns grow in reserved address space; out of memory is an error at seal. */
#ifndef STEPSCOPE_INGEST_H
#define STEPSCOPE_INGEST_H
#include "model/store/base/err.h"
#include "model/store/base/progress.h"
#include "model/store/facts/facts.h"
#include "model/store/facts/notes.h"
#include "model/store/facts/side_tables.h"

struct ingest;
struct trace;

struct ingest *ingest_new(void);
void ingest_free(struct ingest *in);
struct strings *ingest_strings(struct ingest *in);
struct notes *ingest_notes(struct ingest *in);
struct attrs *ingest_attrs(struct ingest *in);
void ingest_progress(struct ingest *in, struct progress *p); /* events are counted there; NULL = off */

/* How many threads the import may use, the caller included; the trace is the same for any number. Call before the first
 * event. */
void ingest_threads(struct ingest *in, unsigned n);

/* Facts about the source as a whole, shown by the `trace` table; the last value of a key wins. */
uint32_t ingest_source(struct ingest *in, const char *path, const char *format); /* later calls belong to it */
/* What its importer promises of the current source: enum source_trait bits, and in words who writes such files when a file
 * does not say (NULL = anybody). Without this call: nothing. */
void ingest_promise(struct ingest *in, uint32_t traits, const char *producer);
/* The current source is a file of so many bytes: columns of a large one begin on large pages, instead of being copied there. 0: not known. */
void ingest_expect(struct ingest *in, int64_t bytes);
void ingest_fact(struct ingest *in, const char *key, const char *value);
void ingest_epoch(struct ingest *in, int64_t epoch_ns); /* wall clock at time 0 of this source's clock */
/* Moves everything the current source gave so far by shift_ns: for formats that tell the base of their clock after the
 * events. False, and nothing moves, when a time would leave the range. */
bool ingest_shift_source(struct ingest *in, int64_t shift_ns);

/* Find or make; ids are provisional until seal renumbers them. Pointers stay valid until the next call that makes one. */
uint32_t ingest_host(struct ingest *in, const char *name, int32_t rank);
/* The same where several files make one host: also one of this name that an earlier file of this format in the same folder made, whose
 * rank, devices, processes and correlation ids are then meant. */
uint32_t ingest_host_of_run(struct ingest *in, const char *name, int32_t rank);
uint32_t ingest_process(struct ingest *in, uint32_t host, int64_t pid);
uint32_t ingest_device(struct ingest *in, uint32_t host, int64_t ordinal);
struct host *ingest_host_info(struct ingest *in, uint32_t host);
struct process *ingest_process_info(struct ingest *in, uint32_t process);
struct device *ingest_device_info(struct ingest *in, uint32_t device); /* fresh: all numbers unknown */
/* owner: a process for THREAD/COUNTER/ASYNC/OTHER, a device for STREAM/STREAM_LANE. lane as in track_info. */
uint32_t ingest_track(struct ingest *in, enum track_kind kind, uint32_t owner, int64_t key, str_id lane);
struct track_info *ingest_track_info(struct ingest *in, uint32_t track); /* to set name, sort, derived_by_producer */

/* Detail rows; kernel and copy rows are stored once per distinct content. Result goes into event_in.detail. */
void kernel_info_init(struct kernel_info *k); /* everything unknown */
void copy_info_init(struct copy_info *c);
void host_info_init(struct host_info *h);
uint32_t ingest_kernel(struct ingest *in, const struct kernel_info *k);
uint32_t ingest_copy(struct ingest *in, const struct copy_info *c);
uint32_t ingest_host_detail(struct ingest *in, const struct host_info *h);
/* The row of an XLA instruction, made when new; the pointers let an importer fill in what it learns later. */
uint32_t ingest_hlo(struct ingest *in, int64_t program, str_id module, str_id name);
uint32_t ingest_hlos(const struct ingest *in); /* rows are 1 .. this - 1 */
struct hlo_info *ingest_hlo_info(struct ingest *in, uint32_t row);
uint32_t ingest_kernels(struct ingest *in);
struct kernel_info *ingest_kernel_info(struct ingest *in, uint32_t row);
uint32_t ingest_copies(const struct ingest *in);
struct copy_info *ingest_copy_info(struct ingest *in, uint32_t row);

/* The memory of an allocator, made when new, and a row for what it says beside an allocation: for struct allocation. */
uint32_t ingest_memory_pool(struct ingest *in, str_id allocator, int32_t device);
uint32_t ingest_allocator_state(struct ingest *in, const struct allocator_state *x);

/* A row of a table whose rows are of events (side_tables.h), for event_in.side; its `event` is filled in later. A row whose event
 * is never taken goes with it. */
uint32_t ingest_side(struct ingest *in, enum side_table table, const void *row);
/* A row of a table whose rows are numbered, from 1 on: its number. */
uint32_t ingest_numbered(struct ingest *in, enum side_table table, const void *row);

struct event_in {
	int64_t start_ns, dur_ns;
	uint64_t corr; /* joins launch and device work; 0 and UINT64_MAX = none */
	attr_at attrs;
	str_id name;
	uint32_t track;
	uint32_t detail; /* 0 = none; row of the table that `kind` implies: KERNEL, DEVICE_OTHER: kernels;
	                       COPY, MEMSET: copies; all others: host details */
	uint32_t side;   /* what ingest_side gave, 0 = none */
	/* NULL, or how it was launched: the row of that becomes the detail. The same as ingest_kernel, faster where there are
	 * many; read during the call only */
	const struct kernel_info *kernel;
	uint8_t kind;  /* enum event_kind */
	int32_t group; /* producer's step group (XSpace group_id), -1 = none */
	int64_t at;    /* byte offset of the record, for notes */
};
/* A complete event or an instant (dur 0). Counts shown (or a note when its time is absurd). Negative dur: 0 and a note. */
void ingest_event(struct ingest *in, const struct event_in *e);

/* B/E: paired per track at seal by time (stable in file order), innermost begin first. dur_ns is ignored.
 * The start is shown; the end is merged, its attributes kept with the start's; unpaired ones are noted. */
void ingest_begin(struct ingest *in, const struct event_in *e);
void ingest_end(struct ingest *in, const struct event_in *e);

/* Nestable async b/n/e (and their like): paired per (track, id) by time. 'b', 'n' are shown; 'e' is merged. */
void ingest_async(struct ingest *in, char phase, uint64_t id, const struct event_in *e);

/* Flow points 's' (start), 't' (step), 'f' (finish); id and category name the flow; enclosing: finish binds to the event
 * around it (bp=e) instead of the next one. Bound to events at seal: merged, else noted. */
void ingest_flow(struct ingest *in, char phase, uint32_t track, str_id category, uint64_t id, int64_t ts_ns,
		 bool enclosing, int64_t at);
/* The same of an event just given, which says itself that an arrow starts, passes or ends at it. Bound to that event by its track,
 * start and attributes. Counts nothing, as it is no entry; where it meets no other point it is noted. */
void ingest_flow_of(struct ingest *in, char phase, const struct event_in *e, str_id category, uint64_t id);

struct column;
/* Memory of an importer's column that is done with, for what is still to come and for sealing: instead of column_free. */
void ingest_reuse(struct ingest *in, struct column *c);

/* One sample of one series (track kind COUNTER, lane = series name). Not an entry by itself: the importer counts the
 * record that carried it as merged. */
void ingest_sample(struct ingest *in, uint32_t track, int64_t ts_ns, double value);

/* Picture while importing: busy time per bin and track, for the timeline's first frame. Thread-safe. */
enum { COVERAGE_BINS = 256 };
struct coverage_track {
	char name[64];
	enum track_kind kind;
	uint64_t events;
	float busy[COVERAGE_BINS]; /* 0..1 of the bin covered (saturating) */
};
/* Copies at most max tracks (device streams first) into out; *span_ns receives first..last time seen. Returns how many. */
uint32_t ingest_coverage(struct ingest *in, struct coverage_track *out, uint32_t max, int64_t *span_ns);

/* Sorts, pairs, nests, links, numbers tracks. Consumes `in` (also on error). NULL on error or cancel. */
struct trace *ingest_seal(struct ingest *in, struct err *e);
#endif
