/* importers/chrome/chrome.h - one Chrome trace being imported: what its parts share.
 * Parts: load.c walks the file (stretches.c the entries of a plain one, by two threads), entry.c scans an entry, take.c hands it
 *        over, record.c reads it, event.c turns it into ingest calls (fast_path.c and slice_path.c do the same at once for
 *        entries laid out like an earlier one), place.c finds its track, detail.c reads the facts in its args, metadata.c takes
 *        names of processes and threads, identities.c knows threads and streams, header.c takes the members beside the event
 *        array. */
#ifndef STEPSCOPE_CHROME_CHROME_H
#define STEPSCOPE_CHROME_CHROME_H
#include "identities.h"
#include "importers/number.h"
#include "record.h"
#include "importers/importer.h"
#include "model/store/base/column.h"
#include <stdatomic.h>

/* An event that is understood but for what its track is. */
enum detail_type { DETAIL_NONE, DETAIL_KERNEL, DETAIL_COPY, DETAIL_MEMSET, DETAIL_HOST };
struct pending {
	struct event_in e;
	uint64_t id; /* flows, and events with an arrow */
	uint32_t ident;
	str_id category; /* flows */
	char ph;
	char scope;
	char arrow; /* of an event: the phase of the flow point that it stands for, too; 0 = none */
	bool encloses, has_call_id, launch_flow;
	bool says_op;                /* its arguments name an op with its type */
	bool is_ascend;              /* what ascend.c reads */
	uint8_t class, detail, task; /* task: of ascend.c */
};

enum { MAX_DEVICE_PROPERTIES = 256 };
struct device_properties {
	int64_t ordinal, cc_major, cc_minor, sms, memory_bytes, clock_khz;
	str_id name, vendor;
	attr_at attrs;
	bool without_work; /* part of the trace all the same: our own exports say so */
};

/* What a copy's name says. */
struct named_copy {
	str_id name;
	bool known;
	struct copy_info is;
};

/* The allocator of the last allocation: neighbours are mostly of one. */
struct memory_of {
	int64_t type, device;
	uint32_t pool; /* 0: none yet */
};

/* Tracks beside threads that were met before: what a process calls by one name mostly comes again. */
enum { SIDE_TRACKS = 64 };
struct side_track {
	bool known;
	uint32_t ident;
	str_id lane; /* category, or the counter's name */
	uint32_t track;
};
struct counter_series {
	struct side_track at;
	int64_t id;
	size_t key_n;
	char key[24];
};

struct chrome {
	struct ingest *in;
	struct notes *notes;
	struct strings *strings;
	struct reader reader;
	struct record record; /* the one in work */
	struct identities identities;
	uint32_t host;
	int64_t base_ns;          /* baseTimeNanoseconds, added to every time stamp */
	int64_t trailing_base_ns; /* the same where it stands after the events: added at the end */
	struct column waiting;    /* struct pending: events that wait for the names of their process and thread */
	bool names_final;         /* nothing waits any more */
	/* categories seen, by string id modulo: most files have a dozen */
	struct {
		str_id id;
		struct category is;
	} categories[64];
	struct side_track async_tracks[SIDE_TRACKS];
	struct counter_series series[SIDE_TRACKS];
	struct memory_of memory;
	struct named_copy copies[16]; /* the same for names of copies */
	struct kernel_info kernel;    /* of the kernel in work: it never waits for names */
	bool saw_kineto, saw_tf, saw_amd, saw_cuda, saw_rocprof, nsys;
	bool saw_paddle;         /* the header is of PaddlePaddle: names end with their duration, "relu[0.012 ms]" */
	int64_t rocprof_zero_ns; /* of saw_rocprof: where its ts count from */
	const char *accelerator; /* who made the devices, where a category tells; NULL: none does */
	char unknown_categories[256]; /* of device streams: a list */
	struct device_properties *devices;
	size_t n_devices;
	uint64_t entries_before; /* what other files gave */
	uint64_t sound;          /* entries that were understood */
	_Atomic bool many_names; /* set by the consumer: nearly every name is another one */
	uint64_t batches;
	bool handed_over;        /* another thread fills the batches than takes them */
	struct hashed_name name; /* of the entry in work */
};

