#include "intake.h"
#include "model/store/base/grow.h"
#include <stdlib.h>
#include <string.h>

enum { FACTS_MAX = 4096, RECORD_MAX_BYTES = 512 };

struct taking {
	struct target *t;
	uint32_t number;
	struct names *names;
	struct kept *kept;
};

/* ---- records ------------------------------------------------------------------------------------------------------- */

/* Where a record of a kind holds times and numbers of the dictionary; 0 = it has none. */
struct layout {
	uint8_t start, end, string, string2, shape, place;
};
#define AT(type, field) offsetof(struct wire_##type, field)
static const struct layout layouts[WIRE_KIND_COUNT] = {
	[WIRE_KERNEL] = {AT(kernel, start_ns), AT(kernel, end_ns), 0, 0, AT(kernel, shape), AT(kernel, place)},
	[WIRE_COPY] = {AT(copy, start_ns), AT(copy, end_ns), 0, 0, 0, AT(copy, place)},
	[WIRE_MEMSET] = {AT(memset, start_ns), AT(memset, end_ns), 0, 0, 0, AT(memset, place)},
	[WIRE_RUNTIME] = {AT(api, start_ns), AT(api, end_ns), AT(api, name), 0, 0, 0},
	[WIRE_DRIVER] = {AT(api, start_ns), AT(api, end_ns), AT(api, name), 0, 0, 0},
	[WIRE_SYNC] = {AT(sync, start_ns), AT(sync, end_ns), 0, 0, 0, 0},
	[WIRE_OVERHEAD] = {AT(overhead, start_ns), AT(overhead, end_ns), 0, 0, 0, 0},
	[WIRE_MARKER] = {AT(marker, at_ns), AT(marker, at_ns), AT(marker, name), AT(marker, domain), 0, 0},
	[WIRE_MEMORY] = {AT(memory, at_ns), AT(memory, at_ns), AT(memory, name), 0, 0, AT(memory, place)},
	[WIRE_GRAPH] = {AT(graph, start_ns), AT(graph, end_ns), 0, 0, 0, AT(graph, place)},
	[WIRE_EXTERNAL] = {0},
	[WIRE_EVENT] = {AT(event, at_ns), AT(event, at_ns), 0, 0, 0, AT(event, place)},
	[WIRE_JIT] = {AT(jit, start_ns), AT(jit, end_ns), 0, 0, 0, 0},
};

static uint64_t time_at(const unsigned char *frame, uint8_t at)
{
	uint64_t v = 0;
	if (at)
		memcpy(&v, frame + at, sizeof v);
	return v;
}

static void renumber(unsigned char *frame, uint8_t at, uint32_t (*look)(const struct names_map *, uint32_t),
		     const struct names_map *m)
{
	uint32_t id;
	if (!at)
		return;
	memcpy(&id, frame + at, sizeof id);
	id = look(m, id);
	memcpy(frame + at, &id, sizeof id);
}

static bool is_sane(const struct wire_frame *f, unsigned kind)
{
	size_t least = wire_record_bytes(kind);
	if (kind == WIRE_KERNEL && f->flags & WIRE_LATENCY)
		least = sizeof(struct wire_kernel);
	return least && f->bytes >= least && f->bytes <= RECORD_MAX_BYTES;
}

static void on_record(struct taking *x, const struct wire_frame *f)
{
	unsigned kind = f->type - WIRE_RECORD;
	_Alignas(8) unsigned char copy[RECORD_MAX_BYTES];
	if (!is_sane(f, kind)) {
		x->t->facts.damaged++;
		return;
	}
	const struct layout *l = &layouts[kind];
	memcpy(copy, f, f->bytes);
	uint64_t start_ns = time_at(copy, l->start), end_ns = time_at(copy, l->end);
	if (start_ns > end_ns || end_ns > INT64_MAX) {
		x->t->facts.damaged++;
		return;
	}
	renumber(copy, l->string, names_string, &x->t->map);
	renumber(copy, l->string2, names_string, &x->t->map);
	renumber(copy, l->shape, names_shape, &x->t->map);
	renumber(copy, l->place, names_place, &x->t->map);
	kept_add(x->kept, x->number, (const struct wire_frame *)(const void *)copy, (int64_t)end_ns);
	x->t->facts.received[kind]++;
	if ((int64_t)end_ns > x->t->facts.last_ns)
		x->t->facts.last_ns = (int64_t)end_ns;
}

/* ---- facts --------------------------------------------------------------------------------------------------------- */

static void put_device(struct taking *x, const struct wire_frame *f)
{
	struct target_facts *t = &x->t->facts;
	struct wire_device d, *at = NULL;
	memcpy(&d, f, sizeof d);
	d.name = names_string(&x->t->map, d.name);
	for (uint32_t i = 0; i < t->n_devices; i++)
		if (t->devices[i].device == d.device)
			at = &t->devices[i];
	if (!at && t->n_devices < FACTS_MAX && TRY_GROW_ARRAY(t->devices, t->n_devices, t->cap_devices))
		at = &t->devices[t->n_devices++];
	if (at)
		*at = d;
}

static void put_stream(struct taking *x, const struct wire_frame *f)
{
	struct target_facts *t = &x->t->facts;
	struct wire_stream s, *at = NULL;
	memcpy(&s, f, sizeof s);
	s.name = names_string(&x->t->map, s.name);
	for (uint32_t i = 0; i < t->n_streams; i++)
		if (t->streams[i].stream == s.stream && t->streams[i].context == s.context)
			at = &t->streams[i];
	if (!at && t->n_streams < FACTS_MAX && TRY_GROW_ARRAY(t->streams, t->n_streams, t->cap_streams))
		at = &t->streams[t->n_streams++];
	if (at)
		*at = s;
}

