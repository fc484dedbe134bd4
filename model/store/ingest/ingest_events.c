/* model/store/ingest/ingest_events.c - the calls that happen once per record. */
#include "ingest_private.h"
#include "model/store/facts/step_groups.h"
#include <string.h>

/* Times further apart than this could overflow a difference: +-146 years. */
static const int64_t reach_ns = INT64_C(1) << 62;

static bool in_reach(const struct ingest *in, int64_t ts_ns)
{
	int64_t apart;
	return !__builtin_sub_overflow(ts_ns, in->reference_ns, &apart) && apart < reach_ns / 2 &&
	       apart > -reach_ns / 2;
}

static bool time_ok(struct ingest *in, int64_t ts_ns, int64_t at)
{
	if (!in->has_reference) {
		in->reference_ns = ts_ns;
		in->has_reference = true;
	}
	if (in_reach(in, ts_ns))
		return true;
	notes_add(&in->notes, NOTE_TIME_OVERFLOW, at, 1);
	return false;
}

static void show_coverage(struct ingest *in, const struct event_in *e, int64_t dur_ns)
{
	struct event_in shown = *e;
	shown.dur_ns = dur_ns;
	coverage_event(in, &shown);
}

void ingest_ahead(struct ingest *in)
{
	enum { MANY = 1 << 16 };
	if (!in->ahead && in->raw.n >= MANY && in->raw.n < MANY + 1024)
		in->ahead = ahead_new(in->threads);
	if (!in->ahead)
		return;
#define RAW_COLUMN(type, field) &in->raw.field,
	const struct column *all[] = {&in->raw.corr, &in->raw.attrs, &in->raw.detail, RAW_COLUMNS(RAW_COLUMN)};
#undef RAW_COLUMN
	enum { EVENT_COLUMNS = sizeof all / sizeof all[0] };
	for (int i = 0; i < EVENT_COLUMNS; i++)
		ahead_column(in->ahead, i, all[i], in->raw.n);
	const struct column *own[] = {&in->flows, &in->pairs, &in->raw.group, &in->kernels};
	enum { OWN_COLUMNS = sizeof own / sizeof own[0] };
	_Static_assert(EVENT_COLUMNS + OWN_COLUMNS <= AHEAD_COLUMNS, "a place for each");
	for (int i = 0; i < OWN_COLUMNS; i++)
		ahead_column(in->ahead, EVENT_COLUMNS + i, own[i], own[i]->n);
	size_t bytes;
	void *room = attrs_next_room(in->attrs, &bytes);
	if (room)
		ahead_pages(in->ahead, room, bytes);
}

static void tell_progress(struct ingest *in)
{
	ingest_ahead(in);
	if (in->progress)
		atomic_store_explicit(&in->progress->events, (int64_t)in->raw.n, memory_order_relaxed);
	if (atomic_load_explicit(&in->coverage_wanted, memory_order_acquire))
		coverage_publish(in);
}

bool ingest_fill_groups(struct ingest *in)
{
	struct column *c = &in->raw.group;
	if (c->n == in->raw.n && c->n < c->cap)
		return true;
	if (!column_grow(c, in->raw.n + 1))
		return false;
	/* none: all ones, in either width */
	memset((char *)c->p + c->n * c->size, 0xff, (in->raw.n - c->n) * c->size);
	c->n = in->raw.n;
	return true;
}

/* As widen below. */
static bool widen_groups(struct column *c)
{
	struct column wide = {.size = sizeof(int32_t)};
	if (!column_grow(&wide, c->cap))
		return false;
	for (; wide.n < c->n; wide.n++)
		((int32_t *)wide.p)[wide.n] = group_from_16_bits(((const uint16_t *)c->p)[wide.n]);
	column_free(c);
	*c = wide;
	return true;
}

static bool put_group(struct ingest *in, int32_t group)
{
	struct column *c = &in->raw.group;
	bool fits = group_from_16_bits((uint16_t)group) == group;
	if (!ingest_fill_groups(in) || (!fits && c->size == sizeof(uint16_t) && !widen_groups(c)))
		return false;
	if (c->size == sizeof(uint16_t))
		((uint16_t *)c->p)[c->n++] = (uint16_t)group;
	else
		((int32_t *)c->p)[c->n++] = group;
	return true;
}

