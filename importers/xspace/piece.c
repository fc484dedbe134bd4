#include "piece.h"
#include "quick.h"
#include "model/store/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* A stat of n bytes becomes an attribute of at most three times as many. */
enum { RECORD_BYTES = 3 * PIECE_BYTES + ATTR_SLACK };

static void make_lists(struct piece *x)
{
	size_t events = PIECE_EVENTS * sizeof *x->event, facts = (PIECE_FACTS + 1) * sizeof *x->fact;
	x->lists.size = 1;
	if (!column_grow(&x->lists, events + facts + RECORD_BYTES))
		memory_exhausted();
	x->event = x->lists.p;
	x->fact = (struct fact *)(x->event + PIECE_EVENTS);
	x->record = (unsigned char *)(x->fact + PIECE_FACTS + 1);
}

void piece_fill(struct piece *x, int64_t at, const void *bytes, size_t n)
{
	if (!x->event)
		make_lists(x);
	x->bytes = bytes;
	x->n = n;
	x->at = at;
	x->n_events = 0;
}

void piece_free(struct piece *x)
{
	column_free(&x->lists);
}

static bool take_stat(void *ctx, const unsigned char *p, size_t n)
{
	return quick_stat(ctx, p, p + n);
}

/* The fields that a writer puts first, as far as they stand in that order. NULL when a number is none. */
static inline const unsigned char *first_numbers(const unsigned char *p, struct xevent *e)
{
	if (*p == WIRE_TAG(1, WIRE_VARINT) && !(p = xevent_number(p + 1, &e->id)))
		return NULL;
	if (*p == WIRE_TAG(2, WIRE_VARINT) && !(p = xevent_number(p + 1, &e->offset_ps)))
		return NULL;
	if (*p == WIRE_TAG(3, WIRE_VARINT))
		p = xevent_number(p + 1, &e->duration_ps);
	return p;
}

/* As xevent_walk, with the usual order tried first. */
static bool decode_event(const unsigned char *p, const unsigned char *end, struct xevent *e, struct quick *q)
{
	*e = (struct xevent){0};
	if (p < end && (!(p = first_numbers(p, e)) || p > end))
		return false;
	p = quick_stats(q, p, end);
	return p && (p == end || xevent_walk_on(p, end, e, take_stat, q));
}

/* False: it has an unusual form. */
static inline bool decode(struct decoded *d, const struct wire_field *f, int64_t timestamp_ns, struct quick *q)
{
	struct xevent e;
	if (f->size > PIECE_BYTES || !decode_event(f->data, f->data + f->size, &e, q))
		return false;
	decoded_set(d, q->meta, timestamp_ns, &e);
	return true;
}

size_t piece_decode(struct piece *x, const struct meta *meta)
{
	struct quick q = {meta, x->record, x->fact};
	struct wire w = {x->bytes, x->bytes + x->n};
	struct wire_field f;
	while (x->n_events < PIECE_EVENTS && w.p < w.end && wire_next(&w, &f) == WIRE_OK) {
		if (f.number != 4)
			continue;
		struct decoded *d = &x->event[x->n_events++];
		struct quick from = q;
		d->at = (uint32_t)(f.data - x->bytes);
		bool usual = meta && decode(d, &f, x->timestamp_ns, &q);
		if (!usual) {
			q = from;
			d->form = DECODED_NOT;
		}
		d->n = usual ? (uint32_t)(q.to - from.to) : (uint32_t)f.size;
		d->n_facts = (uint16_t)(q.fact - from.fact);
	}
	return (size_t)(w.p - x->bytes);
}
