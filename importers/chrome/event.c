/* importers/chrome/event.c - one entry into the trace: which phase it is, which track it belongs to, what kind it is. */
#include "chrome.h"
#include <stdlib.h>
#include <string.h>
#include "../details.h"

/* More than this do not wait for names: exporters that need them write them first. */
enum { MAX_WAITING = 1 << 18 };

struct category event_category(struct chrome *c, const struct record *r, str_id *id)
{
	*id = 0;
	if (r->cat.type != VALUE_STR || r->cat.n == 0)
		return (struct category){CLASS_NONE, PROOF_NONE};
	struct span s = reader_text(&c->reader, &r->cat);
	*id = intern_get(&c->reader.texts, s.p, s.n)->id;
	unsigned slot = *id % 64;
	if (c->categories[slot].id != *id) {
		c->categories[slot].id = *id;
		c->categories[slot].is = category_of(s.p, s.n);
	}
	return c->categories[slot].is;
}

static bool proven(const struct record *r, enum evidence proof, const struct ident *who)
{
	switch (proof) {
	case PROOF_DEVICE:
		return record_has(r, ARG_STREAM) || record_has(r, ARG_DEVICE) || who->is_stream;
	case PROOF_CALL:
		return record_has(r, ARG_CORRELATION) || record_has(r, ARG_CBID);
	case PROOF_EXTERNAL_ID:
		return record_has(r, ARG_EXTERNAL_ID);
	case PROOF_NONE:
		break;
	}
	return true;
}

/* ---- where events go ------------------------------------------------------------------------------------------------ */

static int64_t fact_or(const struct record *r, enum known_arg a, int64_t otherwise)
{
	int64_t i;
	return record_has(r, a) && value_int(&r->known[a], &i) && i >= 0 ? i : otherwise;
}

static int64_t stream_of(const struct ident *x)
{
	return x->is_stream ? x->stream : x->tid;
}

/* Kineto's device classes say all themselves. */
static void place_on_device(struct chrome *c, const struct record *r, struct pending *q)
{
	const struct ident *x = who_at(&c->who, q->ident);
	int64_t device = fact_or(r, ARG_DEVICE, x->pid), stream = fact_or(r, ARG_STREAM, stream_of(x));
	switch (q->class) {
	case CLASS_KERNEL:
		q->e.kind = KIND_KERNEL;
		break;
	case CLASS_COPY:
		q->e.kind = KIND_COPY;
		break;
	case CLASS_MEMSET:
		q->e.kind = KIND_MEMSET;
		break;
	default:
		q->e.kind = KIND_DEVICE_RANGE;
		q->e.track = who_lane(&c->who, device, stream,
				      q->class == CLASS_DEVICE_ANNOTATION ? "annotations"
				      : q->class == CLASS_DEVICE_SYNC     ? "synchronisation"
									  : "hardware counters",
				      false);
		return;
	}
	q->e.track = who_stream_track(&c->who, q->ident, device, stream);
}

static enum event_kind host_kind(const struct chrome *c, const struct pending *q)
{
	static const uint8_t kinds[CLASS_COUNT] = {
		[CLASS_OP] = KIND_OP,
		[CLASS_RUNTIME] = KIND_RUNTIME,
		[CLASS_PYTHON] = KIND_PYTHON,
		[CLASS_ANNOTATION] = KIND_ANNOTATION,
		[CLASS_MEMORY] = KIND_MEMORY,
		[CLASS_OVERHEAD] = KIND_OVERHEAD,
		[CLASS_PROFILE] = KIND_PROFILE,
		[CLASS_TF_NODE] = KIND_OP,
		[CLASS_LAUNCH_FLOW] = KIND_OTHER,
	};
	if (kinds[q->class])
		return kinds[q->class];
	if (strcmp(strings_z(c->strings, q->e.name), "[memory]") == 0)
		return KIND_MEMORY;
	return strchr("iIR", q->ph) ? KIND_INSTANT : KIND_OTHER;
}

/* TensorFlow and JAX on the host: calls carry a correlation id, ops a "name:Type", python frames a "$". */
static enum event_kind tf_host_kind(const struct chrome *c, const struct pending *q)
{
	struct span name = strings_get(c->strings, q->e.name);
	str_id op, type;
	if (q->has_call_id)
		return KIND_RUNTIME;
	if (name.n > 0 && name.p[0] == '$')
		return KIND_PYTHON;
	if (strchr("iIR", q->ph))
		return KIND_INSTANT;
	details_tf_op(c->strings, name.p, name.n, &op, &type);
	return type ? KIND_OP : KIND_ANNOTATION;
}

