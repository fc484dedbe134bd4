/* model/store/ingest/pair.c - joins begins and ends. Points of one track (and id, for async) are taken in order of time, file
 * order breaking ties; an end closes the innermost open begin. */
#include "ingest_private.h"
#include <stdlib.h>

static int compare_points(const void *a, const void *b)
{
	const struct pair_point *x = a, *y = b;
	if (x->e.track != y->e.track)
		return x->e.track < y->e.track ? -1 : 1;
	/* async points (lower case) pair by id, B and E by nesting alone: each sort apart from the other */
	bool ax = x->phase >= 'a', ay = y->phase >= 'a';
	if (ax != ay)
		return ax ? 1 : -1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->e.start_ns != y->e.start_ns)
		return x->e.start_ns < y->e.start_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool same_group(const struct pair_point *x, const struct pair_point *y)
{
	return x->e.track == y->e.track && (x->phase >= 'a') == (y->phase >= 'a') && x->id == y->id;
}

static void show(struct ingest *in, const struct event_in *e)
{
	if (ingest_append(in, e))
		in->notes.shown++;
}

static void close_pair(struct ingest *in, struct pair_point *begin, const struct pair_point *end)
{
	begin->e.dur_ns = end->e.start_ns - begin->e.start_ns;
	if (end->e.name && begin->e.name && end->e.name != begin->e.name)
		notes_add(&in->notes, NOTE_END_NAME_DIFFERS, end->e.at, 1);
	if (!begin->e.name)
		begin->e.name = end->e.name;
	/* the number that the event will have, if it is taken */
	uint64_t event = in->raw.n;
	show(in, &begin->e);
	in->notes.merged++;
	if (end->e.attrs)
		ingest_side_of(in, SIDE_ENDS, event, &(struct end_attrs){.attrs = end->e.attrs});
}

static void close_at_the_end(struct ingest *in, struct pair_point *begin, int64_t last_ns)
{
	bool async = begin->phase == 'b';
	notes_add(&in->notes, async ? NOTE_ASYNC_BEGIN_WITHOUT_END : NOTE_BEGIN_WITHOUT_END, begin->e.at, 1);
	begin->e.dur_ns = last_ns > begin->e.start_ns ? last_ns - begin->e.start_ns : 0;
	show(in, &begin->e);
}

/* Points first..last-1 belong to one track and id. `open` has room for all of them. */
static void pair_group(struct ingest *in, struct pair_point *p, size_t first, size_t last, size_t *open,
		       int64_t last_ns)
{
	size_t depth = 0;
	for (size_t i = first; i < last; i++) {
		if (p[i].phase == 'B' || p[i].phase == 'b')
			open[depth++] = i;
		else if (p[i].phase == 'n') {
			p[i].e.dur_ns = 0;
			show(in, &p[i].e);
		} else if (depth > 0)
			close_pair(in, &p[open[--depth]], &p[i]);
		else
			notes_add(&in->notes, p[i].phase == 'E' ? NOTE_END_WITHOUT_BEGIN : NOTE_ASYNC_END_WITHOUT_BEGIN,
				  p[i].e.at, 1);
	}
	/* from the innermost out, each to the last time seen on the track */
	while (depth > 0)
		close_at_the_end(in, &p[open[--depth]], last_ns);
}

/* Latest time seen on each track: where begins without an end are drawn up to. */
static int64_t *last_times(const struct ingest *in)
{
	int64_t *last = malloc((in->tracks.n + 1) * sizeof *last);
	if (!last)
		return NULL;
	for (size_t i = 0; i < in->tracks.n; i++)
		last[i] = INT64_MIN;
	const struct raw_events *r = &in->raw;
	for (size_t i = 0; i < r->n; i++) {
		uint32_t t = ((uint32_t *)r->track.p)[i];
		int64_t end = ((int64_t *)r->start_ns.p)[i] + ((int64_t *)r->dur_ns.p)[i];
		last[t] = end > last[t] ? end : last[t];
	}
	const struct pair_point *p = in->pairs.p;
	for (size_t i = 0; i < in->pairs.n; i++) {
		uint32_t t = p[i].e.track;
		last[t] = p[i].e.start_ns > last[t] ? p[i].e.start_ns : last[t];
	}
	return last;
}

void ingest_pair(struct ingest *in)
{
	struct pair_point *p = in->pairs.p;
	size_t n = in->pairs.n;
	if (n == 0)
		return;
	int64_t *last_ns = last_times(in);
	size_t *open = malloc(n * sizeof *open);
	if (!last_ns || !open) {
		in->failed = true;
		n = 0;
	}
	if (n)
		qsort(p, n, sizeof *p, compare_points);
	for (size_t first = 0, last; first < n; first = last) {
		for (last = first + 1; last < n && same_group(&p[first], &p[last]);)
			last++;
		pair_group(in, p, first, last, open, last_ns[p[first].e.track]);
	}
	free(last_ns);
	free(open);
	/* their memory is free for the sort that follows */
	column_free(&in->pairs);
}
