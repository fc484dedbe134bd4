/* importers/xspace/xspace.h - inside the XSpace importer: TensorFlow's and JAX's profile, one protobuf message per host.
 * Shape:   space > planes (host threads, one GPU, ...) > lines (one thread, one stream) > events > stats. A plane's two maps
 *          give events and stats their names; most writers put them after the lines.
 * Reading: space.c walks the stream field by field, passes over one plane's lines, which are held as they are (hold.h), and gathers
 *          its maps (meta.h); at the plane's end plane.c says what the plane is and plane_stretches.c reads its lines again, by two
 *          threads where there are two, in pieces (piece.h), which are decoded, each event's stats into a record of attributes
 *          (quick.h), and turned into ingest calls by event.c; what is unusual is decoded there (attributes.c). What is held of a
 *          plain file is only where the lines stand.
 *          Only the map entries are unpacked by protobuf-c; no tree of lines or events is ever built.
 * Damage:  the length of every message bounds what can be lost by bytes that are no fields; an offset tells where. */
#ifndef STEPSCOPE_XSPACE_H
#define STEPSCOPE_XSPACE_H
#include "hlo.h"
#include "hold.h"
#include "meta.h"
#include "piece.h"
#include "importers/importer.h"
#include "model/store/base/spans.h"

/* Longest payloads that are read; the format has no limits of its own. */
enum {
	MAX_TEXT_BYTES = 64 << 10,  /* names of planes and lines, host names, messages */
	MAX_META_BYTES = 4 << 20,   /* a map entry; only the name of a larger one is read */
	MAX_EVENT_BYTES = 16 << 20, /* an event with its stats */
};

/* One XLine message, its fields other than events decoded; the raw fields lie in the hold. */
struct line {
	int64_t id, display_id, timestamp_ns;
	str_id name, display_name;
	uint64_t hold_at, hold_n; /* in the hold: offsets of the file where that is borrowed */
	int64_t file_at;          /* where its first byte stood in the file */
	bool counter;             /* its events are samples; known at the plane's end */
};
/* Whole fields of a line that stand together in the hold. */
struct part {
	uint64_t at; /* in the hold */
	size_t line; /* of the plane's */
	size_t n;
};
struct plane {
	int64_t id;
	str_id name;
	struct meta meta;
	struct hold hold;
	struct line *lines;
	size_t n_lines, lines_cap;
	struct part *parts; /* at least one of each line */
	size_t n_parts, parts_cap;
	size_t *stretches; /* the first part of each */
	size_t n_stretches, stretches_cap;
	struct stat *stats; /* texts in meta.texts */
	size_t n_stats, stats_cap;
};

/* How the events of a line are to be taken. */
enum lane {
	LANE_HOST,
	LANE_HOST_DERIVED,
	LANE_STREAM,   /* device work, distinguished by its details */
	LANE_OPS,      /* a TPU's ops: all of them device work */
	LANE_RANGE,    /* device lanes that are no work */
	LANE_OVERHEAD, /* the profiler's own cost on a device line */
	LANE_COUNTER
};
struct lane_info {
	enum lane lane;
	uint32_t track; /* of everything but counters */
	str_id counter; /* LANE_COUNTER: what series names begin with */
	uint32_t owner; /* LANE_COUNTER: the process that owns the series */
	int64_t key;
};

struct known_device {
	str_id plane; /* "/device:GPU:0" */
	int64_t ordinal;
	uint32_t device;
};

/* What repeats is worked out once: caches by the texts it is made from. A key of DETAIL_CACHE may lie in any of DETAIL_WAYS
 * slots, the others have one each. */
enum {
	DETAIL_CACHE = 4096,
	DETAIL_KEY = 8,
	DETAIL_WAYS = 8,
	SHAPE_CACHE = 1 << 18,
	HOST_CACHE = 1024,
	OP_CACHE = 4096,
	KERNEL_CACHE = 4096,
	HLO_CACHE = 4096
};
struct detail_slot {
	uint32_t key[DETAIL_KEY];
	uint32_t serial; /* tells this filling of the slot from all others */
	bool absurd;
	uint32_t row;              /* copies and memsets */
	struct kernel_info kernel; /* kernels: without the shape */
};
struct shape_slot {
	uint32_t serial; /* of the kernel's detail slot, 0 = empty */
	str_id shape;
	uint32_t row;
};
/* A kernel whose row is looked for a few events later: rows of many shapes lie all over a large table, and each look at once waits
 * for memory. */
struct kernel_due {
	const struct detail_slot *of; /* NULL: it is no kernel, or known */
	struct shape_slot *at;
	str_id shape;
};
struct event_due {
	struct event_in e;
	struct kernel_due kernel;
};
enum { EVENTS_DUE = 8 };
struct op_slot {
	str_id source, hlo_op; /* made from */
	str_id op, type;
};
struct kernel_slot {
	str_id details; /* made from */
	bool absurd;
	struct kernel_info info;
};
struct hlo_slot {
	int64_t program; /* made from */
	str_id module, stack;
	uint32_t row; /* 0 = empty */
};
struct host_slot {
	struct host_info info;
	uint32_t row;
};

struct xspace {
	struct source *src;
	struct ingest *in;
	struct progress *progress;
	struct strings *strings;
	struct notes *notes;
	struct attrs *attrs;
	struct err *err;

	struct plane plane;   /* the one being read */
	size_t stretch_bytes; /* of a plane that one thread reads and decodes before it waits for its turn */
	struct plane_stretches *stretches;
	uint32_t host, main_process;
	int64_t plane_pid;      /* of this plane, UNKNOWN_I64 = not recorded */
	uint32_t plane_process; /* of this plane, when it is a host plane of its own; NONE_ID = not made yet */
	int64_t next_process;   /* number for the next host plane without a pid */
	struct known_device *devices;
	size_t n_devices, devices_cap;

