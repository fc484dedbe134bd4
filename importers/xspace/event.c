/* One XEvent: where it lies in time, what it is, what it says. */
#include "quick.h"
#include "xspace.h"
#include "importers/detail_texts.h"
#include "model/store/base/grow.h"
#include <stdio.h>

/* ---- the fields --------------------------------------------------------------------------------------------------- */
/* What an event says: what it is, and its record, which ends at `end`. */
struct told {
	const struct decoded *is;
	struct decoded own; /* where it was not decoded before */
	unsigned char *record, *end;
};

static bool keep_stat(void *ctx, const unsigned char *p, size_t n)
{
	struct xspace *x = ctx;
	GROW_ARRAY(x->stats, x->n_stats, x->stats_cap);
	return stat_decode(p, n, &x->stats[x->n_stats++]);
}

/* An event of any form: its stats are read, then coded. Samples keep their stats as they are. False when the bytes are no event. */
static bool read_fields(struct xspace *x, const struct piece *p, const struct decoded *d, bool counter, struct told *e)
{
	const unsigned char *bytes = p->bytes + d->at;
	struct xevent is;
	x->n_stats = 0;
	if (!xevent_walk(bytes, bytes + d->n, &is, keep_stat, x))
		return false;
	decoded_set(&e->own, &x->plane.meta, p->timestamp_ns, &is);
	e->is = &e->own;
	if (counter)
		return true;
	e->record = stats_begin(x, e->is->meta, stats_bytes(x->stats, x->n_stats), &e->end);
	if (e->record)
		e->end = stats_put(x, e->end, x->stats, x->n_stats);
	return e->record;
}

/* The same of one that was decoded before. */
static bool take_fields(struct xspace *x, const struct decoded *d, const unsigned char *record,
			const struct fact *facts, struct told *e)
{
	e->is = d;
	if (d->meta && d->meta->says_more) {
		e->record = stats_begin(x, d->meta, d->n, &e->end);
	} else {
		x->facts.present = 0;
		e->record = e->end = attrs_reserve(x->attrs, d->n);
	}
	if (!e->record)
		return false;
	memcpy(e->end, record, d->n);
	e->end += d->n;
	for (uint32_t i = 0; i < d->n_facts; i++)
		gather_fact(&x->facts, &facts[i]);
	return true;
}

/* ---- kinds -------------------------------------------------------------------------------------------------------- */
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
static void settle_first(struct xspace *x)
{
	struct event_due *d = &x->due[x->due_from++ % EVENTS_DUE];
	if (d->kernel.of)
		d->e.detail = detail_kernel_row(x, &d->kernel);
	ingest_event(x->in, &d->e);
}

void events_settle(struct xspace *x)
{
	while (x->due_from != x->due_to)
		settle_first(x);
}

/* Where the next one is to be made. */
static struct event_due *next_due(struct xspace *x)
{
	if (x->due_to - x->due_from == EVENTS_DUE)
		settle_first(x);
	return &x->due[x->due_to % EVENTS_DUE];
}

static uint32_t detail_of(struct xspace *x, struct event_meta *m, const struct event_in *e, enum lane lane,
			  struct kernel_due *k)
{
	if (e->kind == KIND_KERNEL || e->kind == KIND_DEVICE_OTHER) {
		detail_kernel(x, e->at, k);
		return 0;
	}
	if (e->kind == KIND_COPY || e->kind == KIND_MEMSET)
		return detail_copy(x, m ? m->name : 0, e->kind == KIND_MEMSET);
	return lane == LANE_HOST ? detail_host(x, m, e->kind) : 0;
}

static void take_facts(struct xspace *x, const struct told *told, struct event_in *e)
{
	int64_t v;
	e->attrs = attrs_advance(x->attrs, (size_t)(told->end - told->record));
	if (gathered_int(&x->facts, ROLE_CORRELATION_ID, &v))
		e->corr = (uint64_t)v;
	if (gathered_int(&x->facts, ROLE_GROUP_ID, &v) && v >= 0 && v <= INT32_MAX)
		e->group = (int32_t)v;
}

static void show(struct xspace *x, const struct lane_info *lane, const struct told *told, int64_t at)
{
	struct event_due *due = next_due(x);
	struct event_in *e = &due->e;
	struct event_meta *m = told->is->meta;
	*e = (struct event_in){.start_ns = told->is->start_ns, .dur_ns = told->is->dur_ns, .group = -1, .at = at};
	e->name = m ? m->shown : 0;
	e->track = lane->track;
	take_facts(x, told, e);
	e->kind = kind_of(x, lane->lane, m);
	due->kernel.of = NULL;
	e->detail = detail_of(x, m, e, lane->lane, &due->kernel);
	if (e->kind == KIND_MEMORY && has(&x->facts, ROLE_BYTES_ALLOCATED))
		e->side = detail_allocation(x, m);
	if (!m)
		notes_add(x->notes, NOTE_METADATA_MISSING, at, 1);
	/* now that it is complete: others may have been settled meanwhile. Where nothing is due there is no need to wait */
	if (due->kernel.of || x->due_from != x->due_to)
		x->due_to++;
	else
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
static void sample(struct xspace *x, const struct lane_info *lane, const struct decoded *d, int64_t at)
{
	const struct event_meta *m = d->meta;
	size_t taken = 0;
	for (size_t i = 0; i < x->n_stats; i++) {
		const struct stat *s = &x->stats[i];
		const struct stat_meta *sm = meta_stat(&x->plane.meta, s->id);
		if (s->type != STAT_DOUBLE && s->type != STAT_UINT && s->type != STAT_INT)
			continue;
		double v = s->type == STAT_DOUBLE ? s->d : s->type == STAT_UINT ? (double)s->u : (double)(int64_t)s->u;
		str_id series = series_name(x, lane, m ? m->shown : 0, sm ? sm->name : 0, x->n_stats > 1);
		ingest_sample(x->in, ingest_track(x->in, TRACK_COUNTER, lane->owner, lane->key, series), d->start_ns,
			      v);
		taken++;
	}
	if (taken)
		x->notes->merged++;
	else
		notes_add(x->notes, NOTE_COUNTER_NOT_NUMBER, at, 1);
}

/* What was read of it becomes an event or a sample of the trace. */
static void take_event(struct xspace *x, const struct lane_info *lane, const struct told *told, int64_t at)
{
	if (told->is->form == DECODED_AGGREGATED)
		notes_add(x->notes, NOTE_AGGREGATED, at, 1);
	else if (told->is->form == DECODED_NOWHERE)
		notes_add(x->notes, NOTE_TIME_OVERFLOW, at, 1);
	else if (lane->lane == LANE_COUNTER)
		sample(x, lane, told->is, at);
	else
		show(x, lane, told, at);
}

void events_take(struct xspace *x, const struct lane_info *lane, const struct piece *p)
{
	const unsigned char *record = p->record;
	const struct fact *facts = p->fact;
	bool counter = lane->lane == LANE_COUNTER;
	x->notes->entries += p->n_events;
	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct decoded *d = &p->event[i];
		int64_t at = p->at + d->at;
		struct told told;
		bool decoded = d->form != DECODED_NOT;
		if (decoded ? take_fields(x, d, record, facts, &told) : read_fields(x, p, d, counter, &told))
			take_event(x, lane, &told, at);
		else
			notes_add(x->notes, NOTE_BAD_RECORD, at, 1);
		record += decoded ? d->n : 0;
		facts += d->n_facts;
	}
	events_settle(x);
}
