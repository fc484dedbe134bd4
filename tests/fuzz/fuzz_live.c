/* Any bytes as what a target writes into its ring: read without harm, and whatever comes of it is a sound trace whose ledger
 * balances. The seed holds every kind of frame once. */
#include "live/decode.h"
#include "live/intake.h"
#include "model/store/trace/trace.h"
#include "tests/unit/fake_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct session {
	struct fake fake;
	struct target target;
	struct names names;
	struct kept kept;
	pthread_mutex_t lock;
};

static void read_all(struct session *s)
{
	client_hear(&s->target.client);
	while (target_take(&s->target, 0, &s->names, &s->kept, 4096))
		;
	target_settle(&s->target);
}

static void make_trace(struct session *s)
{
	struct err e = {.at = -1};
	struct snapshot snap = {.targets = &s->target.facts,
				.n_targets = 1,
				.shapes = (struct wire_shape *)(void *)s->names.shapes.rows,
				.n_shapes = s->names.shapes.n,
				.places = (struct wire_place *)(void *)s->names.places.rows,
				.n_places = s->names.places.n,
				.strings = s->names.strings,
				.lock = &s->lock};
	snap.segments = kept_all(&s->kept, &snap.n_segments);
	struct ingest *in = ingest_new();
	if (!in || !decode(&snap, in, NULL, &e))
		abort();
	segments_free(snap.segments, snap.n_segments);
	struct trace *t = ingest_seal(in, &e);
	if (!t ? !*e.msg : !notes_balance(trace_notes(t)))
		abort();
	trace_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session s;
	memset(&s, 0, sizeof s);
	size = size > WIRE_RING_MIN_BYTES ? WIRE_RING_MIN_BYTES : size & ~(size_t)7;
	int sock = fake_open(&s.fake, WIRE_RING_MIN_BYTES, true, 1);
	if (!client_take(&s.target.client, sock, NULL) || !names_init(&s.names))
		abort();
	kept_init(&s.kept, 1 << 20, 0);
	pthread_mutex_init(&s.lock, NULL);
	memcpy(fake_data(&s.fake), data, size);
	atomic_store(&s.fake.ring->head, size);
	fake_say_hello(&s.fake);
	read_all(&s);
	make_trace(&s);
	target_free(&s.target);
	names_free(&s.names);
	kept_free(&s.kept);
	pthread_mutex_destroy(&s.lock);
	fake_close(&s.fake);
	return 0;
}
