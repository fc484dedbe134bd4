/* model/store/trace/trace.h - a sealed trace: columns, tracks, details, links. Read only, any number of threads.
 * Order:   rows are grouped by track (ids in order of host, process/device, kind, key) and sorted within a track by
 *          (start asc, dur desc, file order). The row number is the event's printed id and is stable.
 * Time:    ns since the first event of the trace (base_ns gives the absolute time back); intervals are half-open.
 * Nesting: on a track, `depth` counts enclosing events of the same lane; `disp` is the display row: nesting rows of
 *          lane 0 first, then overflow rows for events that partly overlap others. Events of one (track, disp) never
 *          overlap. */
#ifndef STEPSCOPE_TRACE_H
#define STEPSCOPE_TRACE_H
#include "model/store/base/err.h"
#include "model/store/facts/facts.h"
#include "model/store/facts/step_groups.h"
#include "model/store/facts/notes.h"
#include "model/store/facts/side_tables.h"

typedef uint32_t row_id; /* NONE_ID = none */

struct trace;
struct trace *trace_ref(struct trace *t);
void trace_free(struct trace *t); /* drops one reference; NULL is fine */

/* 64-bit numbers that mostly need 32, or that a loaded trace unpacks when the first one is asked for: one of the three is
 * set. All ones stand for all ones. */
struct lazy_numbers;
struct numbers {
	const uint32_t *narrow;
	const uint64_t *wide;
	const struct lazy_numbers *lazy;
};
/* The number of row r; unpacks the section when it is the first to ask. */
uint64_t lazy_number(const struct lazy_numbers *x, row_id r);
static inline uint64_t number_at(struct numbers x, row_id r)
{
	if (x.wide)
		return x.wide[r];
	if (x.lazy)
		return lazy_number(x.lazy, r);
	return x.narrow[r] == UINT32_MAX ? UINT64_MAX : x.narrow[r];
}

/* One array per attribute, `n` rows each. */
struct columns {
	uint64_t n;
	const int64_t *start_ns, *dur_ns;
	const str_id *name;
	const uint32_t *track;
	const uint8_t *kind;
	const uint16_t *depth; /* saturates at 65535 */
	const uint16_t *disp;
	struct numbers corr, attrs; /* attrs: attr_at */
	const uint32_t *detail;     /* see event_in.detail */
	const uint32_t *link;       /* device work: its launch's row; a launch: its first device row; else NONE_ID */
	struct step_groups group;   /* producer's step group */
};
struct trace_track {
	struct track_info info;
	/* for the files of this room: */
	uint32_t first_disp; /* index into disp_rows */
	uint32_t lane0_rows; /* display rows of the main lane */
	uint64_t first_sample, n_samples;
};
/* What is asked for each event or track, read without a call. It opens struct trace, whose rest only its own room knows; read it
 * through the functions below. */
#define TRACE_PUBLIC                \
	struct columns c;           \
	struct trace_track *tracks; \
	uint32_t n_tracks, n_device_tracks, track_kinds
struct trace_public {
	TRACE_PUBLIC;
};
static inline const struct trace_public *trace_public(const struct trace *t)
{
	return (const struct trace_public *)t;
}
static inline const struct columns *trace_columns(const struct trace *t)
{
	return &trace_public(t)->c;
}
const struct strings *trace_strings(const struct trace *t);
const struct notes *trace_notes(const struct trace *t);
/* Reads what is still unread of a loaded file, so that the notes tell all that is lost in it. Does nothing for an import. */
void trace_check_rest(const struct trace *t);
struct attrs *trace_attrs(const struct trace *t);
const char *trace_str(const struct trace *t, str_id id); /* short for strings_z */

int64_t trace_base_ns(const struct trace *t);  /* absolute time of 0 on the source's clock */
int64_t trace_epoch_ns(const struct trace *t); /* wall clock at 0, UNKNOWN_I64 = unknown */
int64_t trace_span_ns(const struct trace *t);  /* last end - first start */

/* What is asked of a source is its traits; the format's name is for showing. */
struct source_info {
	const char *path, *format,
		*producer; /* producer: who writes such files, where the file does not say; NULL = anybody */
	uint32_t traits;   /* enum source_trait bits */
};
/* The files that the trace was read from, by number; texts live as long as the trace. */
uint32_t trace_sources(const struct trace *t);
struct source_info trace_source(const struct trace *t, uint32_t i);
uint32_t trace_traits(const struct trace *t); /* enum source_trait bits of all sources together */
/* What the files say about themselves, as pairs of texts in the order recorded. */
uint32_t trace_facts(const struct trace *t);
void trace_fact(const struct trace *t, uint32_t i, const char **key, const char **value);