/* From the first number on that needs 64 bits all are stored so: most traces never get there, and half the memory is saved. */
static bool widen(struct column *c, size_t n)
{
	struct column wide = {.size = sizeof(uint64_t)};
	if (!column_grow(&wide, c->cap))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t v = ((const uint32_t *)c->p)[i];
		((uint64_t *)wide.p)[i] = v == UINT32_MAX ? UINT64_MAX : v;
	}
	column_free(c);
	*c = wide; /* with as much room */
	return true;
}

/* Of a large source, before its first event: as many as it has for sure, or nearly, but no more than fill some large pages. */
static size_t expected_events(const struct ingest *in)
{
	enum { EVENT_BYTES = 256, LEAST = 1 << 19, MOST = 1 << 20 };
	uint64_t n = (uint64_t)in->source_bytes / EVENT_BYTES;
	return n < LEAST ? 1 : n < MOST ? (size_t)n : MOST;
}

/* Room for `want` events in every column but the group. */
static bool grow(struct raw_events *r, size_t want, struct spare *spare)
{
	size_t room = UINT32_MAX - 1;
#define RAW_COLUMN(type, field) &r->field,
	struct column *all[] = {&r->corr, &r->detail, &r->attrs, RAW_COLUMNS(RAW_COLUMN)};
#undef RAW_COLUMN
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if ((all[i] == &r->corr || all[i] == &r->detail) && !all[i]->p)
			continue;
		if (!column_grow_from(all[i], want, spare))
			return false;
		room = all[i]->cap < room ? all[i]->cap : room;
	}
	r->cap = room;
	return r->n < room;
}

/* Columns that begin on large pages are never copied to them. */
static bool make_room(struct ingest *in)
{
	return grow(&in->raw, in->raw.n ? in->raw.n + 1 : expected_events(in), &in->spare);
}

static inline bool put_number(struct column *c, size_t at, uint64_t v)
{
	bool fits = v < UINT32_MAX || v == UINT64_MAX;
	if (!fits && c->size == sizeof(uint32_t) && !widen(c, at))
		return false;
	if (c->size == sizeof(uint32_t))
		((uint32_t *)c->p)[at] = (uint32_t)v;
	else
		((uint64_t *)c->p)[at] = v;
	return true;
}

/* For a column of which many traces have nothing but zeros. Memory that was not used before holds those, untouched. */
static inline bool has_memory(struct column *c, size_t room)
{
	return c->p || column_grow(c, room);
}

void ingest_set_detail(struct ingest *in, uint32_t event, uint32_t detail)
{
	if (has_memory(&in->raw.detail, in->raw.cap))
		((uint32_t *)in->raw.detail.p)[event] = detail;
	else
		in->failed = true;
}

/* What every event has beside RAW_COLUMNS. */
static inline bool put_others(struct raw_events *r, const struct event_in *e)
{
	if (!put_number(&r->attrs, r->n, e->attrs))
		return false;
	if ((e->corr || r->corr.p) && (!has_memory(&r->corr, r->cap) || !put_number(&r->corr, r->n, e->corr)))
		return false;
	if (!e->detail && !r->detail.p)
		return true;
	if (!has_memory(&r->detail, r->cap))
		return false;
	((uint32_t *)r->detail.p)[r->n] = e->detail;
	return true;
}

/* As ingest_append, with another duration. */
static inline bool append(struct ingest *in, const struct event_in *e, int64_t dur_ns)
{
	struct raw_events *r = &in->raw;
	size_t at = r->n;
	if ((at >= r->cap && !make_room(in)) || ((e->group >= 0 || r->group.n) && !put_group(in, e->group)) ||
	    !put_others(r, e)) {
		in->failed = true;
		return false;
	}
#define RAW_PUT(type, field) ((type *)r->field.p)[at] = (type)e->field;
	RAW_COLUMNS(RAW_PUT)
#undef RAW_PUT
	((int64_t *)r->dur_ns.p)[at] = dur_ns;
	r->n++;
	if (e->side)
		ingest_side_bind(in, e->side, at);
	if (in->bins_on)
		show_coverage(in, e, dur_ns);
	if (r->n % 1024 == 0)
		tell_progress(in);
	return true;
}

bool ingest_append(struct ingest *in, const struct event_in *e)
{
	return append(in, e, e->dur_ns);
}

