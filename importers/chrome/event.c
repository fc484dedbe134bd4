/* importers/chrome/event.c - one entry into the trace, by its phase; events whose thread has no name yet wait. */
#include "chrome.h"
#include "model/store/base/memory.h"
#include "model/store/base/spans.h"
#include <stdlib.h>
#include <string.h>

/* More than this do not wait for names: exporters that need them write them first. */
enum { MAX_WAITING = 1 << 18 };

/* Words that only one program means so are believed where its header stood before them. */
static struct category understood(const struct chrome *c, struct category is)
{
	if (is.proof == PROOF_PADDLE && !c->saw_paddle)
		is.class = CLASS_NONE;
	if (is.proof == PROOF_PADDLE || (is.proof == PROOF_EXTERNAL_ID && c->saw_paddle))
		is.proof = PROOF_NONE;
	return is;
}

struct category event_category(struct chrome *c, const struct record *r, str_id *id)
{
	*id = 0;
	if (r->member[PLACE_CAT]->type != VALUE_STR || r->member[PLACE_CAT]->n == 0)
		return (struct category){CLASS_NONE, PROOF_NONE};
	struct span s = {r->member[PLACE_CAT]->p, r->member[PLACE_CAT]->n};
	*id = r->category;
	if (!*id) {
		s = reader_text(&c->reader, r->member[PLACE_CAT]);
		*id = intern_get(&c->reader.names, s.p, s.n)->id;
	}
	/* a file has a dozen categories: what each means is asked once, unless two share a slot */
	unsigned slot = *id % 64;
	if (c->categories[slot].id != *id) {
		c->categories[slot].id = *id;
		c->categories[slot].is = understood(c, category_of(s.p, s.n));
		c->accelerator = c->accelerator ? c->accelerator : category_vendor(s.p, s.n);
	}
	return c->categories[slot].is;
}

/* Names of categories are reused: profilers of hosts write "kernel" and "memcpy", too. The args of a device or of a call prove it. */
bool event_proven(const struct record *r, enum evidence proof, const struct identity *x)
{
	switch (proof) {
	case PROOF_DEVICE:
		return record_has(r, ARG_STREAM) || record_has(r, ARG_DEVICE) || x->is_stream;
	case PROOF_CALL:
		return record_has(r, ARG_CORRELATION) || record_has(r, ARG_CBID);
	case PROOF_EXTERNAL_ID:
		return record_has(r, ARG_EXTERNAL_ID);
	case PROOF_PADDLE:
	case PROOF_NONE:
		break;
	}
	return true;
}

/* "relu[0.012 ms]" -> "relu" */
static struct span without_duration(struct span s)
{
	static const char unit[] = " ms]";
	size_t n = s.n, k = sizeof unit - 1;
	if (n <= k || memcmp(s.p + n - k, unit, k) != 0)
		return s;
	n -= k;
	while (n && (s.p[n - 1] == '.' || (s.p[n - 1] >= '0' && s.p[n - 1] <= '9')))
		n--;
	return n > 1 && s.p[n - 1] == '[' && n - 1 < s.n - k - 1 ? (struct span){s.p, n - 1} : s;
}

str_id event_name(struct chrome *c, const struct value *v)
{
	if (v->type == VALUE_NONE || v->type == VALUE_NULL)
		return 0;
	if (v->p == c->name.p && v->type == VALUE_STR && !c->saw_paddle)
		return strings_add_hashed(c->strings, v->p, v->n, c->name.hash);
	struct span s = v->type == VALUE_STR ? reader_text(&c->reader, v) : (struct span){v->p, v->n};
	s = c->saw_paddle ? without_duration(s) : s;
	return intern_get(&c->reader.names, s.p, s.n)->id;
}

static bool is_flow(const struct pending *q)
{
	return phase_is_flow(q->ph);
}

/* ---- waiting ---------------------------------------------------------------------------------------------------------- */

void event_emit(struct chrome *c, const struct pending *q)
{
	if (q->ph == 'B')
		ingest_begin(c->in, &q->e);
	else if (q->ph == 'E')
		ingest_end(c->in, &q->e);
	else
		ingest_event(c->in, &q->e);
	/* of any category: both ends of an arrow may have their own */
	if (q->arrow)
		ingest_flow_of(c->in, q->arrow, &q->e, strings_addz(c->strings, "bind_id"), q->id);
}

bool event_place_flow(struct chrome *c, uint32_t ident, bool to_device, uint32_t *track)
{
	const struct identity *x = identity_at(&c->identities, ident);
	uint32_t on_device = x->stream_track != NONE_ID ? x->stream_track : x->lane_track;
	uint32_t first = to_device ? on_device : x->host_track, second = to_device ? x->host_track : x->stream_track;
	*track = first != NONE_ID ? first : second;
	if (*track != NONE_ID)
		return true;
	/* its end may still be named a stream */
	if (!c->names_final)
		return false;
	*track = identity_host_track(&c->identities, ident);
	return true;
}