/* How many there are of each, and one of them by its number. */
uint32_t trace_hosts(const struct trace *t);
uint32_t trace_processes(const struct trace *t);
uint32_t trace_devices(const struct trace *t);
const struct host *trace_host(const struct trace *t, uint32_t i);
const struct process *trace_process(const struct trace *t, uint32_t i);
const struct device *trace_device(const struct trace *t, uint32_t i);
static inline uint32_t trace_tracks(const struct trace *t)
{
	return trace_public(t)->n_tracks;
}
static inline const struct track_info *trace_track(const struct trace *t, uint32_t i)
{
	return &trace_public(t)->tracks[i].info;
}
/* From this one on tracks are of no device: devices stand before the processes of their host, which may be very many. */
static inline uint32_t trace_device_tracks(const struct trace *t)
{
	return trace_public(t)->n_device_tracks;
}
static inline bool trace_has_tracks(const struct trace *t, enum track_kind kind) /* any of that kind */
{
	return trace_public(t)->track_kinds >> kind & 1;
}
/* "stream 7", "python 25738 / thread 25738", ...: what the user reads, in caller's buffer. Returns buf. */
const char *trace_track_label(const struct trace *t, uint32_t track, char *buf, size_t size);
const char *trace_device_label(const struct trace *t, uint32_t device, char *buf,
			       size_t size); /* "GPU 0", "rank 3 GPU 0", "CUSTOM:Megascale Trace" */
/* In which recording of its worker a device was: 1, from 2 on where a worker was recorded more than once. */
uint32_t trace_recording(const struct trace *t, uint32_t device);
/* Where workers were recorded more than once, what the devices of the trace are recordings of: "rank 0 GPU 0", of more than one
 * "devices", in buf. NULL: each was recorded once. */
const char *trace_recorded_again(const struct trace *t, char *buf, size_t size);
/* n of the trace's devices, two or more: "8 devices"; where workers were recorded more than once "2 recordings of rank 0 GPU 0", of more
 * than one device "4 recordings of devices". */
const char *trace_devices_text(const struct trace *t, uint32_t n, char *buf, size_t size);

/* Details; NULL when the event has none of that sort. */
const struct kernel_info *trace_kernel(const struct trace *t, row_id r);
/* The same for who wants op and op_type only: NULL also when no kernel of the trace has one. */
const struct kernel_info *trace_kernel_with_op(const struct trace *t, row_id r);
/* The same for who wants op, op_type, equation and shape only. */
const struct kernel_info *trace_kernel_with_texts(const struct trace *t, row_id r);
/* False: no kernel has any of these four, known without unpacking the other facts; true: look. */
bool trace_kernels_may_tell_texts(const struct trace *t);
/* The same of a module. */
bool trace_kernels_may_tell_module(const struct trace *t);
/* Facts of the kernels in a window are made ready in the order of the file: who asks for them in order of time, of a loaded trace,
 * unpacks parts of it twice otherwise, and facts of others with them. */
void trace_kernels_want(const struct trace *t, int64_t a_ns, int64_t b_ns);
const struct copy_info *trace_copy(const struct trace *t, row_id r);
const struct host_info *trace_host_detail(const struct trace *t, row_id r);
uint32_t trace_hlo_row(const struct trace *t, row_id r);           /* which one, 0 = none */
const struct hlo_info *trace_hlo(const struct trace *t, row_id r); /* the XLA instruction that device work belongs to */
/* The event's row of a table whose rows are of events (side_tables.h), NULL = none. O(log rows). */
const void *trace_side(const struct trace *t, enum side_table table, row_id r);
/* All rows of a table; returns how many. Row 0 of NUMBERED ones is "none". rows NULL: only how many, of tables other than KERNELS. */
uint64_t trace_side_rows(const struct trace *t, enum side_table table, const void **rows);
attr_at trace_end_attrs(const struct trace *t, row_id r); /* attributes of the 'E'/'e' record, 0 = none */

/* Device work of one launch, as rows in time order; returns how many and points *rows at them. */
uint32_t trace_launched(const struct trace *t, row_id launch, const row_id **rows);

struct flow {
	row_id from, to;
	str_id category;
	uint64_t id;
};
uint64_t trace_flows(const struct trace *t,
		     const struct flow **out); /* sorted by from; arrows that bind at both ends */

struct sample {
	int64_t ts_ns;
	double value;
};
uint64_t trace_samples(const struct trace *t, uint32_t track, const struct sample **out); /* sorted by time */

/* ---- changes, before anybody else sees the trace ----------------------------------------------------------------- */
/* A time t of the host becomes t - off_ns - drift (t - from_ns), both ends of an event alike. */
struct host_move {
	int64_t from_ns, off_ns;
	double drift;
};
#define HOST_MOVE_MOST_NS (INT64_C(1) << 56)
/* by_host: one for each. The first event is at 0 afterwards. False: a move is too long, or memory is out. */
bool trace_move_hosts(struct trace *t, const struct host_move *by_host, struct err *e);
void trace_set_fact(struct trace *t, const char *key, const char *value); /* instead of what stood under that key */
void trace_note(struct trace *t, enum note_id note);                      /* once, however often it is called */
/* What a capture tells of replayed work; "" = nothing. */
struct replayed_name {
	row_id row;
	enum replay_match match;
	const char *op, *op_type, *module, *stack;
};
/* In the order of rows; the table of what was told before goes. Ops that the trace already tells stay. */
void trace_name_replayed(struct trace *t, const struct replayed_name *names, uint32_t n);

