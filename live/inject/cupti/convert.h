/* live/inject/cupti/convert.h - buffers of CUPTI's records become frames.
 * The only file pair that knows both sides; it calls nothing of CUPTI but the record iterator and the names of calls,
 * so recorded buffers replay through it without a driver. */
#ifndef STEPSCOPE_INJECT_CONVERT_H
#define STEPSCOPE_INJECT_CONVERT_H
#include "calls.h"
#include "live/inject/base/output.h"

struct convert_call {
	uint32_t id, generation; /* string id of the name, while output's generation is this one */
	bool known, wanted;
	uint8_t n;
	char name[61];
};
struct convert {
	const struct cupti *cupti;
	struct output *out;
	int64_t behind_ns;                 /* CLOCK_REALTIME minus CUPTI's clock */
	uint64_t stopped_ns;               /* not 0: what still ran then has no end */
	uint64_t device_records;           /* kernels, copies, memsets decoded since the start */
	uint64_t zero_stamps;              /* device records in a row without times: CUPTI's buffers ran out */
	uint32_t last_tid, tid_generation; /* a thread that is known already */
	struct convert_call calls[2][CALLS_MAX_CBID];
};

/* A time of a record on CLOCK_REALTIME; 0 = it has none. */
static inline uint64_t convert_time(const struct convert *c, uint64_t ns)
{
	return ns ? ns + (uint64_t)c->behind_ns : 0;
}

/* Decodes one buffer into the ring; nothing happens while there is none. The caller holds the output's lock. */
void convert_buffer(struct convert *c, uint8_t *buffer, size_t valid_bytes);

/* One record; exposed for convert.c's own parts. */
void convert_kernel(struct convert *c, const void *r);
void convert_memcpy(struct convert *c, const void *r);
void convert_peer(struct convert *c, const void *r);
void convert_memset(struct convert *c, const void *r);
void convert_graph(struct convert *c, const void *r);
void convert_event(struct convert *c, const void *r);
void convert_memory(struct convert *c, const void *r);
void convert_api(struct convert *c, const void *r, int domain);
void convert_sync(struct convert *c, const void *r);
void convert_overhead(struct convert *c, const void *r);
void convert_marker(struct convert *c, const void *r);
void convert_external(struct convert *c, const void *r);
void convert_jit(struct convert *c, const void *r);
void convert_device(struct convert *c, const void *r);
void convert_stream(struct convert *c, const void *r);
void convert_name(struct convert *c, const void *r);

/* Counts a record that arrived; false: its times are impossible, which is counted, too, and the end of it. */
bool convert_begin(struct convert *c, enum wire_kind kind, uint64_t from_ns, uint64_t to_ns);
/* The end of every other one: sent when all that it names could be defined, else dropped. */
void convert_end(struct convert *c, enum wire_kind kind, struct wire_frame *f, uint64_t from_ns, uint64_t to_ns,
		 bool defined);

/* Text at an address of this process -> string id. False: there is a text but no room to define it. */
bool convert_text(struct convert *c, uint64_t address, uint32_t *id);
/* Place id of (device, context, stream); false: no room. */
bool convert_place(struct convert *c, uint32_t device, uint32_t context, uint32_t stream, uint32_t channel,
		   uint32_t channel_type, uint32_t *id);
#endif