/* On a stream thread: what the details say, else the name, else a kernel where kernels may run. */
static enum event_kind tf_device_kind(struct chrome *c, struct pending *q, bool compute)
{
	struct copy_info copy;
	struct span name = strings_get(c->strings, q->e.name);
	bool tf_node = q->class == CLASS_TF_NODE;
	if (q->detail == DETAIL_KERNEL && !tf_node)
		return KIND_KERNEL;
	if (q->detail == DETAIL_COPY || q->detail == DETAIL_MEMSET)
		return q->detail == DETAIL_COPY ? KIND_COPY : KIND_MEMSET;
	copy_info_init(&copy);
	if (details_copy_name(name.p, name.n, &copy))
		return copy.kind == COPY_MEMSET ? KIND_MEMSET : KIND_COPY;
	return compute ? KIND_KERNEL : KIND_DEVICE_OTHER;
}

/* The detail row must be of the table that the kind implies. */
static void settle_detail(struct chrome *c, struct pending *q)
{
	static const uint8_t wanted[KIND_COUNT] = {
		[KIND_KERNEL] = DETAIL_KERNEL,
		[KIND_DEVICE_OTHER] = DETAIL_KERNEL,
		[KIND_COPY] = DETAIL_COPY,
		[KIND_MEMSET] = DETAIL_MEMSET,
	};
	uint8_t want = wanted[q->e.kind] ? wanted[q->e.kind] : DETAIL_HOST;
	if (q->detail == want)
		return;
	q->e.detail = 0;
	if (q->e.kind == KIND_COPY || q->e.kind == KIND_MEMSET)
		q->e.detail = detail_copy_by_name(c, q->e.name);
}

static void place_on_host(struct chrome *c, struct pending *q, enum event_kind kind)
{
	q->e.kind = (uint8_t)kind;
	q->e.track = who_host_track(&c->who, q->ident);
}

static void place_on_tf_device(struct chrome *c, struct pending *q)
{
	const struct ident *x = who_at(&c->who, q->ident);
	const struct proc *p = who_proc(&c->who, q->ident);
	bool has_details = q->detail == DETAIL_KERNEL || q->detail == DETAIL_COPY || q->detail == DETAIL_MEMSET;
	bool unnamed = !x->name && has_details;
	c->saw_tf = true;
	if (x->is_stream || unnamed) {
		q->e.kind = (uint8_t)tf_device_kind(c, q, x->compute || unnamed);
		q->e.track = who_stream_track(&c->who, q->ident, p->parsed.device, stream_of(x));
		return;
	}
	q->e.kind = KIND_DEVICE_RANGE;
	q->e.track = who_lane(&c->who, p->parsed.device, x->tid, strings_z(c->strings, x->name), true);
}

static void place_on_tf1_device(struct chrome *c, struct pending *q)
{
	const struct proc *p = who_proc(&c->who, q->ident);
	c->saw_tf = true;
	if (p->parsed.role == ROLE_TF1_STREAM) {
		q->e.kind = (uint8_t)tf_device_kind(c, q, true);
		q->e.track = who_stream_track(&c->who, q->ident, p->parsed.device, p->parsed.stream);
		return;
	}
	q->e.kind = KIND_DEVICE_RANGE;
	q->e.track = who_lane(&c->who, p->parsed.device, p->pid, strings_z(c->strings, p->name), true);
}

/* True when nothing that may still come could change where this event belongs. */
static bool decided(const struct chrome *c, const struct ident *x, const struct proc *p)
{
	if (c->names_final)
		return true;
	return p->parsed.role != ROLE_UNNAMED && (p->parsed.role != ROLE_TF_DEVICE || x->name);
}

/* Finds track and kind by the names of process and thread. False: not yet. */
static bool place_by_name(struct chrome *c, struct pending *q)
{
	const struct proc *p = who_proc(&c->who, q->ident);
	if (!decided(c, who_at(&c->who, q->ident), p))
		return false;
	switch (p->parsed.role) {
	case ROLE_TF_DEVICE:
		place_on_tf_device(c, q);
		break;
	case ROLE_TF1_STREAM:
	case ROLE_TF1_COPIES:
		place_on_tf1_device(c, q);
		break;
	case ROLE_TF_HOST:
		c->saw_tf = true;
		place_on_host(c, q, tf_host_kind(c, q));
		break;
	case ROLE_TF_OPS:
	case ROLE_HOST:
	case ROLE_UNNAMED:
		place_on_host(c, q, host_kind(c, q));
		if (q->detail == DETAIL_HOST && p->parsed.role != ROLE_TF_OPS)
			q->detail = DETAIL_NONE;
		break;
	}
	settle_detail(c, q);
	return true;
}