static void put_thread(struct taking *x, const struct wire_frame *f)
{
	struct target_facts *t = &x->t->facts;
	struct wire_thread h, *at = NULL;
	memcpy(&h, f, sizeof h);
	h.name = names_string(&x->t->map, h.name);
	for (uint32_t i = 0; i < t->n_threads; i++)
		if (t->threads[i].tid == h.tid)
			at = &t->threads[i];
	if (!at && t->n_threads < FACTS_MAX && TRY_GROW_ARRAY(t->threads, t->n_threads, t->cap_threads))
		at = &t->threads[t->n_threads++];
	if (at)
		*at = h;
}

/* ---- what is told about the capture itself ------------------------------------------------------------------------- */

static void on_gap(struct taking *x, const struct wire_frame *f)
{
	struct wire_gap g;
	memcpy(&g, f, sizeof g);
	for (int k = 0; k < WIRE_KIND_COUNT; k++)
		x->t->facts.lost_in_ring[k] += g.count[k];
	if (g.first_ns <= g.last_ns && g.last_ns <= INT64_MAX)
		kept_add(x->kept, x->number, f, (int64_t)g.last_ns);
}

static void on_lost(struct taking *x, const struct wire_frame *f)
{
	struct wire_lost l;
	memcpy(&l, f, sizeof l);
	x->t->facts.lost_by_cupti += l.count;
	if (l.realtime_ns <= INT64_MAX)
		kept_add(x->kept, x->number, f, (int64_t)l.realtime_ns);
}

static void on_clock(struct taking *x, const struct wire_frame *f)
{
	struct wire_clock c;
	memcpy(&c, f, sizeof c);
	if (c.step_ns == 0 || c.realtime_ns > INT64_MAX)
		return;
	x->t->facts.clock_steps++;
	kept_add(x->kept, x->number, f, (int64_t)c.realtime_ns);
}

static void on_definition(struct taking *x, const struct wire_frame *f)
{
	if (!names_define(x->names, &x->t->map, f))
		x->t->facts.damaged++;
}

static void on_session(struct taking *x, const struct wire_frame *f)
{
	(void)x;
	(void)f; /* what is recorded can be seen by what comes */
}

static const struct {
	size_t bytes; /* exactly, 0 = any */
	void (*take)(struct taking *x, const struct wire_frame *f);
} handlers[WIRE_RECORD] = {
	[WIRE_STRING] = {0, on_definition},
	[WIRE_SHAPE] = {0, on_definition},
	[WIRE_PLACE] = {0, on_definition},
	[WIRE_FORGET] = {0, on_definition},
	[WIRE_DEVICE] = {sizeof(struct wire_device), put_device},
	[WIRE_STREAM] = {sizeof(struct wire_stream), put_stream},
	[WIRE_THREAD] = {sizeof(struct wire_thread), put_thread},
	[WIRE_CLOCK] = {sizeof(struct wire_clock), on_clock},
	[WIRE_SESSION] = {sizeof(struct wire_session), on_session},
	[WIRE_GAP] = {sizeof(struct wire_gap), on_gap},
	[WIRE_LOST] = {sizeof(struct wire_lost), on_lost},
};

static void on_frame(void *ctx, const struct wire_frame *f)
{
	struct taking *x = ctx;
	if (f->type >= WIRE_RECORD)
		on_record(x, f);
	else if (handlers[f->type].take && (!handlers[f->type].bytes || handlers[f->type].bytes == f->bytes))
		handlers[f->type].take(x, f);
	else
		x->t->facts.damaged++;
}

/* ---- the target ---------------------------------------------------------------------------------------------------- */

size_t target_take(struct target *t, uint32_t number, struct names *names, struct kept *kept, size_t most)
{
	struct taking x = {t, number, names, kept};
	return client_frames(&t->client, on_frame, &x, most);
}

void target_settle(struct target *t)
{
	struct target_facts *f = &t->facts;
	f->told = t->client.facts;
	f->ended = t->client.ended;
	if (t->client.ring) {
		f->late = atomic_load_explicit(&t->client.ring->late, memory_order_relaxed);
		for (int k = 0; k < WIRE_KIND_COUNT; k++) {
			struct client_counts n = client_counts(&t->client, k);
			f->bad_time[k] = n.bad_time;
			/* what no gap has told yet */
			if (t->client.state == CLIENT_OVER && n.dropped > f->lost_in_ring[k])
				f->lost_in_ring[k] = n.dropped;
		}
	}
	f->over = t->client.state == CLIENT_OVER;
	memcpy(f->why, t->client.why, sizeof f->why);
}

static bool copy_list(void **to, const void *from, size_t bytes)
{
	*to = bytes ? malloc(bytes) : NULL;
	if (*to)
		memcpy(*to, from, bytes);
	return *to || !bytes;
}

bool target_facts_copy(struct target_facts *to, const struct target_facts *from)
{
	*to = *from;
	bool d = copy_list((void **)&to->devices, from->devices, from->n_devices * sizeof *from->devices);
	bool s = copy_list((void **)&to->streams, from->streams, from->n_streams * sizeof *from->streams);
	bool h = copy_list((void **)&to->threads, from->threads, from->n_threads * sizeof *from->threads);
	if (d && s && h)
		return true;
	target_facts_free(to);
	return false;
}

void target_facts_free(struct target_facts *f)
{
	free(f->devices);
	free(f->streams);
	free(f->threads);
	f->devices = NULL;
	f->streams = NULL;
	f->threads = NULL;
	f->n_devices = f->n_streams = f->n_threads = 0;
}

void target_free(struct target *t)
{
	client_close(&t->client);
	names_map_free(&t->map);
	target_facts_free(&t->facts);
}