	struct stat *stats; /* of the event being read, unless it is a usual one */
	size_t n_stats, stats_cap;
	struct gathered facts;
	struct event_due due[EVENTS_DUE]; /* numbers [due_from, due_to), each in place number % EVENTS_DUE */
	uint32_t due_from, due_to;
	struct detail_slot *details;
	uint32_t n_serials;
	struct shape_slot *shapes;
	struct host_slot *hosts;
	struct op_slot *ops;
	struct kernel_slot *kernels;
	struct hlo_slot *hlo_slots;
	struct hlo hlo;
	uint32_t first_hlo; /* of this file, among ingest's */
	str_id long_name, occupancy;

	int64_t start_time_ns, stop_time_ns, first_line_ns;
	uint64_t n_planes, n_messages;
	int64_t mangled_at; /* where the head shows that the file went through a text conversion, -1 = it did not */
	bool host_named;    /* from the file itself */
	bool ended;         /* the stream ended, or nothing more of it can be used */
	bool failed;        /* err is set */
};

/* space.c */
bool xspace_cancelled(struct xspace *x);
/* Damage is noted, unless the file went through a text conversion: then it is refused. */
void xspace_damaged(struct xspace *x, int64_t at);
void xspace_cut(struct xspace *x); /* the stream ends inside a message: passes over the rest, ends the import */

/* plane_read.c: how many bytes of a message follow; `end` is the offset after it, INT64_MAX when its length is beyond what a file can have. */
uint64_t xspace_left(const struct xspace *x, int64_t end);
/* The head of the field at the source's position, without moving; `end` is where the enclosing message ends.
 * Passing over bytes, however many, stops at the stream's end. */
enum wire_result xspace_peek(struct xspace *x, int64_t end, struct wire_field *f, size_t *head);
void xspace_pass(struct xspace *x, uint64_t n);
void xspace_out_of_memory(struct xspace *x); /* ends the import */

/* plane_read.c: the plane whose payload lies between the source's position and the offset `end`. */
void plane_read(struct xspace *x, int64_t end);

/* line_read.c: the payload of a line, from the source's position to `end`. overrun: its length went beyond the plane, and is not to be
 * trusted: bytes that are no line's field are then left for the plane to read. */
void line_read(struct xspace *x, int64_t end, bool overrun);
/* Is this a field of a line, in the form it has to have? XLine: id 1, name 2, timestamp_ns 3, events 4, duration_ps 9, display_id 10,
 * display_name 11; others may be of any form. */
bool line_form(const struct wire_field *f);
bool line_knows(const struct wire_field *f); /* of that form: its number is one of these */
/* The numbers among them; other fields change nothing. */
void line_number(struct line *l, const struct wire_field *f);
/* Passes over whole events, as most fields are, that begin before `limit`. WIRE_PAD bytes more must be readable. */
const unsigned char *line_pass_events(const unsigned char *p, const unsigned char *limit, const unsigned char *end);
/* n bytes of whole fields of the line that is added next, from `at` in the hold on. */
void line_add_part(struct xspace *x, uint64_t at, size_t n);
void line_add(struct xspace *x, const struct line *l);

/* line_run.c: the line of `size` bytes whose payload the source stands before, and those behind it, in a plane that ends at `end`; the
 * source then stands behind the last of them. False: nothing was done, the line is to be read. */
bool lines_run(struct xspace *x, uint64_t size, int64_t end);

/* plane.c: everything is read; tells ingest. */
void plane_finish(struct xspace *x);

/* line_kinds.c */
struct lane_info lane_of(struct xspace *x, const struct line *l);
void lanes_device(struct xspace *x); /* makes the device of a device plane, lines or not */
bool plane_is_device(struct span name);
bool line_is_counter(struct span name); /* of a device's lines: each event is a sample */
void lanes_host(struct xspace *x);      /* the facts of a host plane */

/* event.c: what a piece of a line holds becomes events of the trace. */
void events_take(struct xspace *x, const struct lane_info *lane, const struct piece *p);
/* Hands over those that are due. */
void events_settle(struct xspace *x);

/* attributes.c: each stat is kept as an attribute; the later of a role overrides in x->facts. */
attr_at plane_stats(struct xspace *x);
/* Begins the record of an event with what its metadata says; *to: where the stats follow, for which there are `bytes`. Returns where the
 * record begins, NULL when memory is out. */
unsigned char *stats_begin(struct xspace *x, struct event_meta *m, size_t bytes, unsigned char **to);
/* Adds stats; returns what follows them. */
unsigned char *stats_put(struct xspace *x, unsigned char *to, struct stat *stats, size_t n);
size_t stats_bytes(const struct stat *stats, size_t n); /* at most so many */

/* event_details.c: rows for what the gathered facts say; 0 = none */
void detail_kernel(struct xspace *x, int64_t at,
		   struct kernel_due *k); /* `at`: the event, for the note on absurd values; k: to be settled */
uint32_t detail_kernel_row(struct xspace *x, const struct kernel_due *k);
uint32_t detail_copy(struct xspace *x, str_id name, bool is_memset);
uint32_t detail_host(struct xspace *x, struct event_meta *m, uint8_t kind);
/* event_allocation.c: what a block's allocator says, as a row for event_in.side; 0: nothing of use. */
uint32_t detail_allocation(struct xspace *x, const struct event_meta *m);

/* sniff.c */
int xspace_sniff(const unsigned char *head, size_t n);
int64_t xspace_mangled(const unsigned char *head, size_t n); /* offset of the first U+FFFD of a converted file, or -1 */
bool xspace_plane_head(const unsigned char *p, size_t n);    /* could a plane's field begin here? */
#endif
