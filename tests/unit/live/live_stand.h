/* tests/unit/live/live_stand.h - a made-up target (fake_target.h) that is read by hand, without threads: stand_up() -> small_world() or other
 * records -> trace_of() -> stand_down(). */
#ifndef LIVE_STAND_H
#define LIVE_STAND_H
#include "live/decode.h"
#include "live/intake.h"
#include "model/store/trace/trace.h"
#include "tests/unit/fake_target.h"
#include "tests/unit/unit.h"

#define T0 1700000000000000000ll

struct stand {
	struct fake fake;
	struct target target;
	struct names names;
	struct kept kept;
	pthread_mutex_t lock;
};

static inline void stand_up(struct stand *s, uint64_t keep_bytes, int64_t keep_ns)
{
	memset(s, 0, sizeof *s);
	int sock = fake_open(&s->fake, WIRE_RING_MIN_BYTES, true, 4242);
	assert_true(client_take(&s->target.client, sock, NULL));
	assert_true(names_init(&s->names));
	kept_init(&s->kept, keep_bytes, keep_ns);
	pthread_mutex_init(&s->lock, NULL);
}

static inline void stand_down(struct stand *s)
{
	target_free(&s->target);
	names_free(&s->names);
	kept_free(&s->kept);
	fake_close(&s->fake);
	pthread_mutex_destroy(&s->lock);
}

static inline void listen_to(struct stand *s)
{
	client_hear(&s->target.client);
	while (target_take(&s->target, 0, &s->names, &s->kept, 1 << 20))
		;
	target_settle(&s->target);
}

static inline struct trace *trace_of(struct stand *s)
{
	struct err e = {.at = -1};
	listen_to(s);
	struct snapshot snap = {.targets = &s->target.facts,
				.n_targets = 1,
				.shapes = (struct wire_shape *)(void *)s->names.shapes.rows,
				.n_shapes = s->names.shapes.n,
				.places = (struct wire_place *)(void *)s->names.places.rows,
				.n_places = s->names.places.n,
				.strings = s->names.strings,
				.lock = &s->lock};
	snap.segments = kept_all(&s->kept, &snap.n_segments);
	snap.evicted = s->kept.evicted;
	struct ingest *in = ingest_new();
	assert_true(decode(&snap, in, NULL, &e));
	segments_free(snap.segments, snap.n_segments);
	struct trace *t = ingest_seal(in, &e);
	assert_non_null(t);
	assert_true(notes_balance(trace_notes(t)));
	return t;
}

static inline uint64_t note(const struct trace *t, enum note_id id)
{
	return trace_notes(t)->at[id].count;
}

/* A launch and its kernel, on thread 77 and stream 7 of GPU 0. */
static inline void small_world(struct fake *f)
{
	fake_say_hello(f);
	fake_string(f, 1, "k_add");
	fake_string(f, 2, "cudaLaunchKernel");
	fake_shape(f, 1, 1);
	fake_place(f, 1, 0, 7);
	fake_call(f, T0, T0 + 5000, 11, 2, 77);
	fake_kernel(f, T0 + 9000, T0 + 19000, 11, 1, 1);
}

#endif