static inline bool take_event(struct ingest *in, const struct event_in *e)
{
	if (!time_ok(in, e->start_ns, e->at))
		return false;
	int64_t dur_ns = e->dur_ns;
	if (dur_ns < 0) {
		notes_add(&in->notes, NOTE_DUR_NEGATIVE, e->at, 1);
		dur_ns = 0;
	}
	if (dur_ns > reach_ns / 2) {
		notes_add(&in->notes, NOTE_TIME_OVERFLOW, e->at, 1);
		return false;
	}
	if (!append(in, e, dur_ns))
		return false;
	in->notes.shown++;
	return true;
}

void ingest_event(struct ingest *in, const struct event_in *e)
{
	bool taken = take_event(in, e);
	if (e->kernel)
		pending_kernel_add(in, e->kernel, taken ? (uint32_t)in->raw.n - 1 : NONE_ID);
}

/* The number of what the point has beside the usual; 0: nothing. */
static uint32_t add_rest(struct ingest *in, const struct event_in *e)
{
	if (e->corr == 0 && e->side == 0 && e->group == -1)
		return 0;
	struct pair_rest *x = in->pair_rests.n < UINT32_MAX - 1 ? column_push(&in->pair_rests) : NULL;
	if (!x) {
		in->failed = true;
		return 0;
	}
	*x = (struct pair_rest){.corr = e->corr, .side = e->side, .group = e->group};
	return (uint32_t)in->pair_rests.n;
}

static void add_point(struct ingest *in, char phase, uint64_t id, const struct event_in *e)
{
	if (!time_ok(in, e->start_ns, e->at))
		return;
	bool room = column_grow_from(&in->pairs, in->pairs.n + 1, &in->spare);
	struct pair_point *p = room ? column_push(&in->pairs) : NULL;
	if (!p) {
		in->failed = true;
		return;
	}
	*p = (struct pair_point){.start_ns = e->start_ns,
				 .id = id,
				 .attrs = e->attrs,
				 .at = e->at,
				 .phase = (unsigned char)phase,
				 .kind = e->kind,
				 .name = e->name,
				 .track = e->track,
				 .detail = e->kernel ? ingest_kernel(in, e->kernel) : e->detail,
				 .rest = add_rest(in, e)};
}

void ingest_begin(struct ingest *in, const struct event_in *e)
{
	add_point(in, 'B', 0, e);
}

void ingest_end(struct ingest *in, const struct event_in *e)
{
	add_point(in, 'E', 0, e);
}

void ingest_async(struct ingest *in, char phase, uint64_t id, const struct event_in *e)
{
	add_point(in, phase, id, e);
}

static void add_flow_point(struct ingest *in, struct flow_point x)
{
	struct flow_point *p = column_push(&in->flows);
	x.source = in->notes.source & 0x7fff;
	if (p)
		*p = x;
	else
		in->failed = true;
}

void ingest_flow(struct ingest *in, char phase, uint32_t track, str_id category, uint64_t id, int64_t ts_ns,
		 bool enclosing, int64_t at)
{
	if (time_ok(in, ts_ns, at))
		add_flow_point(in, (struct flow_point){.ts_ns = ts_ns,
						       .id = id,
						       .at = (uint64_t)at & ((UINT64_C(1) << FLOW_AT_BITS) - 1),
						       .phase = (unsigned char)phase & 0x7f,
						       .enclosing = enclosing,
						       .category = category,
						       .track = track});
}

void ingest_flow_of(struct ingest *in, char phase, const struct event_in *e, str_id category, uint64_t id)
{
	if (in_reach(in, e->start_ns)) /* else the event is noted, and is no more */
		add_flow_point(in, (struct flow_point){.ts_ns = e->start_ns,
						       .id = id,
						       .at = e->attrs & ((UINT64_C(1) << FLOW_AT_BITS) - 1),
						       .phase = (unsigned char)phase & 0x7f,
						       .of_event = true,
						       .category = category,
						       .track = e->track});
}

void ingest_sample(struct ingest *in, uint32_t track, int64_t ts_ns, double value)
{
	int64_t apart;
	if (in->has_reference &&
	    (__builtin_sub_overflow(ts_ns, in->reference_ns, &apart) || apart > reach_ns / 2 || apart < -reach_ns / 2))
		return;
	struct sample_in *s = column_push(&in->samples);
	if (s)
		*s = (struct sample_in){ts_ns, value, track};
	else
		in->failed = true;
}
