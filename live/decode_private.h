/* live/decode_private.h - what the files of decode share. */
#ifndef STEPSCOPE_LIVE_DECODE_PRIVATE_H
#define STEPSCOPE_LIVE_DECODE_PRIVATE_H
#include "decode.h"
#include "model/store/base/idmap.h"

/* Texts and attribute keys that decode itself writes. */
/* clang-format off */
#define DECODE_WORDS(_)                                                                                              \
	_(GRAPH_ID, "graph id")                _(GRAPH_NODE, "graph node id")      _(CONTEXT, "context")              \
	_(CLUSTER, "cluster")                  _(LOCAL_BYTES, "local memory per thread") _(QUEUED, "queued")          \
	_(SUBMITTED, "submitted")              _(UNFINISHED, "still ran when recording stopped")                      \
	_(RESULT, "result")                    _(DOMAIN, "domain")                 _(VALUE, "value")                  \
	_(BYTES, "bytes")                      _(ADDRESS, "address")               _(MEMORY_KIND, "memory kind")      \
	_(FROM_DEVICE, "from device")          _(TO_DEVICE, "to device")           _(COPIES, "copies in one batch")   \
	_(LOST_LANE, "lost records")           _(SYNC_LANE, "waits")               _(OVERHEAD_LANE, "overhead")       \
	_(MEMORY_LANE, "memory")               _(JIT_LANE, "compilation")          _(EVENT_LANE, "CUDA events")       \
	_(NVTX_LANE, "nvtx")                   _(CAPTURE_LANE, "capture")          _(EVENT, "event")                  \
	_(STREAM, "stream")                    _(PRIORITY, "priority")             _(EXECUTED_SMEM, "shared memory executed")
/* clang-format on */
enum decode_word {
#define WORD_ENUM(id, text) WORD_##id,
	DECODE_WORDS(WORD_ENUM)
#undef WORD_ENUM
		WORD_COUNT
};

/* Where a place of the dictionary is in the ingest, for one target; NONE_ID = not asked for yet. */
struct place_row {
	uint32_t device, stream;
};
/* An NVTX range that has begun. */
struct open_range {
	uint32_t id, name, domain, tid;
	int64_t at_ns;
};
struct decoding {
	const struct snapshot *s;
	struct ingest *in;
	struct progress *progress;
	struct strings *to;
	str_id words[WORD_COUNT];
	str_id *texts; /* [our number] = id in the ingest, 0 = not yet */
	uint32_t n_texts;
	uint32_t *kernels; /* [shape] = kernel row, 0 = not yet */
	uint32_t target;   /* whose records are read now */
	/* of that target */
	uint32_t host, process;
	struct place_row *places; /* [place] */
	struct {
		uint32_t tid, track;
	} threads[64];             /* tracks found last, by tid */
	struct open_range *ranges; /* those that have begun and not ended */
	uint32_t n_ranges, cap_ranges;
	struct idmap range_of_id;
	uint64_t ends_alone;
	int64_t last_ns;
	bool stopped;
};

str_id decode_text(struct decoding *d, uint32_t ours);
uint32_t decode_thread(struct decoding *d, uint32_t tid);   /* track */
uint32_t decode_stream(struct decoding *d, uint32_t place); /* track */
uint32_t decode_lane(struct decoding *d, uint32_t place,
		     enum decode_word lane);                      /* of the place's device, else process */
int32_t decode_ordinal(const struct decoding *d, uint32_t place); /* of its device, -1 = none */
uint32_t decode_process_lane(struct decoding *d, enum decode_word lane);
void decode_count(struct decoding *d, const struct event_in *e); /* an event that stands for one record */

/* One record; decode_records.c. */
void decode_record(struct decoding *d, const struct wire_frame *f);
/* NVTX; decode_ranges.c. */
void decode_marker(struct decoding *d, const struct wire_marker *m);
void decode_open_ranges(struct decoding *d); /* those that have not ended yet; and forgets them */
#endif