static void side_track(struct chrome *c, struct pending *q, int64_t key, const char *lane)
{
	q->e.kind = (uint8_t)host_kind(c, q);
	q->e.track = who_side_track(&c->who, q->ident, TRACK_OTHER, key, strings_addz(c->strings, lane));
	struct track_info *t = ingest_track_info(c->in, q->e.track);
	const struct ident *x = who_at(&c->who, q->ident);
	if (!t->name)
		t->name = *lane ? t->lane : x->text;
}

static bool place(struct chrome *c, const struct record *r, struct pending *q)
{
	c->saw_kineto |= q->class != CLASS_NONE && q->class != CLASS_TF_NODE;
	if (q->class >= CLASS_FIRST_ON_DEVICE)
		place_on_device(c, r, q);
	else if (q->class == CLASS_PROFILE)
		side_track(c, q, who_at(&c->who, q->ident)->tid, "");
	else if (strchr("iIR", q->ph) && q->scope == 'g')
		side_track(c, q, 0, "global instants");
	else if (strchr("iIR", q->ph) && q->scope == 'p')
		side_track(c, q, 0, "process instants");
	else if (q->class != CLASS_NONE && q->class != CLASS_TF_NODE && q->class != CLASS_LAUNCH_FLOW)
		place_on_host(c, q, host_kind(c, q));
	else
		return place_by_name(c, q);
	return true;
}

/* ---- waiting ---------------------------------------------------------------------------------------------------------- */

static void emit(struct chrome *c, const struct pending *q)
{
	if (q->ph == 'B')
		ingest_begin(c->in, &q->e);
	else if (q->ph == 'E')
		ingest_end(c->in, &q->e);
	else
		ingest_event(c->in, &q->e);
}

/* A flow point binds to the track its thread's events are on. */
static bool place_flow(struct chrome *c, const struct pending *q, uint32_t *track)
{
	const struct ident *x = who_at(&c->who, q->ident);
	bool to_device = q->launch_flow && q->ph == 'f';
	uint32_t first = to_device ? x->stream_track : x->host_track,
		 second = to_device ? x->host_track : x->stream_track;
	*track = first != NONE_ID ? first : second;
	if (*track != NONE_ID)
		return true;
	if (!c->names_final)
		return false;
	*track = who_host_track(&c->who, q->ident);
	return true;
}