/* ---- reading a window ------------------------------------------------------------------------------------------- */
/* All events of a track that intersect [a, b), in row order. Instants count when a <= start < b. */
struct event_iter {
	const struct trace *t;
	const uint8_t *kind;
	uint64_t at, end;
	int64_t a, b;
	uint32_t kinds; /* bit mask of 1u << kind; ~0u = all */
	row_id row;     /* the current event */
	bool begun;     /* rows from here on begin in the window */
};
/* Every event of the track begins in [a, b), as those of most of very many tracks do, or there is none. */
static inline bool track_in_window(const struct trace *t, uint32_t track, int64_t a, int64_t b)
{
	const struct track_info *k = trace_track(t, track);
	const int64_t *start_ns = trace_columns(t)->start_ns;
	return !k->n || (start_ns[k->first] >= a && start_ns[k->first + k->n - 1] < b);
}
/* near: a row of the track that begins near b, from where it is found sooner; any will do. */
struct event_iter event_iter_near(const struct trace *t, uint32_t track, int64_t a, int64_t b, uint32_t kinds,
				  row_id near);
static inline struct event_iter event_iter(const struct trace *t, uint32_t track, int64_t a, int64_t b, uint32_t kinds)
{
	const struct track_info *k = trace_track(t, track);
	const struct columns *c = trace_columns(t);
	if (track_in_window(t, track, a, b))
		return (struct event_iter){.t = t,
					   .kind = c->kind,
					   .at = k->first,
					   .end = k->first + k->n,
					   .a = a,
					   .b = b,
					   .kinds = kinds,
					   .row = NONE_ID,
					   .begun = true};
	return event_iter_near(t, track, a, b, kinds, NONE_ID);
}
bool event_next_around(struct event_iter *it); /* of those that may begin before the window */
/* Skips in O(log n) what ends before the window. */
static inline bool event_next(struct event_iter *it)
{
	if (!it->begun)
		return event_next_around(it);
	while (it->at < it->end) {
		it->row = (row_id)it->at++;
		if (it->kinds >> it->kind[it->row] & 1)
			return true;
	}
	return false;
}

/* The same for loops over millions of events, or tracks, whatever kinds they ask for: it gives those of all kinds. Begun by
 * event_rows_open; `rows` is a variable of the loop's own, so that it can stay in registers. */
struct event_rows {
	row_id at, end;
};
static inline struct event_rows event_rows_open(struct event_iter *it, const struct trace *t, uint32_t track, int64_t a,
						int64_t b)
{
	const struct track_info *k = trace_track(t, track);
	if (track_in_window(t, track, a, b)) {
		it->at = it->end = 0;
		it->begun = true;
		return (struct event_rows){(row_id)k->first, (row_id)(k->first + k->n)};
	}
	*it = event_iter_near(t, track, a, b, ~0u, NONE_ID);
	return (struct event_rows){0};
}
static inline bool event_next_row(struct event_iter *it, struct event_rows *rows, row_id *r)
{
	if (rows->at < rows->end) {
		*r = rows->at++;
		return true;
	}
	if (rows->end || !event_next(it))
		return false;
	*r = it->row;
	if (it->begun)
		*rows = (struct event_rows){(row_id)it->at, (row_id)it->end};
	return true;
}

row_id trace_parent(const struct trace *t, row_id r); /* enclosing event of the same lane */
row_id trace_innermost(const struct trace *t, uint32_t track,
		       int64_t ts_ns); /* deepest event of lane 0 containing ts */

/* ---- drawing: cost depends on columns, not on events ---------------------------------------------------------------- */
struct bin {
	int64_t busy_ns; /* time of the bin that events of this display row cover */
	uint32_t count;  /* events that touch the bin */
	row_id longest;  /* the one that covers most of it, NONE_ID = empty */
};
/* Bin c covers [from + c*span/cols, from + (c+1)*span/cols). Fills out[0..cols). */
void trace_bins(const struct trace *t, uint32_t track, uint32_t disp, int64_t from, int64_t span, uint32_t cols,
		struct bin *out);
/* Neighbour on a display row: first event that starts after / last that ends at or before ts. NONE_ID = none. */
row_id trace_next_on_row(const struct trace *t, uint32_t track, uint32_t disp, int64_t ts_ns);
row_id trace_prev_on_row(const struct trace *t, uint32_t track, uint32_t disp, int64_t ts_ns);
row_id trace_at_on_row(const struct trace *t, uint32_t track, uint32_t disp, int64_t ts_ns); /* the one containing ts */
#endif
