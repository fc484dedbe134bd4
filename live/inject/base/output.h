/* live/inject/base/output.h - what goes into the ring: the dictionary, records with their counters, gaps, and the session's
 * own frames. Promises of ../wire.h kept here: an id is defined before its first use in each ring; seen = sent + dropped +
 * bad_time; one gap for each run of drops.
 * Life:    output_init, then output_open for each viewer and output_close after it; the dictionary outlives rings.
 * Threads: decoder and control both write: the caller of any function here holds the lock. No call of CUPTI that may wait
 *          is made under it. */
#ifndef STEPSCOPE_INJECT_OUTPUT_H
#define STEPSCOPE_INJECT_OUTPUT_H
#include "dict.h"
#include "ring.h"
#include <pthread.h>

enum { OUTPUT_FACT_BYTES = 96 };
struct output_fact { /* a DEVICE, STREAM or THREAD frame, to be told to each viewer */
	uint32_t sent;
	_Alignas(8) char frame[OUTPUT_FACT_BYTES];
};
struct output {
	pthread_mutex_t lock;
	struct ring ring;
	uint32_t epoch; /* counts rings */
	uint32_t
		generation; /* changes whenever ids told before may be unknown to the viewer: caches of ids end there */
	uint32_t session;
	struct dict strings, shapes, places, facts;
	struct output_fact *fact; /* by id in facts */
	uint32_t cap_facts;
	uint64_t gap[WIRE_KIND_COUNT]; /* dropped since the last gap frame */
	uint64_t gap_first_ns, gap_last_ns;
	bool in_gap;
	uint64_t sane_first_ns, sane_last_ns; /* times outside are impossible */
	uint64_t clock_realtime_ns, clock_boottime_ns;
	struct wire_place last_place; /* of generation place_generation */
	uint32_t place_generation;
	struct { /* pointer -> string, since CUPTI gives the same pointers again and again */
		uint64_t pointer;
		uint32_t id;
	} pointers[4096];
};

bool output_init(struct output *o);
bool output_open(struct output *o, uint64_t ring_bytes); /* a fresh ring; false with errno */
void output_close(struct output *o);
bool output_is_open(const struct output *o);

/* Dictionary: ids that are defined in the ring when these return; 0: no room or no memory (or an empty string). */
uint32_t output_string(struct output *o, const char *text, size_t n);
uint32_t output_pointer(struct output *o, uint64_t text); /* a C string at that address of this process; 0 = NULL */
uint32_t output_shape(struct output *o, struct wire_shape *s); /* name is a string id; fills in id */
uint32_t output_place(struct output *o, struct wire_place *p);

/* Remembers a fact frame (type, bytes set) under (type, a, b) and tells it if it is new or changed. */
void output_fact(struct output *o, struct wire_frame *f, uint32_t a, uint32_t b);
/* What is remembered under (type, a, b), NULL = nothing; valid until the next fact. */
const struct wire_frame *output_get_fact(const struct output *o, uint16_t type, uint32_t a, uint32_t b);
void output_retell(struct output *o); /* everything remembered, to a ring that was not told yet */

/* Records. output_seen counts one that arrived; then exactly one of the three follows. */
void output_seen(struct output *o, enum wire_kind kind);
void output_bad_time(struct output *o, enum wire_kind kind);
void output_record(struct output *o, enum wire_kind kind, struct wire_frame *f, uint64_t from_ns, uint64_t to_ns);
void output_drop(struct output *o, enum wire_kind kind, uint64_t from_ns, uint64_t to_ns);
bool output_is_sane(const struct output *o, uint64_t from_ns, uint64_t to_ns);

/* The session's own frames. A pending gap is told before a session's frame, and by output_settle once there is room. */
void output_settle(struct output *o);
void output_session(struct output *o, uint32_t kinds);
void output_clock(struct output *o);
void output_lost(struct output *o, uint64_t count);
void output_end(struct output *o);
#endif