static bool finish_one(struct chrome *c, struct pending *q)
{
	uint32_t track;
	if (!strchr("stf", q->ph)) {
		if (!place_by_name(c, q))
			return false;
		emit(c, q);
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
	for (int flows = 0; flows < 2; flows++)
		for (size_t i = 0; i < c->n_waiting; i++)
			if ((strchr("stf", c->waiting[i].ph) != NULL) == flows)
				finish_one(c, &c->waiting[i]);
	free(c->waiting);
	c->waiting = NULL;
	c->n_waiting = c->cap_waiting = 0;
}

static void wait_for_names(struct chrome *c, const struct pending *q)
{
	struct pending late = *q;
	if (c->n_waiting == c->cap_waiting && c->n_waiting < MAX_WAITING) {
		size_t cap = c->cap_waiting ? c->cap_waiting * 2 : 1024;
		struct pending *p = realloc(c->waiting, cap * sizeof *p);
		if (p) {
			c->waiting = p;
			c->cap_waiting = cap;
		}
	}
	if (c->n_waiting < c->cap_waiting) {
		c->waiting[c->n_waiting++] = late;
		return;
	}
	place_waiting(c);
	finish_one(c, &late);
}

void event_finish(struct chrome *c)
{
	place_waiting(c);
}

/* ---- phases ------------------------------------------------------------------------------------------------------------ */

static bool read_time(struct chrome *c, const struct record *r, const struct value *v, struct fine_time *t)
{
	enum number_fault f = v->type == VALUE_NUM || v->type == VALUE_STR ? number_us(v->p, v->n, t) : NUMBER_NONE;
	if (f == NUMBER_OK)
		return true;
	notes_add(c->notes, f == NUMBER_TOO_BIG ? NOTE_TIME_OVERFLOW : NOTE_BAD_TIME, r->at, 1);
	return false;
}

/* The record's time on the clock of the trace. False: noted. */
static bool start_time(struct chrome *c, const struct record *r, struct fine_time *t)
{
	if (!read_time(c, r, &r->ts, t))
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
	if (!start_time(c, r, &start))
		return false;
	e->start_ns = fine_round(start);
	e->dur_ns = 0;
	if (r->ph != 'X' || r->dur.type == VALUE_NONE || r->dur.type == VALUE_NULL)
		return true;
	if (!read_time(c, r, &r->dur, &dur))
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
	if (r->name.type == VALUE_NONE || r->name.type == VALUE_NULL)
		return 0;
	struct span s =
		r->name.type == VALUE_STR ? reader_text(&c->reader, &r->name) : (struct span){r->name.p, r->name.n};
	return intern_get(&c->reader.texts, s.p, s.n)->id;
}

/* What every kind of event needs. False: noted. */
static bool begin_event(struct chrome *c, const struct record *r, struct pending *q)
{
	memset(q, 0, sizeof *q);
	q->ph = r->ph;
	q->scope = r->scope;
	q->e.group = -1;
	q->e.at = r->at;
	q->ident = who_ident(&c->who, &r->pid, &r->tid);
	if (q->ident == NONE_ID) {
		notes_add(c->notes, NOTE_BAD_RECORD, r->at, 1);
		return false;
	}
	return fill_times(c, r, &q->e);
}

static void slice(struct chrome *c, const struct record *r)
{
	struct pending q;
	if (!begin_event(c, r, &q))
		return;
	struct category cat = event_category(c, r, &q.category);
	/* an end carries neither category nor args: only complete events are believed to be on a device */
	bool fits = (r->ph != 'B' && r->ph != 'E') || cat.class < CLASS_PROFILE || cat.class == CLASS_TF_NODE;
	q.class = (uint8_t)(fits && proven(r, cat.proof, who_at(&c->who, q.ident)) ? cat.class : CLASS_NONE);
	q.e.attrs = r->attrs;
	q.e.name = name_of(c, r);
	detail_take(c, r, &q);
	if (place(c, r, &q))
		emit(c, &q);
	else
		wait_for_names(c, &q);
}

/* Ids are numbers, or texts that usually hold a hexadecimal one; any other text stands for itself. */
static uint64_t id_value(struct chrome *c, const struct value *v)
{
	uint64_t u = 0;
	int64_t i;
	if (v->type == VALUE_NONE)
		return 0;
	if (v->type != VALUE_OBJ && number_int(v->p, v->n, &i))
		return (uint64_t)i;
	if (v->type != VALUE_OBJ && number_uint(v->p, v->n, &u))
		return u;
	if (v->type == VALUE_STR && v->n > 2 && v->n <= 18 && v->p[0] == '0' && (v->p[1] | 0x20) == 'x') {
		size_t k = 2;
		for (; k < v->n && strchr("0123456789abcdefABCDEF", v->p[k]); k++)
			u = u << 4 | (uint64_t)(v->p[k] <= '9' ? v->p[k] - '0' : (v->p[k] | 0x20) - 'a' + 10);
		if (k == v->n)
			return u;
	}
	return UINT64_C(1) << 63 | strings_add(c->strings, v->p, v->n);
}

static void flow(struct chrome *c, const struct record *r)
{
	struct pending q;
	uint32_t track;
	if (!begin_event(c, r, &q))
		return;
	q.launch_flow = event_category(c, r, &q.category).class == CLASS_LAUNCH_FLOW;
	q.id = id_value(c, &r->id);
	q.encloses = r->encloses;
	/* TensorFlow 1's timeline starts an arrow at the very end of its event, which half-open time no longer covers */
	if (r->ph == 's' && value_is(&r->cat, "DataFlow"))
		q.e.start_ns--;
	if (place_flow(c, &q, &track))
		ingest_flow(c->in, q.ph, track, q.category, q.id, q.e.start_ns, q.encloses, q.e.at);
	else
		wait_for_names(c, &q);
}

static void async_event(struct chrome *c, const struct record *r)
{
	struct pending q;
	if (!begin_event(c, r, &q))
		return;
	event_category(c, r, &q.category);
	q.e.attrs = r->attrs;
	q.e.name = name_of(c, r);
	q.e.kind = KIND_ASYNC;
	q.e.track = who_side_track(&c->who, q.ident, TRACK_ASYNC, 0, q.category);
	ingest_track_info(c->in, q.e.track)->name = q.category;
	ingest_async(c->in, r->ph, id_value(c, &r->id), &q.e);
}

/* ---- counters and metadata --------------------------------------------------------------------------------------------- */

/* "memory: free", or just "memory" when the series has no name worth telling. */
static str_id series_name(struct chrome *c, const struct record *r, struct span series)
{
	char text[300];
	struct span name = strings_get(c->strings, name_of(c, r));
	bool plain = (series.n == 5 && memcmp(series.p, "value", 5) == 0) ||
		     (series.n == name.n && memcmp(series.p, name.p, series.n) == 0);
	if (plain || name.n + series.n + 2 > sizeof text)
		return strings_add(c->strings, plain ? name.p : series.p, plain ? name.n : series.n);
	memcpy(text, name.p, name.n);
	memcpy(text + name.n, ": ", 2);
	memcpy(text + name.n + 2, series.p, series.n);
	return strings_add(c->strings, text, name.n + 2 + series.n);
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
	int64_t id = r->id.type == VALUE_NONE ? 0 : (int64_t)(id_value(c, &r->id) & INT64_MAX);
	while (r->args.type == VALUE_OBJ && object_next(&p, r->args.p + r->args.n, &key, &v)) {
		if (!value_real(&v, &x))
			continue;
		str_id lane = series_name(c, r, reader_text(&c->reader, &key));
		uint32_t track = who_side_track(&c->who, q.ident, TRACK_COUNTER, id, lane);
		ingest_track_info(c->in, track)->name = lane;
		ingest_sample(c->in, track, q.e.start_ns, x);
		any = true;
	}
	if (any)
		c->notes->merged++;
	else
		notes_add(c->notes, NOTE_COUNTER_NOT_NUMBER, r->at, 1);
}

static struct span known_text(struct chrome *c, const struct record *r, enum known_arg a)
{
	const struct value *v = &r->known[a];
	if (!record_has(r, a))
		return (struct span){"", 0};
	return v->type == VALUE_STR ? reader_text(&c->reader, v) : (struct span){v->p, v->n};
}

static void keep_number_as_fact(struct chrome *c, const struct record *r)
{
	char key[64], value[64];
	struct span s = known_text(c, r, ARG_NUMBER);
	if (r->name.n >= sizeof key || s.n >= sizeof value)
		return;
	memcpy(key, r->name.p, r->name.n);
	key[r->name.n] = 0;
	memcpy(value, s.p, s.n);
	value[s.n] = 0;
	ingest_fact(c->in, key, value);
}

static void metadata(struct chrome *c, const struct record *r)
{
	uint32_t ident = who_ident(&c->who, &r->pid, &r->tid);
	bool known = ident != NONE_ID;
	if (known && value_is(&r->name, "process_name")) {
		who_set_process_name(&c->who, ident, known_text(c, r, ARG_NAME));
	} else if (known && value_is(&r->name, "thread_name")) {
		who_set_thread_name(&c->who, ident, known_text(c, r, ARG_NAME));
	} else if (known && value_is(&r->name, "process_labels")) {
		struct span s = known_text(c, r, ARG_LABELS);
		who_proc(&c->who, ident)->labels = strings_add(c->strings, s.p, s.n);
	} else if (known && value_is(&r->name, "thread_sort_index")) {
		int64_t sort;
		if (record_has(r, ARG_SORT_INDEX) && value_int(&r->known[ARG_SORT_INDEX], &sort))
			who_at(&c->who, ident)->sort = sort;
	} else if (record_has(r, ARG_NUMBER) && r->name.type == VALUE_STR) {
		keep_number_as_fact(c, r);
	} else if (!value_is(&r->name, "process_sort_index")) {
		notes_add(c->notes, NOTE_METADATA_UNKNOWN, r->at, 1);
		return;
	}
	c->notes->merged++;
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
		metadata(c, r);
		break;
	default:
		notes_add(c->notes,
			  r->members == 0 ? NOTE_EMPTY_ENTRY
			  : r->ph         ? NOTE_PHASE_OTHER
					  : NOTE_BAD_RECORD,
			  r->at, 1);
	}
	c->sound += r->ph != 0 || r->members == 0;
	reader_note_faults(&c->reader, r->at);
}
