/* tests/unit/build_trace.h - little traces written as sentences: build_new, who does what when, build_seal.
 * Times are in microseconds (fractions allowed, kept to the ns). The first host, process and thread exist from the start:
 * host "h" (rank unknown), process 1, thread 1. Other ones appear when they are named. */
#ifndef BUILD_TRACE_H
#define BUILD_TRACE_H
#include "importers/importer.h"
#include "model/store/ingest/ingest.h"
#include "model/store/trace/trace.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define US(us) ((int64_t)llround((us)*1e3)) /* microseconds -> ns */
#define MS(ms) ((int64_t)llround((ms)*1e6)) /* milliseconds -> ns */

struct build {
	struct ingest *in;
	uint32_t host; /* the host that following events belong to */
	int64_t pid;   /* the process that following host events belong to */
};

/* What the importer of that name promises. */
static inline void build_promise(struct build *b, const char *format)
{
	unsigned n;
	const struct importer *const *all = importer_list(&n);
	for (unsigned i = 0; i < n; i++)
		if (strcmp(all[i]->name, format) == 0)
			ingest_promise(b->in, all[i]->traits, all[i]->producer);
}
static inline struct build build_new(const char *format)
{
	struct build b = {.in = ingest_new(), .pid = 1};
	ingest_source(b.in, "made.trace", format);
	build_promise(&b, format);
	b.host = ingest_host(b.in, "h", -1);
	return b;
}
static inline void build_host(struct build *b, const char *name, int32_t rank)
{
	b->host = ingest_host(b->in, name, rank);
}
static inline void build_pid(struct build *b, int64_t pid)
{
	b->pid = pid;
}
static inline str_id build_text(struct build *b, const char *z)
{
	return strings_addz(ingest_strings(b->in), z);
}
static inline uint32_t build_thread(struct build *b, int64_t tid)
{
	return ingest_track(b->in, TRACK_THREAD, ingest_process(b->in, b->host, b->pid), tid, 0);
}
static inline uint32_t build_stream(struct build *b, int64_t device, int64_t stream)
{
	return ingest_track(b->in, TRACK_STREAM, ingest_device(b->in, b->host, device), stream, 0);
}
static inline struct event_in build_event(struct build *b, enum event_kind kind, uint32_t track, const char *name,
					  double start_us, double dur_us)
{
	return (struct event_in){.start_ns = US(start_us),
				 .dur_ns = US(start_us + dur_us) - US(start_us),
				 .name = build_text(b, name),
				 .track = track,
				 .kind = (uint8_t)kind,
				 .group = -1,
				 .at = -1};
}
static inline void build_add(struct build *b, const struct event_in *e)
{
	ingest_notes(b->in)->entries++;
	ingest_event(b->in, e);
}

/* ---- what runs on a device ---------------------------------------------------------------------------------------- */
static inline void kernel(struct build *b, int64_t device, int64_t stream, const char *name, double start_us,
			  double dur_us, uint64_t corr)
{
	struct event_in e = build_event(b, KIND_KERNEL, build_stream(b, device, stream), name, start_us, dur_us);
	e.corr = corr;
	build_add(b, &e);
}
static inline void copy(struct build *b, int64_t device, int64_t stream, enum copy_kind kind, int64_t bytes,
			double start_us, double dur_us, uint64_t corr)
{
	static const char *const names[COPY_KINDS] = {"MemcpyH2D", "MemcpyD2H",   "MemcpyD2D", "MemcpyP2P",
						      "MemcpyH2H", "MemcpyOther", "Memset"};
	struct event_in e = build_event(b, KIND_COPY, build_stream(b, device, stream), names[kind], start_us, dur_us);
	struct copy_info c;
	copy_info_init(&c);
	c.kind = (uint8_t)kind;
	c.bytes = bytes;
	e.detail = ingest_copy(b->in, &c);
	e.corr = corr;
	build_add(b, &e);
}
static inline void device_event(struct build *b, enum event_kind kind, int64_t device, int64_t stream, const char *name,
				double start_us, double dur_us)
{
	struct event_in e = build_event(b, kind, build_stream(b, device, stream), name, start_us, dur_us);
	build_add(b, &e);
}

/* ---- what runs on the host ---------------------------------------------------------------------------------------- */
static inline void host_event(struct build *b, enum event_kind kind, int64_t tid, const char *name, double start_us,
			      double dur_us)
{
	struct event_in e = build_event(b, kind, build_thread(b, tid), name, start_us, dur_us);
	build_add(b, &e);
}
static inline void op(struct build *b, int64_t tid, const char *name, double start_us, double dur_us)
{
	host_event(b, KIND_OP, tid, name, start_us, dur_us);
}
static inline void launch(struct build *b, int64_t tid, double start_us, double dur_us, uint64_t corr)
{
	struct event_in e = build_event(b, KIND_RUNTIME, build_thread(b, tid), "cudaLaunchKernel", start_us, dur_us);
	e.corr = corr;
	build_add(b, &e);
}
/* A host event with facts for the grouping rules: fill `h` after host_info_init. */
static inline void fact_event(struct build *b, int64_t tid, const char *name, double start_us, double dur_us,
			      const struct host_info *h)
{
	struct event_in e = build_event(b, KIND_ANNOTATION, build_thread(b, tid), name, start_us, dur_us);
	e.detail = ingest_host_detail(b->in, h);
	build_add(b, &e);
}
/* The producers' step markers: PyTorch's ProfilerStep#N, TensorFlow's Trace("train", step_num=N, _r=1). */
static inline void profiler_step(struct build *b, int64_t tid, int number, double start_us, double dur_us)
{
	char name[32];
	snprintf(name, sizeof name, "ProfilerStep#%d", number);
	host_event(b, KIND_ANNOTATION, tid, name, start_us, dur_us);
}
static inline void tf_step(struct build *b, int64_t tid, const char *name, int64_t number, double start_us,
			   double dur_us)
{
	struct host_info h;
	host_info_init(&h);
	h.step_num = number;
	h.root_level = 1;
	fact_event(b, tid, name, start_us, dur_us, &h);
}

/* ---- the trace ------------------------------------------------------------------------------------------------------ */
static inline struct trace *build_seal(struct build *b)
{
	struct err e = {0};
	struct trace *t = ingest_seal(b->in, &e);
	b->in = NULL;
	return t;
}
/* Row of the first event of that name in start order; NONE_ID when there is none. */
static inline row_id row_named(const struct trace *t, const char *name)
{
	const struct columns *c = trace_columns(t);
	row_id found = NONE_ID;
	for (row_id r = 0; r < c->n; r++)
		if (!strcmp(trace_str(t, c->name[r]), name) &&
		    (found == NONE_ID || c->start_ns[r] < c->start_ns[found]))
			found = r;
	return found;
}
#endif
