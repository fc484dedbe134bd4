#include "piece.h"
#include "quick.h"
#include "model/store/base/memory.h"
#include "model/store/base/pass_by.h"
#include <stdlib.h>
#include <string.h>

/* A stat of n bytes becomes an attribute of at most three times as many. */
enum { RECORD_BYTES = 3 * PIECE_BYTES + ATTR_SLACK };

static void *aligned(size_t bytes)
{
	return aligned_alloc(PASS_BY_ALIGN, (bytes + PASS_BY_ALIGN - 1) / PASS_BY_ALIGN * PASS_BY_ALIGN);
}

static bool has_lists(struct piece *x)
{
	if (!x->event) {
		/* as one block: large enough that its memory goes back when it is freed */
		size_t events = PIECE_EVENTS * sizeof *x->event, facts = (PIECE_FACTS + 1) * sizeof *x->fact;
		x->event = aligned(events + facts + RECORD_BYTES);
		x->fact = x->event ? (struct fact *)(x->event + PIECE_EVENTS) : NULL;
		x->record = x->event ? (unsigned char *)(x->fact + PIECE_FACTS + 1) : NULL;
	}
	return x->event;
}

bool piece_fill(struct piece *x, int64_t at, const void *bytes, size_t n)
{
	if (!has_lists(x))
		return false;
	x->bytes = bytes;
	x->n = n;
	x->at = at;
	x->n_events = 0;
	x->all_usual = true;
	return true;
}

/* The bytes of unusual events are read again. */
static void move_bytes(struct piece *t, const struct piece *f)
{
	if (f->n > t->room || !t->copy) {
		t->room = f->n > PIECE_BYTES ? f->n : PIECE_BYTES;
		free(t->copy);
		t->copy = must(aligned(t->room + WIRE_PAD + PASS_BY_SLACK));
	}
	pass_by(t->copy, f->bytes, f->n + WIRE_PAD);
	t->bytes = t->copy;
}

void piece_move(void *to, void *from)
{
	struct piece *t = to;
	const struct piece *f = from;
	if (!has_lists(t))
		memory_exhausted();
	t->line = f->line;
	t->begins = f->begins;
	t->at = f->at;
	t->n_events = f->n_events;
	pass_by(t->event, f->event, f->n_events * sizeof *f->event);
	pass_by(t->fact, f->fact, f->n_facts * sizeof *f->fact);
	pass_by(t->record, f->record, f->record_bytes);
	if (!f->all_usual)
		move_bytes(t, f);
	pass_by_end();
}

void piece_free(void *piece)
{
	struct piece *x = piece;
	free(x->copy);
	free(x->event);
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

size_t piece_decode(struct piece *x, const struct meta *meta)
{
	struct quick q = {meta, x->record, x->record, x->fact};
	struct wire w = {x->bytes, x->bytes + x->n};
	struct wire_field f;
	while (x->n_events < PIECE_EVENTS && w.p < w.end && wire_next(&w, &f) == WIRE_OK) {
		if (f.number != 4)
			continue;
		struct decoded *d = &x->event[x->n_events++];
		struct quick from = q;
		d->at = (uint32_t)(f.data - x->bytes);
		d->usual = meta && f.size <= PIECE_BYTES && decode_event(f.data, f.data + f.size, &d->is, &q);
		if (!d->usual)
			q = from;
		x->all_usual &= d->usual;
		d->n = d->usual ? (uint32_t)(q.to - from.to) : (uint32_t)f.size;
		d->n_facts = (uint16_t)(q.fact - from.fact);
	}
	x->n_facts = (size_t)(q.fact - x->fact);
	x->record_bytes = (size_t)(q.to - x->record);
	return (size_t)(w.p - x->bytes);
}
