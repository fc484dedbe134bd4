/* importers/xspace/piece.h - a stretch of a line's events on its way to the trace, decoded as far as needs nothing but the plane's
 * stat metadata.
 * Why:    fields and stats are most of the work and touch nothing of the trace: a thread does that while the other one hands what it
 *         has decoded to ingest (plane_stretches.h).
 * Exact:  an event in any unusual form is left as it is, for event_read. */
#ifndef STEPSCOPE_XSPACE_PIECE_H
#define STEPSCOPE_XSPACE_PIECE_H
#include "meta.h"
#include "model/store/base/column.h"

/* The number fields of an XEvent. */
struct xevent {
	int64_t id, offset_ps, duration_ps;
	bool aggregated;
};

/* What is known of an event before its turn. */
enum decoded_form {
	DECODED_NOT, /* it is to be read */
	DECODED_EVENT,
	DECODED_AGGREGATED,
	DECODED_NOWHERE /* its time is none */
};
struct decoded {
	struct event_meta *meta; /* NULL: missing */
	int64_t start_ns, dur_ns;
	uint32_t at; /* the payload of the XEvent, in the piece's bytes */
	uint32_t n;  /* bytes: of its record, of one that is to be read of the payload */
	uint16_t n_facts;
	uint8_t form; /* enum decoded_form */
};

enum {
	PIECE_BYTES = 64 << 10,
	PIECE_EVENTS = 2048,
	PIECE_FACTS = PIECE_BYTES / 6, /* a stat with its head has six bytes at least */
};
struct line;
struct piece {
	const struct line *line;
	bool begins;                /* it is the first one of its line */
	bool breaks_off;            /* what follows of its line cannot be read */
	int64_t timestamp_ns;       /* of its line */
	int64_t at;                 /* where its first byte stands in the file */
	const unsigned char *bytes; /* WIRE_PAD more are readable */
	size_t n;
	uint32_t n_events;
	struct column lists; /* bytes of those below: they go back when it is freed, which the heap's may not */
	struct decoded *event;
	/* of all usual events, one after the other; texts among the facts lie in the records */
	struct fact *fact;
	unsigned char *record; /* the same: their stats as attributes */
};

/* Makes it the n bytes of a line that stand at `at` in the file and begin with a field; they are borrowed, and WIRE_PAD more. */
void piece_fill(struct piece *x, int64_t at, const void *bytes, size_t n);
/* Finds the events in it, as many as have place, and decodes those of a usual form, if `meta` is not NULL. Returns how many bytes
 * were passed: whole fields, at least the first one if that is whole. */
size_t piece_decode(struct piece *x, const struct meta *meta);
void piece_free(struct piece *x);

/* A payload's number at p; NULL when none stands there. */
static inline const unsigned char *xevent_number(const unsigned char *p, int64_t *to)
{
	uint64_t v = 0;
	p = wire_quick(p, &v);
	*to = (int64_t)v;
	return p;
}

static inline const unsigned char *xevent_pass(const unsigned char *p, const unsigned char *end)
{
	struct wire w = {p, end};
	return wire_pass(&w, 5) ? w.p : NULL;
}

/* Every field of an XEvent from p on in turn, each of its stats to `stat`, which returns false when its bytes are none. False when the
 * bytes are no event. WIRE_PAD bytes must be readable after them. */
typedef bool stat_fn(void *ctx, const unsigned char *p, size_t n);
static inline __attribute__((always_inline)) bool xevent_walk_on(const unsigned char *p, const unsigned char *end,
								 struct xevent *e, stat_fn *stat, void *ctx)
{
	int64_t v = 0;
	while (p < end) {
		switch (*p) {
		case WIRE_TAG(1, WIRE_VARINT):
			p = xevent_number(p + 1, &e->id);
			break;
		case WIRE_TAG(2, WIRE_VARINT):
			p = xevent_number(p + 1, &e->offset_ps);
			break;
		case WIRE_TAG(3, WIRE_VARINT):
			p = xevent_number(p + 1, &e->duration_ps);
			break;
		case WIRE_TAG(4, WIRE_BYTES):
			p = xevent_number(p + 1, &v);
			if (!p || p > end || (uint64_t)v > (uint64_t)(end - p) || !stat(ctx, p, (size_t)v))
				return false;
			p += v;
			break;
		case WIRE_TAG(5, WIRE_VARINT): /* its presence decides, whatever the number */
			e->aggregated = true;
			p = xevent_number(p + 1, &v);
			break;
		default:
			p = xevent_pass(p, end);
		}
		if (!p || p > end)
			return false;
	}
	return true;
}

/* All fields; the offset may be left out: then it is 0. */
static inline __attribute__((always_inline)) bool xevent_walk(const unsigned char *p, const unsigned char *end,
							      struct xevent *e, stat_fn *stat, void *ctx)
{
	*e = (struct xevent){0};
	return xevent_walk_on(p, end, e, stat, ctx);
}

/* To the nearest, halves up; exact below zero too. */
static inline int64_t ps_to_ns(int64_t ps)
{
	if (ps >= 0) /* nearly all */
		return (int64_t)(((uint64_t)ps + 500) / 1000);
	int64_t ns = ps / 1000, rest = ps % 1000;
	if (rest < 0)
		ns--, rest += 1000;
	return ns + (rest >= 500);
}

/* Start and end are rounded, not the duration, so that what nests keeps nesting. The line's base is whole ns, hence it can
 * be added afterwards: an epoch in ps would not fit. False when the result is no int64. */
static inline bool xevent_place(int64_t timestamp_ns, const struct xevent *e, int64_t *start_ns, int64_t *dur_ns)
{
	int64_t end_ps, end_ns;
	if (__builtin_add_overflow(e->offset_ps, e->duration_ps, &end_ps) ||
	    __builtin_add_overflow(timestamp_ns, ps_to_ns(e->offset_ps), start_ns) ||
	    __builtin_add_overflow(timestamp_ns, ps_to_ns(end_ps), &end_ns))
		return false;
	return !__builtin_sub_overflow(end_ns, *start_ns, dur_ns);
}

/* What its numbers tell. */
static inline void decoded_set(struct decoded *d, const struct meta *meta, int64_t timestamp_ns, const struct xevent *e)
{
	d->meta = meta_event(meta, e->id);
	bool placed = xevent_place(timestamp_ns, e, &d->start_ns, &d->dur_ns);
	d->form = e->aggregated ? DECODED_AGGREGATED : placed ? DECODED_EVENT : DECODED_NOWHERE;
}
#endif
