/* One XEvent: where it lies in time, what it is, what it says. */
#include "quick.h"
#include "importers/detail_texts.h"
#include "model/store/base/grow.h"
#include <stdio.h>

struct xevent {
	int64_t id, offset_ps, duration_ps;
	bool aggregated;
	int64_t record_id;  /* whose metadata the record began with */
	unsigned char *end; /* of the record */
};

/* ---- the fields --------------------------------------------------------------------------------------------------- */
/* Samples keep their stats as they are. */
static bool keep_stat(struct xspace *x, const unsigned char *p, size_t n)
{
	GROW_ARRAY(x->stats, x->n_stats, x->stats_cap);
	return stat_decode(p, n, &x->stats[x->n_stats++]);
}

static unsigned char *begin_record(struct xspace *x, struct xevent *e, size_t bytes)
{
	e->record_id = e->id;
	return stats_begin(x, meta_event(&x->plane.meta, e->id), bytes);
}

/* The record after the stat of n bytes at p, NULL when they are none; `left` bounds this and all stats behind it. */
static inline unsigned char *take_stat(struct xspace *x, unsigned char *to, const unsigned char *p, size_t n,
				       size_t left, struct xevent *e)
{
	if (!x->record && !(to = begin_record(x, e, left)))
		return NULL;
	unsigned char *quick = quick_stat(&x->plane.meta, &x->facts, to, p, p + n);
	return quick ? quick : stats_add(x, to, p, n);
}

static const unsigned char *number(const unsigned char *p, int64_t *to)
{
	uint64_t v = 0;
	p = wire_quick(p, &v);
	*to = (int64_t)v;
	return p;
}

static const unsigned char *pass_field(const unsigned char *p, const unsigned char *end)
{
	struct wire w = {p, end};
	return wire_pass(&w, 5) ? w.p : NULL;
}

/* A stat becomes an attribute, or lands in x->stats. */
static inline const unsigned char *stat_field(struct xspace *x, const unsigned char *p, const unsigned char *end,
					      bool counter, struct xevent *e)
{
	uint64_t n;
	p = wire_quick(p, &n);
	if (!p || p > end || n > (uint64_t)(end - p))
		return NULL;
	if (counter)
		return keep_stat(x, p, (size_t)n) ? p + n : NULL;
	e->end = take_stat(x, e->end, p, (size_t)n, (size_t)(end - p), e);
	return e->end ? p + n : NULL;
}

/* Every field in turn. False when the bytes are no event. */
static bool walk(struct xspace *x, const unsigned char *p, const unsigned char *end, bool counter, struct xevent *e)
{
	int64_t times;
	while (p < end) {
		switch (*p) {
		case WIRE_TAG(1, WIRE_VARINT):
			p = number(p + 1, &e->id);
			break;
		case WIRE_TAG(2, WIRE_VARINT):
			p = number(p + 1, &e->offset_ps);
			break;
		case WIRE_TAG(3, WIRE_VARINT):
			p = number(p + 1, &e->duration_ps);
			break;
		case WIRE_TAG(4, WIRE_BYTES):
			p = stat_field(x, p + 1, end, counter, e);
			break;
		case WIRE_TAG(5, WIRE_VARINT): /* its presence decides, whatever the number */
			e->aggregated = true;
			p = number(p + 1, &times);
			break;
		default:
			p = pass_field(p, end);
		}
		if (!p || p > end)
			return false;
	}
	return true;
}

/* The offset may be left out: then it is 0. A record begins with what the metadata says: should the id stand behind the
 * stats, it is begun again. */
static bool read_fields(struct xspace *x, const unsigned char *p, size_t n, bool counter, struct xevent *e)
{
	*e = (struct xevent){0};
	x->n_stats = 0;
	x->record = NULL;
	if (!walk(x, p, p + n, counter, e))
		return false;
	if (counter || (x->record && e->record_id == e->id))
		return true;
	/* no stat was met yet, or the id stood behind them and the record began with what another name's metadata says */
	bool stats = x->record;
	e->end = begin_record(x, e, n);
	return e->end && (!stats || walk(x, p, p + n, counter, e));
}

