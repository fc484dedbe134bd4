#include "output.h"
#include "process.h"
#include <stdlib.h>
#include <string.h>

/* Room that records leave to the frames that tell of loss and of the end. */
enum { SPARE_BYTES = 8192, STRINGS_MAX_BYTES = 32 << 20, ENTRIES_MAX = 1 << 20, FACTS_MAX = 1 << 16 };
static const uint64_t slack_ns = 60000000000u; /* how far a stamp may lie outside what our clock has shown */
static const int64_t clock_step_ns = 50000;

bool output_init(struct output *o)
{
	memset(o, 0, sizeof *o);
	o->ring.fd = -1;
	return !pthread_mutex_init(&o->lock, NULL);
}

bool output_is_open(const struct output *o)
{
	return o->ring.header;
}

bool output_open(struct output *o, uint64_t ring_bytes)
{
	output_close(o);
	if (!ring_open(&o->ring, ring_bytes))
		return false;
	o->epoch++;
	o->generation++;
	o->in_gap = false;
	o->clock_realtime_ns = 0;
	memset(o->gap, 0, sizeof o->gap);
	return true;
}

void output_close(struct output *o)
{
	ring_close(&o->ring);
}

/* ---- frames ---- */

static bool write_frame(struct output *o, const struct wire_frame *f, size_t spare)
{
	void *to = output_is_open(o) ? ring_reserve(&o->ring, f->bytes, spare) : NULL;
	if (!to)
		return false;
	memcpy(to, f, f->bytes);
	ring_publish(&o->ring, f->bytes);
	return true;
}

static struct wire_frame head(uint16_t type, size_t bytes)
{
	return (struct wire_frame){.bytes = (uint32_t)bytes, .type = type};
}

/* ---- dictionary ---- */

static void forget_all(struct output *o)
{
	struct wire_frame f = head(WIRE_FORGET, sizeof f);
	o->generation++;
	dict_clear(&o->strings);
	dict_clear(&o->shapes);
	dict_clear(&o->places);
	dict_clear(&o->facts); /* their names are string ids */
	memset(o->pointers, 0, sizeof o->pointers);
	if (o->fact)
		memset(o->fact, 0, o->cap_facts * sizeof *o->fact);
	write_frame(o, &f, SPARE_BYTES); /* no room: definitions replace older ones anyway */
}

/* A program that invents a name for each range, or a thread for each request, must not make us grow for ever. */
static void bound_dictionary(struct output *o)
{
	if (o->strings.n_bytes > STRINGS_MAX_BYTES || o->strings.n_entries > ENTRIES_MAX ||
	    o->shapes.n_entries > ENTRIES_MAX || o->places.n_entries > ENTRIES_MAX || o->facts.n_entries > FACTS_MAX)
		forget_all(o);
}

static bool send_string(struct output *o, uint32_t id, bool cut)
{
	const uint32_t n = dict_at(&o->strings, id)->n;
	size_t bytes = (sizeof(struct wire_string) + n + 7) & ~(size_t)7;
	struct wire_string *s = output_is_open(o) ? ring_reserve(&o->ring, bytes, SPARE_BYTES) : NULL;
	if (!s)
		return false;
	memset((char *)s + bytes - 8, 0, 8);
	*s = (struct wire_string){.f = head(WIRE_STRING, bytes), .id = id, .n = n};
	s->f.flags = cut ? WIRE_CUT : 0;
	memcpy(s->text, dict_key(&o->strings, id), n);
	ring_publish(&o->ring, bytes);
	dict_at(&o->strings, id)->sent = o->epoch;
	return true;
}

static size_t cut_at_character(const char *text, size_t n)
{
	if (n <= WIRE_STRING_MAX)
		return n;
	for (n = WIRE_STRING_MAX; n > WIRE_STRING_MAX - 4 && ((unsigned char)text[n] & 0xc0) == 0x80;)
		n--;
	return n;
}

uint32_t output_string(struct output *o, const char *text, size_t n)
{
	size_t kept = cut_at_character(text, n);
	uint32_t id = kept ? dict_intern(&o->strings, text, kept) : 0;
	if (!id)
		return 0;
	return dict_at(&o->strings, id)->sent == o->epoch || send_string(o, id, kept < n) ? id : 0;
}

uint32_t output_pointer(struct output *o, uint64_t text)
{
	const char *p = (const char *)(uintptr_t)text;
	if (!p || !*p)
		return 0;
	size_t n = strlen(p), i = (text >> 3 ^ text >> 15) % (sizeof o->pointers / sizeof *o->pointers);
	if (o->pointers[i].pointer == text && o->pointers[i].id) {
		/* an address can be used again after its module went: compare */
		const struct dict_entry *e = dict_at(&o->strings, o->pointers[i].id);
		if (e->sent == o->epoch && e->n == n && !memcmp(dict_key(&o->strings, o->pointers[i].id), p, n))
			return o->pointers[i].id;
	}
	o->pointers[i].pointer = text;
	o->pointers[i].id = output_string(o, p, n);
	return o->pointers[i].id;
}