static bool place_flow(struct chrome *c, const struct pending *q, uint32_t *track)
{
	return event_place_flow(c, q->ident, q->launch_flow && q->ph == 'f', track);
}

static bool finish_one(struct chrome *c, struct pending *q)
{
	uint32_t track;
	if (!is_flow(q)) {
		if (!place_by_name(c, q))
			return false;
		event_emit(c, q);
		return true;
	}
	if (!place_flow(c, q, &track))
		return false;
	ingest_flow(c->in, q->ph, track, q->category, q->id, q->e.start_ns, q->encloses, q->e.at);
	return true;
}

/* Events first: the flows among what waits may bind to them. */
static void place_waiting(struct chrome *c)
{
	c->names_final = true;
	struct pending *waiting = c->waiting.p;
	for (int flows = 0; flows < 2; flows++)
		for (size_t i = 0; i < c->waiting.n; i++)
			if (is_flow(&waiting[i]) == flows)
				finish_one(c, &waiting[i]);
	ingest_reuse(c->in, &c->waiting);
}

static void wait_for_names(struct chrome *c, const struct pending *q)
{
	struct pending waiting = *q;
	if (c->waiting.n < MAX_WAITING) {
		*(struct pending *)must(column_push(&c->waiting)) = waiting;
		return;
	}
	place_waiting(c);
	finish_one(c, &waiting);
}

void event_finish(struct chrome *c)
{
	place_waiting(c);
}

/* ---- phases ------------------------------------------------------------------------------------------------------------ */

static bool read_time(struct chrome *c, const struct record *r, const struct value *v, struct fine_time *t)
{
	enum number_fault f = value_us(v, t);
	if (f == NUMBER_OK)
		return true;
	notes_add(c->notes, f == NUMBER_TOO_BIG ? NOTE_TIME_OVERFLOW : NOTE_BAD_TIME, r->at, 1);
	return false;
}

/* The record's time on the clock of the trace. False: noted. */
static bool start_time(struct chrome *c, const struct record *r, struct fine_time *t)
{
	if (!read_time(c, r, r->member[PLACE_TS], t))
		return false;
	if (!__builtin_add_overflow(t->ns, c->base_ns, &t->ns))
		return true;
	notes_add(c->notes, NOTE_TIME_OVERFLOW, r->at, 1);
	return false;
}

/* Start and end are rounded, so that what nests in the file still nests. */
static bool fill_times(struct chrome *c, const struct record *r, struct event_in *e)
{
	struct fine_time start, dur, end;
	if (rocprof_times(c, r, e))
		return true;
	/* whole nanoseconds, as nearly all exporters write: nothing to round */
	if (r->ph == 'X' && value_exact_ns(r->member[PLACE_TS], &e->start_ns) &&
	    value_exact_ns(r->member[PLACE_DUR], &e->dur_ns) &&
	    !__builtin_add_overflow(e->start_ns, c->base_ns, &e->start_ns) && e->start_ns <= INT64_MAX - e->dur_ns)
		return true;
	if (!start_time(c, r, &start))
		return false;
	e->start_ns = fine_round(start);
	e->dur_ns = 0;
	if (r->ph != 'X' || r->member[PLACE_DUR]->type == VALUE_NONE || r->member[PLACE_DUR]->type == VALUE_NULL)
		return true;
	if (!read_time(c, r, r->member[PLACE_DUR], &dur))
		return false;
	if (!fine_add(start, dur, &end)) {
		notes_add(c->notes, NOTE_TIME_OVERFLOW, r->at, 1);
		return false;
	}
	e->dur_ns = fine_round(end) - e->start_ns;
	return true;
}

static str_id name_of(struct chrome *c, const struct record *r)
{
	return event_name(c, r->member[PLACE_NAME]);
}

static uint32_t ident_of(struct chrome *c, const struct record *r)
{
	if (!r->ident)
		return identities_find(&c->identities, r->member[PLACE_PID], r->member[PLACE_TID]);
	if (*r->ident == NONE_ID)
		*r->ident = identities_find(&c->identities, r->member[PLACE_PID], r->member[PLACE_TID]);
	return *r->ident;
}

/* What every kind of event needs. False: noted. */
static bool begin_event(struct chrome *c, const struct record *r, struct pending *q)
{
	memset(q, 0, sizeof *q);
	q->ph = r->ph;
	q->scope = r->scope;
	q->e.group = -1;
	q->e.at = r->at;
	q->ident = ident_of(c, r);
	return fill_times(c, r, &q->e);
}

