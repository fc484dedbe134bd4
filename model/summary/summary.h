/* model/summary/summary.h - what the tables of several ranks need of a run, a few kB per rank and step, made where the trace lies.
 * Parts:   recordings (one row per device of a rank), steps, calls (collectives). Rows are facts of one recording alone; what
 *          needs others (matches, waits, clocks) is worked out when a summary is read.
 * Merging: the union of rows by their keys, so any order and any grouping gives the same, and what is there twice counts once.
 * Times:   ns of the recording's clock, absolute. Unknown: null.
 * Files:   SQLite (user_version SUMMARY_VERSION), and JSON lines of the same rows; both are read. Schema: README.md.
 * Memory:  everything lives in the arena given. Threads: none of its own. */
#ifndef STEPSCOPE_SUMMARY_H
#define STEPSCOPE_SUMMARY_H
#include "model/analysis/derived/derived.h"
#include "model/table.h"
#include <stdio.h>

enum { SUMMARY_VERSION = 2 }; /* 1 is read as well: what it lacks is unknown */

/* clang-format off */
/*    id            name             kind  meaning; SIZE: time, bytes or a count, below 2^46 in a file, so that no sum overflows; AT: a moment */
#define SUMMARY_RECORDING_COLUMNS(_) \
	_(REC_ID,       "recording",     TEXT, "names the recording of one device: equal for the same recording") \
	_(REC_HOST,     "host",          TEXT, "host, as in the trace") \
	_(REC_RANK,     "rank",          INT,  "rank of the host in the distributed job") \
	_(REC_DEVICE,   "device",        INT,  "number of the device on its host") \
	_(REC_NAME,     "device_name",   TEXT, "what the device is") \
	_(REC_START,    "start_ns",      AT,  "first work of the device") \
	_(REC_END,      "end_ns",        AT,  "end of its last work") \
	_(REC_BUSY,     "busy_ns",       SIZE,  "time in which it works")
#define SUMMARY_STEP_COLUMNS(_) \
	_(STEP_REC,     "recording",     TEXT, "whose step it is") \
	_(STEP_START,   "start_ns",      AT,  "start of the step time") \
	_(STEP_LABEL,   "step",          TEXT, "number of the step") \
	_(STEP_DUR,     "dur_ns",        SIZE,  "step time") \
	_(STEP_COUNTED, "counted",       INT,  "1: of its host alone it carries means: steady, where there are steady ones") \
	_(STEP_COMPUTE, "compute_ns",    SIZE,  "time in which kernels that are no collectives run") \
	_(STEP_KERNELS, "kernels",       SIZE,  "kernels that are no collectives") \
	/* from version 2 on */ \
	_(STEP_NAME,    "step_name",     TEXT, "name of its marker, or of what it was inferred from") \
	_(STEP_BEGIN,   "step_begin_ns", AT,   "start of the step on its host: equal on all devices of the host") \
	_(STEP_COMPILES, "compiles",     INT,  "1: its host compiles in it") \
	_(STEP_AHEAD,   "ahead",         INT,  "1: its host hands over work so early that its length tells nothing") \
	_(STEP_CUT,     "cut",           INT,  "1: an exported window holds only a part of it")
#define SUMMARY_CALL_COLUMNS(_) \
	_(CALL_REC,     "recording",     TEXT, "whose part of the call it is") \
	_(CALL_ORDINAL, "ordinal",       INT,  "number of the collective on its device, in order of time") \
	_(CALL_STEP,    "step_start_ns", AT,  "start_ns of its step") \
	_(CALL_NUMBER,  "step_number",   INT,  "step as the producer counts; null where steps are inferred") \
	_(CALL_OP,      "op",            TEXT, "AllReduce, AllGather, ...") \
	_(CALL_KEY,     "communicator",  TEXT, "equal for what may be one communicator") \
	_(CALL_KEYED,   "keyed",         INT,  "1: the process group is recorded") \
	_(CALL_GROUP,   "comm_group",    TEXT, "process group, as recorded") \
	_(CALL_SEQ,     "seq",           INT,  "number of the call in its group, as recorded") \
	_(CALL_FROM,    "from_rank",     INT,  "who sends, of what two ranks do between them") \
	_(CALL_TO,      "to_rank",       INT,  "who receives") \
	_(CALL_START,   "start_ns",      AT,  "start on this device") \
	_(CALL_DUR,     "dur_ns",        SIZE,  "duration on this device") \
	_(CALL_BYTES,   "message_bytes", SIZE,  "bytes of the message") \
	_(CALL_EXPOSED, "exposed_ns",    SIZE,  "of it, time in which the device runs no kernel that computes") \
	/* from version 2 on */ \
	_(CALL_EXPOSED_AT, "exposed_at", TEXT, "that time as stretches, each as ns since the one before, or the start, and length: 0+1200,3800+300; null: too many to tell") \
	_(CALL_ON_COMPUTE, "on_compute_stream", INT, "1: its stream computes as well") \
	_(CALL_WITHOUT, "without_compute_ns", INT, "how long the device had had no compute when the call was launched; below 0: it still had some") \
	_(CALL_SIZE,    "group_size",    INT,  "ranks of its process group, as recorded") \
	_(CALL_ALGORITHM, "algorithm",   TEXT, "ring, tree, ..., where its kernel's name tells") \
	_(CALL_PROTOCOL, "protocol",     TEXT, "LL, LL128, simple, likewise") \
	_(CALL_DTYPE,   "dtype",         TEXT, "type of its elements, as recorded or named") \
	_(CALL_PURPOSE, "purpose",       TEXT, "what it is for: DDP bucket, FSDP gather, ...") \
	_(CALL_BESIDE,  "beside_call",   TEXT, "what went on (README.md) while the call before it in its step ran, from its start on; of the first: in the step before the last call of earlier steps had ended") \
	_(CALL_SINCE,   "since_call",    TEXT, "likewise from then, or from the start of the step, to its own start") \
	_(CALL_BEFORE,  "before_step",   TEXT, "likewise from the last call of earlier steps to the start of the step; null: it is not the first of its step")
