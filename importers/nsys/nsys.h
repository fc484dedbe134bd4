/* importers/nsys/nsys.h - what the files that read an Nsight Systems export share: whose a row is, and its texts.
 * Places:  a process that had the GPU work is a host of its own (correlation ids count within a process, and each is a rank
 *          where a job has one process for each GPU); all others lie on the one host of the file.
 * Order:   rows of devices come first, then nsys_settle_hosts, then rows of host threads. */
#ifndef STEPSCOPE_NSYS_H
#define STEPSCOPE_NSYS_H
#include "importers/database/walk.h"
#include "model/store/base/idmap.h"
#include "model/store/ingest/ingest.h"

/* Texts and attribute keys that the importer itself writes; those of lanes as live capture names them. */
/* clang-format off */
#define NSYS_WORDS(_)                                                                                                  \
	_(DOMAIN, "domain") _(CATEGORY, "category") _(PAYLOAD, "payload") _(SEQUENCE, "Sequence number")               \
	_(OP_ID, "op_id") _(INPUT_DIMS, "Input Dims") _(INPUT_OPS, "input_op_ids") _(RESULT, "result")                 \
	_(GRAPH_ID, "graph id") _(GRAPH_NODE, "graph node id") _(ORIGINAL_NODE, "original graph node id") _(LOCAL_BYTES, "local memory per thread")               \
	_(CONTEXT, "context") _(STREAM, "stream") _(EVENT, "event") _(COPIES, "copies in one batch")                   \
	_(VALUE, "value") _(ADDRESS, "address") _(FAULTS, "page faults") _(BYTES, "bytes") _(MEMORY_KIND, "memory kind")                        \
	_(NVTX_LANE, "nvtx") _(SYNC_LANE, "waits") _(MEMORY_LANE, "memory") _(EVENT_LANE, "CUDA events")               \
	_(DIAGNOSTIC_LANE, "diagnostics") _(RUNNING_LANE, "on a CPU") _(SAMPLE_LANE, "CPU samples")                    \
	_(FAULT_LANE, "page faults") _(CUDA, "cuda") _(CUDA_HOST, "cuda host")                                         \
	_(COMMUNICATOR, "NCCL communicator ID") _(MESSAGE, "Message size [bytes]") _(PEER, "Peer rank")                \
	_(RANKS, "No. of ranks")
/* clang-format on */
enum nsys_word {
#define NSYS_WORD_ENUM(id, text) WORD_##id,
	NSYS_WORDS(NSYS_WORD_ENUM)
#undef NSYS_WORD_ENUM
		WORD_COUNT
};

struct nsys_process {
	int64_t global; /* its globalPid */
	uint32_t host, process;
	bool has_host, on_device, several_devices;
	int64_t device; /* the first one it worked on */
};
struct nsys_place {
	uint32_t process; /* index of nsys.processes */
	int64_t device, context, stream;
	uint32_t device_id, track;
};
/* Of a payload's schema, linked in the order of its fields. */
struct nsys_field {
	str_id name;
	int64_t type;
	uint32_t offset, next; /* bytes; index of nsys.fields, NONE_ID */
};
struct nsys_gpu {
	int64_t id;
	str_id name;
	int64_t memory_bytes, bytes_per_s, clock_khz, sms, cc_major, cc_minor;
};

struct nsys {
	struct ingest *in;
	struct notes *notes;
	struct strings *strings;
	struct attrs *attrs;
	struct progress *progress;
	struct database *db;
	struct lookup *string_ids;
	struct idmap texts; /* id of StringIds -> str_id */
	str_id words[WORD_COUNT];
	char stem[256]; /* of the file's name */
	int32_t rank;   /* as that name tells, -1 */

