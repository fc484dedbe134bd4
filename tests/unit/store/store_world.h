/* tests/unit/store/store_world.h - a host, a process, a thread, a GPU and a stream, to be filled event by event and sealed:
 * world_new() -> add(), point() -> seal(). */
#ifndef STORE_WORLD_H
#define STORE_WORLD_H
#include "model/store/ingest/ingest.h"
#include "model/store/trace/trace.h"
#include "tests/unit/unit.h"
#include <stdlib.h>
#include <string.h>

struct world {
	struct ingest *in;
	uint32_t host, process, device, thread, stream;
};

static inline struct world world_new(void)
{
	struct world w = {.in = ingest_new()};
	ingest_source(w.in, "made-up", "test");
	w.host = ingest_host(w.in, "demo", -1);
	w.process = ingest_process(w.in, w.host, 100);
	w.device = ingest_device(w.in, w.host, 0);
	w.thread = ingest_track(w.in, TRACK_THREAD, w.process, 1, 0);
	w.stream = ingest_track(w.in, TRACK_STREAM, w.device, 7, 0);
	return w;
}

static inline struct event_in event(struct world *w, uint32_t track, enum event_kind kind, const char *name,
				    int64_t start, int64_t dur)
{
	return (struct event_in){.start_ns = start,
				 .dur_ns = dur,
				 .name = strings_addz(ingest_strings(w->in), name),
				 .track = track,
				 .kind = (uint8_t)kind,
				 .group = -1};
}

static inline void add(struct world *w, uint32_t track, enum event_kind kind, const char *name, int64_t start,
		       int64_t dur, uint64_t corr)
{
	struct event_in e = event(w, track, kind, name, start, dur);
	e.corr = corr;
	ingest_notes(w->in)->entries++;
	ingest_event(w->in, &e);
}

static inline void point(struct world *w, char phase, uint64_t id, uint32_t track, const char *name, int64_t ts)
{
	struct event_in e = event(w, track, KIND_ANNOTATION, name, ts, 0);
	ingest_notes(w->in)->entries++;
	if (phase == 'B')
		ingest_begin(w->in, &e);
	else if (phase == 'E')
		ingest_end(w->in, &e);
	else
		ingest_async(w->in, phase, id, &e);
}

static inline struct trace *seal(struct world *w)
{
	struct err e;
	struct trace *t = ingest_seal(w->in, &e);
	assert_non_null(t);
	assert_true(notes_balance(trace_notes(t)));
	return t;
}

#endif