/* take.c: puts all items of a struct batch into the trace and clears it; ctx: the struct chrome. */
void batch_take(void *ctx, void *batch);

/* event.c */
void event_record(struct chrome *c, const struct record *r); /* counts the entry's fate, not the entry */
void event_finish(struct chrome *c);                         /* places what waits */
struct category event_category(struct chrome *c, const struct record *r, str_id *id);
/* Does the record have what has to stand beside its category? */
bool event_proven(const struct record *r, enum evidence proof, const struct identity *x);
/* What its category makes of a slice; x: whose it is, for what has to stand on a device. */
enum category_class event_class(const struct record *r, struct category cat, const struct identity *x);
str_id event_name(struct chrome *c, const struct value *v);
/* The record's arguments name a communicator, as NCCL's profiler plugin does. */
bool event_args_have_communicator(const struct record *r);
/* A slice, an async point whose times, identity, category, attributes and name are known goes to its track; the slice may have
 * to wait for names. Of r: its args, which are none where what they say decides nothing. */
void event_show(struct chrome *c, const struct record *r, struct pending *q);
void event_show_async(struct chrome *c, struct pending *q, const struct value *id);
void event_emit(struct chrome *c, const struct pending *q); /* to the track that was found for it */
/* A flow point binds to the track its thread's events are on; to_device: that of the stream. False: not yet known. */
bool event_place_flow(struct chrome *c, uint32_t ident, bool to_device, uint32_t *track);
static inline bool phase_is_flow(char ph)
{
	return ph == 's' || ph == 't' || ph == 'f';
}
static inline bool phase_is_instant(char ph)
{
	return ph == 'i' || ph == 'I' || ph == 'R';
}

/* metadata.c: an entry of phase M, of the thread or process `ident`; counts its fate. */
void metadata_take(struct chrome *c, const struct record *r, uint32_t ident);

/* place.c: finds track and kind. False: the names of its process or thread may still come. */
bool place(struct chrome *c, const struct record *r, struct pending *q);
bool place_by_name(struct chrome *c, struct pending *q); /* for what waited: no category told */

/* ---- rocprof.c ---- */

/* Start, length and correlation of a record of rocprof; false: it is none, and e is to be filled as usual. */
bool rocprof_times(struct chrome *c, const struct record *r, struct event_in *e);
/* Kind and track by the section that its process is. */
void rocprof_place(struct chrome *c, struct pending *q, const struct process_name *process);

/* ---- ascend.c ---- */

#define ASCEND "Huawei Ascend"

/* By its process, or because its time is a text. */
bool ascend_is(const struct chrome *c, const struct record *r, uint32_t ident);
/* What its args tell that the names of process and thread decide upon, for a slice of no category that we know. */
void ascend_facts(struct chrome *c, const struct record *r, struct pending *q);
/* Kind and track by the layer that its process is. False: another program's process of that name. */
bool ascend_place(struct chrome *c, struct pending *q, enum process_role role);

/* The record's arguments are those of clang's totals. */
bool place_args_have_averages(const struct record *r);
/* A record of PyTorch's allocators, by its name: before 2022 it had no category. */
bool place_is_allocation(const struct chrome *c, const struct pending *q);

/* The kind of a host event that its category alone tells; 0: it does not. */
uint8_t place_host_kind(enum category_class class);

/* detail.c: fills e->detail, e->corr, e->group from the record; `class` may be CLASS_NONE. */
void detail_take(struct chrome *c, const struct record *r, struct pending *q);
/* A copy known by its name alone. */
uint32_t detail_copy_by_name(struct chrome *c, str_id name);

/* header.c: a member of the top-level object; true when `key` is one whose value must be read as a whole. */
bool header_wants(const char *key, size_t n);
void header_member(struct chrome *c, const char *key, size_t n, const struct value *v);
void header_finish(struct chrome *c); /* devices, producer */
#endif