/* Sends a dictionary frame whose key is everything after its id, unless this ring has it. */
static uint32_t define(struct output *o, struct dict *d, struct wire_frame *f, uint32_t *id_of, size_t bytes)
{
	uint32_t id = dict_intern(d, id_of + 1, bytes - offsetof(struct wire_shape, name));
	if (!id)
		return 0;
	struct dict_entry *e = dict_at(d, id);
	if (e->sent != o->epoch) {
		*id_of = id;
		if (!write_frame(o, f, SPARE_BYTES))
			return 0;
		e->sent = o->epoch;
	}
	return id;
}
_Static_assert(offsetof(struct wire_shape, name) == offsetof(struct wire_place, device),
	       "both keys start behind the id");

uint32_t output_shape(struct output *o, struct wire_shape *s)
{
	s->f = head(WIRE_SHAPE, sizeof *s);
	return define(o, &o->shapes, &s->f, &s->id, sizeof *s);
}

/* Most work runs where the work before it ran. */
static bool is_last_place(const struct output *o, const struct wire_place *p)
{
	return o->place_generation == o->generation &&
	       !memcmp(&o->last_place.device, &p->device, sizeof *p - offsetof(struct wire_place, device));
}

uint32_t output_place(struct output *o, struct wire_place *p)
{
	if (is_last_place(o, p))
		return o->last_place.id;
	p->f = head(WIRE_PLACE, sizeof *p);
	p->id = define(o, &o->places, &p->f, &p->id, sizeof *p);
	if (p->id) {
		o->last_place = *p;
		o->place_generation = o->generation;
	}
	return p->id;
}

/* ---- facts ---- */

struct fact_key {
	uint32_t type, a, b;
};

static uint32_t fact_id(struct output *o, const struct fact_key *key)
{
	uint32_t id = dict_intern(&o->facts, key, sizeof *key);
	if (id < o->cap_facts) /* also id 0 */
		return id;
	uint32_t cap = o->cap_facts ? o->cap_facts * 2 : 64;
	struct output_fact *more = realloc(o->fact, cap * sizeof *more);
	if (!more)
		return 0;
	memset(more + o->cap_facts, 0, (cap - o->cap_facts) * sizeof *more);
	o->fact = more;
	o->cap_facts = cap;
	return id;
}

static uint32_t fact_name(const struct wire_frame *f)
{
	switch (f->type) {
	case WIRE_DEVICE:
		return ((const struct wire_device *)f)->name;
	case WIRE_STREAM:
		return ((const struct wire_stream *)f)->name;
	default:
		return ((const struct wire_thread *)f)->name;
	}
}

static void tell_fact(struct output *o, struct output_fact *fact)
{
	const struct wire_frame *f = (const struct wire_frame *)fact->frame;
	uint32_t name = fact_name(f);
	if (name && dict_at(&o->strings, name)->sent != o->epoch && !send_string(o, name, false))
		return;
	if (write_frame(o, f, SPARE_BYTES))
		fact->sent = o->epoch;
}

void output_retell(struct output *o)
{
	for (uint32_t id = 1; id < o->facts.n_entries; id++)
		if (o->fact[id].sent != o->epoch)
			tell_fact(o, &o->fact[id]);
}

const struct wire_frame *output_get_fact(const struct output *o, uint16_t type, uint32_t a, uint32_t b)
{
	struct fact_key key = {type, a, b};
	uint32_t id = dict_find(&o->facts, &key, sizeof key, dict_hash(&key, sizeof key));
	return id ? (const struct wire_frame *)o->fact[id].frame : NULL;
}

void output_fact(struct output *o, struct wire_frame *f, uint32_t a, uint32_t b)
{
	struct fact_key key = {f->type, a, b};
	uint32_t id = f->bytes <= OUTPUT_FACT_BYTES ? fact_id(o, &key) : 0;
	if (!id)
		return;
	struct output_fact *fact = &o->fact[id];
	if (fact->sent == o->epoch && !memcmp(fact->frame, f, f->bytes))
		return;
	memcpy(fact->frame, f, f->bytes);
	tell_fact(o, fact);
}

/* ---- records ---- */

static struct wire_counters *counters(struct output *o, enum wire_kind kind)
{
	return &o->ring.header->counters[kind];
}

