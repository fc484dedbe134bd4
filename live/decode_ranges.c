/* live/decode_ranges.c - NVTX ranges: two records with one id become one event. A range that goes on is drawn as far as
 * the capture has come; an end whose begin was let go or lost is counted. */
#include "decode_private.h"
#include "model/store/base/grow.h"

/* The last open range takes the place of the one that is over. */
static void take_out(struct decoding *d, uint32_t i)
{
	idmap_take(&d->range_of_id, d->ranges[i].id);
	d->ranges[i] = d->ranges[--d->n_ranges];
	if (i < d->n_ranges)
		*idmap_put(&d->range_of_id, d->ranges[i].id, i) = i;
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
	if (m->id == 0) {
		emit(d, &r, r.at_ns);
		return;
	}
	uint32_t i = *idmap_put(&d->range_of_id, m->id, d->n_ranges);
	if (i < d->n_ranges) { /* its end was lost */
		emit(d, &d->ranges[i], d->ranges[i].at_ns);
	} else {
		GROW_ARRAY(d->ranges, i, d->cap_ranges);
		d->n_ranges++;
	}
	d->ranges[i] = r;
}

static void end(struct decoding *d, const struct wire_marker *m)
{
	struct notes *n = ingest_notes(d->in);
	uint32_t i = idmap_get(&d->range_of_id, m->id);
	n->entries++;
	if (i == UINT32_MAX) {
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
	for (uint32_t i = 0; i < d->n_ranges; i++)
		emit(d, &d->ranges[i], d->last_ns);
	d->n_ranges = 0;
	idmap_clear(&d->range_of_id);
}