/* part, name, how many columns make its key (the first ones), how many version 1 has (the first ones) */
#define SUMMARY_PARTS(_) \
	_(RECORDING, "recordings", recording_columns, 1, REC_BUSY + 1) \
	_(STEP, "steps", step_columns, 2, STEP_KERNELS + 1) \
	_(CALL, "calls", call_columns, 2, CALL_EXPOSED + 1)
/* clang-format on */
#define SUMMARY_COLUMN_ID(id, ...) id,
enum { SUMMARY_RECORDING_COLUMNS(SUMMARY_COLUMN_ID) REC_COLUMNS };
enum { SUMMARY_STEP_COLUMNS(SUMMARY_COLUMN_ID) STEP_COLUMNS };
enum { SUMMARY_CALL_COLUMNS(SUMMARY_COLUMN_ID) CALL_COLUMNS };
enum summary_part {
#define SUMMARY_PART_ID(id, ...) SUMMARY_##id,
	SUMMARY_PARTS(SUMMARY_PART_ID)
#undef SUMMARY_PART_ID
		SUMMARY_PART_COUNT
};
enum { SUMMARY_MOST_COLUMNS = 32 };
struct summary_part_info {
	const char *name;
	const struct column *cols;
	uint32_t n_cols, n_key, n_first; /* n_first: columns of version 1 */
};
/* Name, columns and key of a part. */
const struct summary_part_info *summary_part_info(enum summary_part p);

struct summary {
	struct table *parts[SUMMARY_PART_COUNT];
};
void summary_new(struct summary *s, struct arena *mem); /* without rows */
/* Of the whole trace; false with `e` when it was cancelled. */
bool summary_make(const struct derived *d, struct arena *mem, struct progress *p, struct summary *out, struct err *e);

/* One object per line: first {"schema":"stepscope.summary/2"}, then rows with "part" beside their columns. */
void summary_write_json(const struct summary *s, FILE *out);

/* ---- as SQLite (summary_file.c) ---- */
bool summary_is(const char *path); /* by its first bytes: SQLite, or the line that names the schema, of any version */
struct summary_file;
/* Empty; rows go in, bytes come out. NULL with `e`. */
struct summary_file *summary_file_new(struct err *e);
void summary_file_free(struct summary_file *f);
bool summary_file_add(struct summary_file *f, const struct summary *s, struct err *e);
/* The rows of another one: what is there already stays. The file may be anybody's: it is only read, and checked. */
bool summary_file_merge(struct summary_file *f, const char *path, struct err *e);
bool summary_file_save(struct summary_file *f, const char *path, unsigned output_flags, struct err *e);
/* All rows, in order of their keys. */
bool summary_file_rows(struct summary_file *f, struct arena *mem, struct summary *out, struct err *e);

/* ---- tables of one (summary_tables.c) ---- */
/* Which tables a summary has, and whether it has one. */
#define SUMMARY_TABLES "replicas, collective_steps, collectives, hosts, findings"
bool summary_holds(const char *name);
/* The table of that name; NULL with `e` where a summary does not hold it. */
struct table *summary_table(const struct summary *s, const char *name, struct arena *mem, struct err *e);
/* Its hosts and devices as a trace without events, for who names them as those of traces; paths: its files. */
struct trace *summary_trace(const struct summary *s, const char *const *paths, int n_paths, struct err *e);
/* The same, derived, for who asks what a device is called; NULL with `e`. */
struct derived *summary_devices(const struct summary *s, struct err *e);
#endif