enum category_class event_class(const struct record *r, struct category cat, const struct identity *x)
{
	/* an end carries neither category nor args: only complete events are believed to be on a device */
	bool fits = (r->ph != 'B' && r->ph != 'E') || cat.class < CLASS_PROFILE || cat.class == CLASS_TF_NODE;
	return fits && event_proven(r, cat.proof, x) ? cat.class : CLASS_NONE;
}

void event_show(struct chrome *c, const struct record *r, struct pending *q)
{
	detail_take(c, r, q);
	if (place(c, r, q))
		event_emit(c, q);
	else
		wait_for_names(c, q);
}

/* The value of a hexadecimal digit; 16: it is none. */
static unsigned hex_digit(char ch)
{
	unsigned digit = (unsigned char)ch - '0', letter = ((unsigned char)ch | 0x20u) - 'a';
	return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

/* Ids are numbers, or texts that usually hold a hexadecimal one; any other text stands for itself. */
static uint64_t id_value(struct chrome *c, const struct value *v)
{
	uint64_t u = 0;
	int64_t i;
	if (v->type == VALUE_NONE)
		return 0;
	/* nearly all: read while it was scanned */
	if (v->type == VALUE_NUM && (v->flags & NUMBER_READ) && v->places == 0)
		return v->whole;
	if (v->type == VALUE_STR && v->n > 2 && v->n <= 18 && v->p[0] == '0' && (v->p[1] | 0x20) == 'x') {
		size_t k = 2;
		for (unsigned digit; k < v->n && (digit = hex_digit(v->p[k])) < 16; k++)
			u = u << 4 | digit;
		if (k == v->n)
			return u;
	}
	if (v->type != VALUE_OBJ && number_int(v->p, v->n, &i))
		return (uint64_t)i;
	if (v->type != VALUE_OBJ && number_uint(v->p, v->n, &u))
		return u;
	/* the top bit keeps texts apart from numbers */
	return UINT64_C(1) << 63 | strings_add(c->strings, v->p, v->n);
}

static bool is_set(const struct value *v)
{
	return v->type == VALUE_TRUE || v->type == VALUE_STR || (v->type == VALUE_NUM && v->p[0] != '0');
}

/* The second form of arrows: events say themselves what arrow goes in or out. */
static void arrow_of(struct chrome *c, const struct record *r, struct pending *q)
{
	bool in = is_set(r->member[PLACE_FLOW_IN]), out = is_set(r->member[PLACE_FLOW_OUT]);
	if (r->ph == 'E' || (!in && !out))
		return;
	if (r->member[PLACE_BIND_ID]->type == VALUE_NONE) {
		notes_add(c->notes, NOTE_ARROW_UNMATCHED, r->at, 1);
		return;
	}
	q->arrow = in && out ? 't' : in ? 'f' : 's';
	q->id = id_value(c, r->member[PLACE_BIND_ID]);
}

static void slice(struct chrome *c, const struct record *r)
{
	struct pending q;
	if (!begin_event(c, r, &q))
		return;
	struct category cat = event_category(c, r, &q.category);
	q.class = (uint8_t)event_class(r, cat, identity_at(&c->identities, q.ident));
	q.e.attrs = r->attrs;
	q.e.name = name_of(c, r);
	q.is_ascend = ascend_is(c, r, q.ident);
	arrow_of(c, r, &q);
	event_show(c, r, &q);
}

static void flow(struct chrome *c, const struct record *r)
{
	struct pending q;
	uint32_t track;
	if (!begin_event(c, r, &q))
		return;
	q.launch_flow = event_category(c, r, &q.category).class == CLASS_LAUNCH_FLOW;
	q.id = id_value(c, r->member[PLACE_ID]);
	q.encloses = r->encloses;
	/* TensorFlow 1's timeline starts an arrow at the very end of its event, which half-open time no longer covers */
	if (r->ph == 's' && value_is(r->member[PLACE_CAT], "DataFlow"))
		q.e.start_ns--;
	if (place_flow(c, &q, &track))
		ingest_flow(c->in, q.ph, track, q.category, q.id, q.e.start_ns, q.encloses, q.e.at);
	else
		wait_for_names(c, &q);
}

/* The track of async events of a category of a process. */
static uint32_t async_track(struct chrome *c, uint32_t ident, str_id category)
{
	struct side_track *known = &c->async_tracks[(ident ^ category) % SIDE_TRACKS];
	if (!known->known || known->ident != ident || known->lane != category) {
		uint32_t track = identity_side_track(&c->identities, ident, TRACK_ASYNC, 0, category);
		*known = (struct side_track){.known = true, .ident = ident, .lane = category, .track = track};
		ingest_track_info(c->in, track)->name = category;
	}
	return known->track;
}

void event_show_async(struct chrome *c, struct pending *q, const struct value *id)
{
	q->e.kind = KIND_ASYNC;
	q->e.track = async_track(c, q->ident, q->category);
	ingest_async(c->in, q->ph, id_value(c, id), &q->e);
}

bool event_args_have_communicator(const struct record *r)
{
	struct span args = {r->args.p, r->args.n};
	return r->args.type == VALUE_OBJ && span_has(args, "\"CommHash\"");
}

/* What a profiler plugin of NCCL writes like its example: it is on the host, and waits in queues are part of it. */
static bool is_on_host(const struct chrome *c, const struct record *r, str_id category)
{
	struct span s = strings_get(c->strings, category);
	return r->ph == 'b' && (span_is(s, "COLL") || span_is(s, "P2P")) && event_args_have_communicator(r);
}

static void async_event(struct chrome *c, const struct record *r)
{
	struct pending q;
	if (!begin_event(c, r, &q))
		return;
	event_category(c, r, &q.category);
	q.e.attrs = r->attrs;
	q.e.name = name_of(c, r);
	if (is_on_host(c, r, q.category))
		notes_add(c->notes, NOTE_COLLECTIVE_ON_HOST, r->at, 1);
	event_show_async(c, &q, r->member[PLACE_ID]);
}

/* ---- counters --------------------------------------------------------------------------------------------- */

/* "memory: free", or just "memory" when the series has no name worth telling. */
static str_id series_name(struct chrome *c, const struct record *r, struct span series)
{
	char text[300];
	struct span name = strings_get(c->strings, name_of(c, r));
	/* counters of one series are often called "value", or like the counter */
	bool plain = (series.n == 5 && memcmp(series.p, "value", 5) == 0) ||
		     (series.n == name.n && memcmp(series.p, name.p, series.n) == 0);
	if (plain || name.n + series.n + 2 > sizeof text)
		return strings_add(c->strings, plain ? name.p : series.p, plain ? name.n : series.n);
	memcpy(text, name.p, name.n);
	memcpy(text + name.n, ": ", 2);
	memcpy(text + name.n + 2, series.p, series.n);
	return strings_add(c->strings, text, name.n + 2 + series.n);
}

/* The track of one series of a counter. */
static uint32_t counter_track(struct chrome *c, const struct record *r, uint32_t ident, int64_t id,
			      const struct value *key)
{
	str_id counter = name_of(c, r);
	struct counter_series *known = &c->series[(ident ^ counter ^ key->n) % SIDE_TRACKS];
	bool short_key = !key->flags && key->n <= sizeof known->key;
	if (short_key && known->at.known && known->at.ident == ident && known->at.lane == counter && known->id == id &&
	    known->key_n == key->n && memcmp(known->key, key->p, key->n) == 0)
		return known->at.track;
	str_id lane = series_name(c, r, reader_text(&c->reader, key));
	uint32_t track = identity_side_track(&c->identities, ident, TRACK_COUNTER, id, lane);
	ingest_track_info(c->in, track)->name = lane;
	if (short_key) {
		*known = (struct counter_series){{true, ident, counter, track}, id, key->n, {0}};
		memcpy(known->key, key->p, key->n);
	}
	return track;
}

static void counter(struct chrome *c, const struct record *r)
{
	struct pending q;
	struct value key, v;
	const char *p = r->args.p;
	bool any = false;
	double x;
	if (!begin_event(c, r, &q))
		return;
	int64_t id =
		r->member[PLACE_ID]->type == VALUE_NONE ? 0 : (int64_t)(id_value(c, r->member[PLACE_ID]) & INT64_MAX);
	/* each arg is a series of its own */
	while (r->args.type == VALUE_OBJ && object_next(&p, r->args.p + r->args.n, &key, &v)) {
		if (!value_real(&v, &x))
			continue;
		ingest_sample(c->in, counter_track(c, r, q.ident, id, &key), q.e.start_ns, x);
		any = true;
	}
	if (any)
		c->notes->merged++;
	else
		notes_add(c->notes, NOTE_COUNTER_NOT_NUMBER, r->at, 1);
}

void event_record(struct chrome *c, const struct record *r)
{
	switch (r->ph) {
	case 'X':
	case 'B':
	case 'E':
	case 'i':
	case 'I':
	case 'R':
		slice(c, r);
		break;
	case 'b':
	case 'n':
	case 'e':
		async_event(c, r);
		break;
	case 's':
	case 't':
	case 'f':
		flow(c, r);
		break;
	case 'C':
		counter(c, r);
		break;
	case 'M':
		metadata_take(c, r, ident_of(c, r));
		break;
	default:
		notes_add(c->notes, r->empty ? NOTE_EMPTY_ENTRY : r->ph ? NOTE_PHASE_OTHER : NOTE_BAD_RECORD, r->at, 1);
	}
	/* a file without any is no trace, whatever its brackets say */
	c->sound += r->ph != 0 || r->empty;
	reader_note_faults(&c->reader, r->at);
}