	struct nsys_process *processes;
	uint32_t n_processes, cap_processes;
	struct idmap process_of; /* globalPid -> index */
	struct nsys_place *places;
	uint32_t n_places, cap_places;
	struct idmap place_of;   /* hash of what a place is -> index */
	struct idmap context_of; /* hash of device and stream -> the context that has the plain name, + 1 */
	struct nsys_gpu *gpus;
	uint32_t n_gpus, cap_gpus;
	struct idmap gpu_of;     /* hash of pid and CUDA's number -> id of the GPU */
	struct idmap thread_of;  /* globalTid -> track */
	struct idmap names;      /* globalTid of a thread, globalPid of a process -> str_id */
	struct idmap domains;    /* NVTX: domain -> str_id of its name */
	struct idmap categories; /* hash of domain and category -> str_id */
	struct idmap metrics;    /* hash of type and metric -> str_id */
	struct idmap copies;     /* name of a copy */
	struct nsys_field *fields;
	uint32_t n_fields, cap_fields;
	struct idmap schemas;      /* hash of domain and schema -> first of its fields */
	struct idmap enum_values;  /* hash of schema and value -> str_id */
	struct idmap group_sizes;  /* communicator of NCCL -> ranks */
	int64_t base_ns, epoch_ns; /* of the session, UNKNOWN_I64 */
	int64_t gpu_processes;
};

/* ---- places.c --------------------------------------------------------------------------------------------------------- */

static inline int64_t nsys_pid(int64_t global)
{
	return global >> 24 & 0xffffff;
}
/* Text number `id` of StringIds, "" = 0 = none. */
str_id nsys_text(struct nsys *n, int64_t id);
/* A column that holds a text, or the number of one. */
str_id nsys_text_at(struct nsys *n, const struct rows *r, int column);
/* The process of a globalPid or globalTid, made when new: an index of n->processes. */
uint32_t nsys_process(struct nsys *n, int64_t global);
uint32_t nsys_process_id(struct nsys *n, uint32_t process); /* of the ingest */
/* The stream of a row of device work: its index in n->places. */
uint32_t nsys_place(struct nsys *n, int64_t global, int64_t device, int64_t context, int64_t stream);
/* A lane of the device or, where the row tells none, of the process. */
uint32_t nsys_device_lane(struct nsys *n, int64_t global, int64_t device, int64_t stream, enum nsys_word lane);
uint32_t nsys_process_lane(struct nsys *n, int64_t global, enum track_kind kind, enum nsys_word lane);
uint32_t nsys_thread(struct nsys *n, int64_t global_tid);
void nsys_settle_hosts(struct nsys *n);
void nsys_places_free(struct nsys *n);

/* ---- events ----------------------------------------------------------------------------------------------------------- */

/* Start and length of a row; false, and noted, when there is no start. No end: length 0. */
bool nsys_times(struct nsys *n, const struct rows *r, int start, int end, struct event_in *e);
static inline uint64_t nsys_corr(const struct rows *r, int column)
{
	int64_t v = rows_int_or(r, column, 0);
	return v > 0 ? (uint64_t)v : 0;
}
/* Puts the column's number into the record being written, unless it is 0, unknown, or all ones of 32 bits: none. */
void nsys_put_int(struct nsys *n, const struct rows *r, int column, enum nsys_word key);

/* Tables of the export; their reader is a struct nsys. */
extern const struct row_table nsys_first_tables[];  /* who is who; up to a row without a name */
extern const struct row_table nsys_device_tables[]; /* device.c */
extern const struct row_table nsys_host_tables[];   /* host.c */
extern const struct row_table nsys_nvtx_tables[];   /* nvtx.c: names of domains and categories, then the events */
extern const struct row_table nsys_system_tables[]; /* system.c */

/* payload.c: the schemas of binary payloads, to be read before the events of NVTX. */
extern const struct row_table nsys_payload_tables[];
/* The field of that name as its bits, with no sign; false: this payload has none, or is not sound. */
bool nsys_payload_number(const struct nsys *n, struct span blob, enum nsys_word field, uint64_t *out);
/* Puts every number into the record being written; false: the payload's schema is not known. */
bool nsys_payload_put(struct nsys *n, struct span blob);
#endif
