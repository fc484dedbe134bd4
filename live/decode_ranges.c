/* live/decode_ranges.c - NVTX ranges: two records with one id become one event. A range that goes on is drawn as far as
 * the capture has come; an end whose begin was let go or lost is counted. */
#include "decode_private.h"
#include <stdlib.h>
#include <string.h>

static uint32_t slot_of(const struct decoding *d, uint32_t id)
{
	uint32_t i = id * 2654435761u & d->ranges_mask;
	while (d->ranges[i].id && d->ranges[i].id != id)
		i = (i + 1) & d->ranges_mask;
	return i;
}

static bool grow(struct decoding *d)
{
	uint32_t n = d->ranges ? (d->ranges_mask + 1) * 2 : 64, old_n = d->ranges ? d->ranges_mask + 1 : 0;
	struct open_range *old = d->ranges, *to = calloc(n, sizeof *to);
	if (!to)
		return false;
	d->ranges = to;
	d->ranges_mask = n - 1;
	for (uint32_t i = 0; i < old_n; i++)
		if (old[i].id)
			to[slot_of(d, old[i].id)] = old[i];
	free(old);
	return true;
}

/* Closes the hole: what stands behind it may have been put there because of it. */
static void take_out(struct decoding *d, uint32_t hole)
{
	d->n_ranges--;
	d->ranges[hole].id = 0;
	for (uint32_t i = (hole + 1) & d->ranges_mask; d->ranges[i].id; i = (i + 1) & d->ranges_mask) {
		struct open_range r = d->ranges[i];
		d->ranges[i].id = 0;
		d->ranges[slot_of(d, r.id)] = r;
	}
}

static void emit(struct decoding *d, const struct open_range *r, int64_t end_ns)
{
	struct event_in e = {.start_ns = r->at_ns,
			     .dur_ns = end_ns > r->at_ns ? end_ns - r->at_ns : 0,
			     .name = decode_text(d, r->name),
			     .kind = KIND_ANNOTATION,
			     .group = -1,
			     .at = -1};
	e.track = r->tid ? decode_thread(d, r->tid)
			 : ingest_track(d->in, TRACK_ASYNC, d->process, 0, d->words[WORD_NVTX_LANE]);
	if (r->domain) {
		attrs_begin(ingest_attrs(d->in));
		attrs_put_ref(ingest_attrs(d->in), d->words[WORD_DOMAIN], decode_text(d, r->domain));
		e.attrs = attrs_end(ingest_attrs(d->in));
	}
	decode_count(d, &e);
}

static void begin(struct decoding *d, const struct wire_marker *m)
{
	struct open_range r = {m->id, m->name, m->domain, m->tid, (int64_t)m->at_ns};
	if (m->id == 0 || ((!d->ranges || d->n_ranges * 2 > d->ranges_mask) && !grow(d))) {
		emit(d, &r, r.at_ns);
		return;
	}
	struct open_range *at = &d->ranges[slot_of(d, m->id)];
	if (at->id) /* its end was lost */
		emit(d, at, at->at_ns);
	else
		d->n_ranges++;
	*at = r;
}

static void end(struct decoding *d, const struct wire_marker *m)
{
	struct notes *n = ingest_notes(d->in);
	uint32_t i = d->ranges ? slot_of(d, m->id) : 0;
	n->entries++;
	if (!d->ranges || !d->ranges[i].id) {
		notes_add(n, NOTE_END_WITHOUT_BEGIN, -1, 1);
		return;
	}
	n->merged++;
	emit(d, &d->ranges[i], (int64_t)m->at_ns);
	take_out(d, i);
}

void decode_marker(struct decoding *d, const struct wire_marker *m)
{
	struct open_range point = {m->id, m->name, m->domain, m->tid, (int64_t)m->at_ns};
	if (m->f.flags & WIRE_MARK_END)
		end(d, m);
	else if (m->f.flags & WIRE_MARK_START)
		begin(d, m);
	else
		emit(d, &point, point.at_ns);
}

void decode_open_ranges(struct decoding *d)
{
	for (uint32_t i = 0; d->n_ranges && i <= d->ranges_mask; i++)
		if (d->ranges[i].id) {
			emit(d, &d->ranges[i], d->last_ns);
			d->ranges[i].id = 0;
			d->n_ranges--;
		}
}
