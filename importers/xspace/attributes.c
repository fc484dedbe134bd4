/* Stats to attributes: every one is kept as written, those with a meaning are remembered for the event at hand. */
#include "quick.h"
#include "xspace.h"
#include <inttypes.h>
#include <stdio.h>

enum { NOTICE_BYTES = 48 };

/* A stat without metadata keeps its number as a name. */
static str_id nameless_key(struct xspace *x, int64_t id)
{
	char text[32];
	int n = snprintf(text, sizeof text, "stat %" PRId64, id);
	return strings_add(x->strings, text, (size_t)n);
}

static unsigned char *put_key(struct xspace *x, unsigned char *to, const struct stat_meta *m, int64_t id,
			      enum attr_type type)
{
	return m ? stat_put_key(to, m, type) : attr_put_key(to, nameless_key(x, id), type);
}

/* A reference is the name of another stat metadata entry. One that leads nowhere stays a number. */
static unsigned char *put_ref(struct xspace *x, unsigned char *to, const struct stat_meta *m, struct stat *s)
{
	const struct stat_meta *text = meta_stat(&x->plane.meta, (int64_t)s->u);
	if (!text) {
		s->type = STAT_UINT;
		return attr_put_varint(put_key(x, to, m, s->id, ATTR_UINT), s->u);
	}
	s->type = STAT_TEXT;
	s->ref = text->name;
	return stat_put_ref(put_key(x, to, m, s->id, ATTR_REF), text);
}

static unsigned char *put_bytes(struct xspace *x, unsigned char *to, const struct stat_meta *m, const struct stat *s)
{
	char text[NOTICE_BYTES];
	/* bytes without a pointer were too large to keep (meta.c): what counts is their size */
	if (s->text.p || !s->text.n)
		return attr_put_text(put_key(x, to, m, s->id, ATTR_BYTES), s->text.p, s->text.n);
	int n = snprintf(text, sizeof text, "(%zu bytes, not kept)", s->text.n);
	return attr_put_text(put_key(x, to, m, s->id, ATTR_STR), text, (size_t)n);
}

static unsigned char *put_stat(struct xspace *x, unsigned char *to, const struct stat_meta *m, struct stat *s)
{
	switch (s->type) {
	case STAT_INT:
		return attr_put_signed(put_key(x, to, m, s->id, ATTR_INT), (int64_t)s->u);
	case STAT_REF:
		return put_ref(x, to, m, s);
	case STAT_UINT:
		return attr_put_varint(put_key(x, to, m, s->id, ATTR_UINT), s->u);
	case STAT_DOUBLE:
		return attr_put_real(put_key(x, to, m, s->id, ATTR_DOUBLE), s->d);
	case STAT_STR:
		return attr_put_text(put_key(x, to, m, s->id, ATTR_STR), s->text.p, s->text.n);
	case STAT_TEXT:
		return attr_put_varint(put_key(x, to, m, s->id, ATTR_REF), s->ref);
	case STAT_BYTES:
		return put_bytes(x, to, m, s);
	default:
		return put_key(x, to, m, s->id, ATTR_NULL);
	}
}

static void remember(struct gathered *g, uint8_t role, const struct stat *s)
{
	struct fact f = {.u = s->u, .role = role, .type = s->type};
	if (s->type == STAT_TEXT)
		f.u = s->ref;
	if (s->type == STAT_STR || s->type == STAT_BYTES) {
		f.u = (uint64_t)(uintptr_t)s->text.p;
		f.n = (uint32_t)s->text.n;
	}
	gather_fact(g, &f);
}

unsigned char *stats_put(struct xspace *x, unsigned char *to, struct stat *stats, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct stat_meta *m = meta_stat(&x->plane.meta, stats[i].id);
		to = put_stat(x, to, m, &stats[i]);
		if (m && m->role)
			remember(&x->facts, m->role, &stats[i]);
	}
	return to;
}

size_t stats_bytes(const struct stat *stats, size_t n)
{
	size_t bytes = 0;
	for (size_t i = 0; i < n; i++) {
		size_t text = stats[i].type == STAT_STR || stats[i].type == STAT_BYTES ? stats[i].text.n : 0;
		bytes += ATTR_KEY_MAX + ATTR_NUMBER_MAX + NOTICE_BYTES + text;
	}
	return bytes;
}

/* ---- planes ------------------------------------------------------------------------------------------------------- */
attr_at plane_stats(struct xspace *x)
{
	struct plane *p = &x->plane;
	unsigned char *from = attrs_reserve(x->attrs, stats_bytes(p->stats, p->n_stats));
	x->facts.present = 0;
	return from ? attrs_advance(x->attrs, (size_t)(stats_put(x, from, p->stats, p->n_stats) - from)) : 0;
}

/* ---- events ------------------------------------------------------------------------------------------------------- */
static struct stat *own_stats(struct meta *plane, const struct event_meta *m)
{
	return m->n_stats ? plane->event_stats + m->first_stat : NULL;
}

/* What the metadata says of every event of a name. */
static void make_record(struct xspace *x, struct event_meta *m)
{
	struct meta *plane = &x->plane.meta;
	struct stat *stats = own_stats(plane, m);
	size_t cap = ATTR_KEY_MAX + ATTR_NUMBER_MAX + ATTR_SLACK + stats_bytes(stats, m->n_stats);
	unsigned char *from = arena_alloc(&plane->texts, cap), *to = from;
	if (m->shown != m->name)
		to = attr_put_varint(attr_put_key(to, x->long_name, ATTR_REF), m->name);
	to = stats_put(x, to, stats, m->n_stats);
	m->record = from;
	m->record_bytes = (uint32_t)(to - from);
}

/* The record is coded at the first event of its name and copied from then on; roles are remembered each time, since they are
 * of the event at hand. */
static unsigned char *put_record(struct xspace *x, unsigned char *to, struct event_meta *m)
{
	struct meta *plane = &x->plane.meta;
	if (!m->record)
		make_record(x, m);
	for (uint32_t i = m->first_stat; i < m->first_stat + m->n_stats; i++) {
		const struct stat_meta *sm = meta_stat(plane, plane->event_stats[i].id);
		if (sm && sm->role)
			remember(&x->facts, sm->role, &plane->event_stats[i]);
	}
	memcpy(to, m->record, m->record_bytes);
	return to + m->record_bytes;
}

/* What the metadata adds to `bytes` of stats. */
static size_t room_for_event(struct xspace *x, const struct event_meta *m, size_t bytes)
{
	size_t own = m->record ? m->record_bytes : stats_bytes(own_stats(&x->plane.meta, m), m->n_stats);
	return bytes + own + ATTR_KEY_MAX + ATTR_NUMBER_MAX;
}

unsigned char *stats_begin(struct xspace *x, struct event_meta *m, size_t bytes, unsigned char **to)
{
	/* for events whose metadata is missing */
	static const struct event_meta unnamed;
	unsigned char *from = attrs_reserve(x->attrs, room_for_event(x, m ? m : &unnamed, bytes));
	x->facts.present = 0;
	*to = from && m && m->says_more ? put_record(x, from, m) : from;
	return from;
}