/* ---- time --------------------------------------------------------------------------------------------------------- */
/* To the nearest, halves up; exact below zero too. */
static int64_t ps_to_ns(int64_t ps)
{
	int64_t ns = ps / 1000, rest = ps % 1000;
	if (rest < 0)
		ns--, rest += 1000;
	return ns + (rest >= 500);
}

/* Start and end are rounded, not the duration, so that what nests keeps nesting. The line's base is whole ns, hence it can
 * be added afterwards: an epoch in ps would not fit. False when the result is no int64. */
static bool place(int64_t timestamp_ns, const struct xevent *e, struct event_in *out)
{
	int64_t end_ps, end_ns;
	if (__builtin_add_overflow(e->offset_ps, e->duration_ps, &end_ps) ||
	    __builtin_add_overflow(timestamp_ns, ps_to_ns(e->offset_ps), &out->start_ns) ||
	    __builtin_add_overflow(timestamp_ns, ps_to_ns(end_ps), &end_ns))
		return false;
	return !__builtin_sub_overflow(end_ns, out->start_ns, &out->dur_ns);
}

/* NVTX ranges look like ops of JAX ("NVTX:forward") and are none. */
static uint8_t host_kind_by_name(struct xspace *x, struct event_meta *m)
{
	struct span name = strings_get(x->strings, m->name);
	if (name.n && name.p[0] == '$')
		return KIND_PYTHON;
	if (span_is(name, "MemoryAllocation") || span_is(name, "MemoryDeallocation"))
		return KIND_MEMORY;
	if (span_starts(name, "NVTX:"))
		return KIND_ANNOTATION;
	details_tf_op(x->strings, name.p, name.n, &m->op, &m->op_type);
	return m->op_type ? KIND_OP : KIND_ANNOTATION;
}

static uint8_t device_kind_by_name(struct xspace *x, struct event_meta *m)
{
	struct span name = strings_get(x->strings, m->name);
	struct copy_info c;
	copy_info_init(&c);
	if (!details_copy_name(name.p, name.n, &c))
		return KIND_DEVICE_OTHER;
	return c.kind == COPY_MEMSET ? KIND_MEMSET : KIND_COPY;
}

/* Work is told by its details; allocations and residency are no work; a name decides only where details are missing. */
static uint8_t stream_kind(struct xspace *x, struct event_meta *m)
{
	if (gathered_says(&x->facts, ROLE_KERNEL_DETAILS))
		return KIND_KERNEL;
	if (gathered_says(&x->facts, ROLE_MEMCPY_DETAILS))
		return KIND_COPY;
	if (gathered_says(&x->facts, ROLE_MEMSET_DETAILS))
		return KIND_MEMSET;
	if (has(&x->facts, ROLE_ALLOCATION) || has(&x->facts, ROLE_MEM_FREE) || has(&x->facts, ROLE_RESIDENCY))
		return KIND_MEMORY;
	if (m && !m->named)
		m->kind = device_kind_by_name(x, m), m->named = true;
	return m ? m->kind : KIND_DEVICE_OTHER;
}

static uint8_t host_kind(struct xspace *x, struct event_meta *m)
{
	if (m && !m->named)
		m->kind = host_kind_by_name(x, m), m->named = true;
	if (has(&x->facts, ROLE_CORRELATION_ID))
		return KIND_RUNTIME;
	if (m && m->kind != KIND_ANNOTATION)
		return m->kind;
	return gathered_says(&x->facts, ROLE_TF_OP) ? KIND_OP : KIND_ANNOTATION;
}

static uint8_t kind_of(struct xspace *x, enum lane lane, struct event_meta *m)
{
	switch (lane) {
	case LANE_STREAM:
		return stream_kind(x, m);
	case LANE_OPS:
		return KIND_DEVICE_OTHER;
	case LANE_RANGE:
		return KIND_DEVICE_RANGE;
	case LANE_OVERHEAD:
		return KIND_OVERHEAD;
	case LANE_HOST_DERIVED:
		return KIND_ANNOTATION;
	default:
		return host_kind(x, m);
	}
}