/* One writer: a plain add that other processes may read. */
static void count(_Atomic uint64_t *n)
{
	atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_relaxed);
}

void output_seen(struct output *o, enum wire_kind kind)
{
	bound_dictionary(o);
	count(&counters(o, kind)->seen);
}

void output_bad_time(struct output *o, enum wire_kind kind)
{
	count(&counters(o, kind)->bad_time);
}

bool output_is_sane(const struct output *o, uint64_t from_ns, uint64_t to_ns)
{
	return from_ns && from_ns <= to_ns && from_ns >= o->sane_first_ns && to_ns <= o->sane_last_ns;
}

void output_drop(struct output *o, enum wire_kind kind, uint64_t from_ns, uint64_t to_ns)
{
	count(&counters(o, kind)->dropped);
	if (!o->in_gap)
		o->gap_first_ns = o->gap_last_ns = 0;
	if (from_ns && (!o->gap_first_ns || from_ns < o->gap_first_ns))
		o->gap_first_ns = from_ns;
	if (to_ns > o->gap_last_ns)
		o->gap_last_ns = to_ns;
	o->in_gap = true;
	o->gap[kind]++;
}

static bool tell_gap(struct output *o, size_t spare)
{
	struct wire_gap g = {.f = head(WIRE_GAP, sizeof g), .first_ns = o->gap_first_ns, .last_ns = o->gap_last_ns};
	memcpy(g.count, o->gap, sizeof g.count);
	if (!write_frame(o, &g.f, spare))
		return false;
	memset(o->gap, 0, sizeof o->gap);
	o->in_gap = false;
	return true;
}

/* After a drop, records go on once an eighth of the ring is free: one gap for a run of them, not one for each. */
static bool may_write(struct output *o)
{
	return !o->in_gap || (ring_free_bytes(&o->ring) >= o->ring.bytes / 8 && tell_gap(o, SPARE_BYTES));
}

void output_record(struct output *o, enum wire_kind kind, struct wire_frame *f, uint64_t from_ns, uint64_t to_ns)
{
	f->type = (uint16_t)(WIRE_RECORD + kind);
	if (may_write(o) && write_frame(o, f, SPARE_BYTES))
		count(&counters(o, kind)->sent);
	else
		output_drop(o, kind, from_ns, to_ns);
}

void output_settle(struct output *o)
{
	may_write(o);
}

/* ---- the session's own frames ---- */

void output_session(struct output *o, uint32_t kinds)
{
	struct wire_session s = {.f = head(WIRE_SESSION, sizeof s), .realtime_ns = clock_ns(CLOCK_REALTIME)};
	s.session = kinds ? ++o->session : o->session;
	s.kinds = kinds;
	if (o->in_gap)
		tell_gap(o, 0);
	write_frame(o, &s.f, 0);
}

static int64_t clock_step(const struct output *o, uint64_t realtime_ns, uint64_t boottime_ns)
{
	int64_t step = (int64_t)(realtime_ns - o->clock_realtime_ns) - (int64_t)(boottime_ns - o->clock_boottime_ns);
	return o->clock_realtime_ns && (step > clock_step_ns || step < -clock_step_ns) ? step : 0;
}

void output_clock(struct output *o)
{
	struct wire_clock c = {.f = head(WIRE_CLOCK, sizeof c),
			       .realtime_ns = clock_ns(CLOCK_REALTIME),
			       .monotonic_raw_ns = clock_ns(CLOCK_MONOTONIC_RAW),
			       .boottime_ns = clock_ns(CLOCK_BOOTTIME)};
	c.step_ns = clock_step(o, c.realtime_ns, c.boottime_ns);
	o->clock_boottime_ns = c.boottime_ns;
	if (!o->clock_realtime_ns || c.realtime_ns - slack_ns < o->sane_first_ns)
		o->sane_first_ns = c.realtime_ns - slack_ns;
	if (!o->clock_realtime_ns || c.realtime_ns + slack_ns > o->sane_last_ns)
		o->sane_last_ns = c.realtime_ns + slack_ns;
	o->clock_realtime_ns = c.realtime_ns;
	write_frame(o, &c.f, SPARE_BYTES);
}

void output_lost(struct output *o, uint64_t n)
{
	struct wire_lost l = {.f = head(WIRE_LOST, sizeof l), .realtime_ns = clock_ns(CLOCK_REALTIME), .count = n};
	atomic_fetch_add_explicit(&o->ring.header->lost_cupti, n, memory_order_relaxed);
	write_frame(o, &l.f, SPARE_BYTES);
}

void output_end(struct output *o)
{
	struct wire_frame f = head(WIRE_END, sizeof f);
	if (o->in_gap)
		tell_gap(o, 0);
	write_frame(o, &f, 0);
}