/* ---- to ingest ---------------------------------------------------------------------------------------------------- */
static uint32_t detail_of(struct xspace *x, struct event_meta *m, const struct event_in *e, enum lane lane)
{
	if (e->kind == KIND_KERNEL || e->kind == KIND_DEVICE_OTHER)
		return detail_kernel(x, e->at);
	if (e->kind == KIND_COPY || e->kind == KIND_MEMSET)
		return detail_copy(x, m ? m->name : 0, e->kind == KIND_MEMSET);
	return lane == LANE_HOST ? detail_host(x, m, e->kind) : 0;
}

static void take_facts(struct xspace *x, const struct xevent *ev, struct event_in *e)
{
	int64_t v;
	e->attrs = attrs_advance(x->attrs, (size_t)(ev->end - x->record));
	if (gathered_int(&x->facts, ROLE_CORRELATION_ID, &v))
		e->corr = (uint64_t)v;
	if (gathered_int(&x->facts, ROLE_GROUP_ID, &v) && v >= 0 && v <= INT32_MAX)
		e->group = (int32_t)v;
}

static void show(struct xspace *x, const struct lane_info *lane, struct event_meta *m, const struct xevent *ev,
		 struct event_in *e)
{
	e->name = m ? m->shown : 0;
	e->track = lane->track;
	take_facts(x, ev, e);
	e->kind = kind_of(x, lane->lane, m);
	e->detail = detail_of(x, m, e, lane->lane);
	if (e->kind == KIND_MEMORY && has(&x->facts, ROLE_BYTES_ALLOCATED))
		e->side = detail_allocation(x, m);
	if (!m)
		notes_add(x->notes, NOTE_METADATA_MISSING, e->at, 1);
	ingest_event(x->in, e);
}

/* ---- counters ----------------------------------------------------------------------------------------------------- */
static str_id series_name(struct xspace *x, const struct lane_info *lane, str_id event, str_id stat, bool several)
{
	char text[256];
	const char *name = event ? strings_z(x->strings, event) : strings_z(x->strings, stat);
	int n = snprintf(text, sizeof text, "%s%s%s%s", strings_z(x->strings, lane->counter), name,
			 several && event ? "." : "", several && event ? strings_z(x->strings, stat) : "");
	return strings_add(x->strings, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

/* A sample carries one number as a rule; several become one series each. */
static void sample(struct xspace *x, const struct lane_info *lane, const struct event_meta *m, const struct event_in *e)
{
	size_t taken = 0;
	for (size_t i = 0; i < x->n_stats; i++) {
		const struct stat *s = &x->stats[i];
		const struct stat_meta *sm = meta_stat(&x->plane.meta, s->id);
		if (s->type != STAT_DOUBLE && s->type != STAT_UINT && s->type != STAT_INT)
			continue;
		double v = s->type == STAT_DOUBLE ? s->d : s->type == STAT_UINT ? (double)s->u : (double)(int64_t)s->u;
		str_id series = series_name(x, lane, m ? m->shown : 0, sm ? sm->name : 0, x->n_stats > 1);
		ingest_sample(x->in, ingest_track(x->in, TRACK_COUNTER, lane->owner, lane->key, series), e->start_ns,
			      v);
		taken++;
	}
	if (taken)
		x->notes->merged++;
	else
		notes_add(x->notes, NOTE_COUNTER_NOT_NUMBER, e->at, 1);
}

void event_read(struct xspace *x, const struct lane_info *lane, int64_t timestamp_ns, const unsigned char *p, size_t n,
		int64_t at)
{
	bool counter = lane->lane == LANE_COUNTER;
	struct xevent ev;
	struct event_in e = {.group = -1, .at = at};
	x->notes->entries++;
	if (!read_fields(x, p, n, counter, &ev)) {
		notes_add(x->notes, NOTE_BAD_RECORD, at, 1);
	} else if (ev.aggregated) {
		notes_add(x->notes, NOTE_AGGREGATED, at, 1);
	} else if (!place(timestamp_ns, &ev, &e)) {
		notes_add(x->notes, NOTE_TIME_OVERFLOW, at, 1);
	} else {
		struct event_meta *m = meta_event(&x->plane.meta, ev.id);
		if (counter)
			sample(x, lane, m, &e);
		else
			show(x, lane, m, &ev, &e);
	}
}
