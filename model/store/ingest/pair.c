/* model/store/ingest/pair.c - joins begins and ends. Points of one track (and id, for async) are taken in order of time, file
 * order breaking ties; an end closes the innermost open begin. */
#include "ingest_private.h"
#include <stdlib.h>

/* Async points (lower case) pair by id, B and E by nesting alone: each sort apart from the other. */
static bool is_async(const struct pair_point *x)
{
	return x->phase >= 'a';
}

/* What is paired apart from the rest: points of a track and sort. */
static size_t bucket_of(const struct pair_point *x)
{
	return (size_t)x->e.track * 2 + is_async(x);
}

static bool goes_before(const struct pair_point *x, const struct pair_point *y)
{
	if (x->id != y->id)
		return x->id < y->id;
	if (x->e.start_ns != y->e.start_ns)
		return x->e.start_ns < y->e.start_ns;
	return x->order < y->order;
}

static int compare_points(const void *a, const void *b, void *points)
{
	const struct pair_point *p = points, *x = &p[*(const uint32_t *)a], *y = &p[*(const uint32_t *)b];
	return goes_before(x, y) ? -1 : goes_before(y, x);
}

/* Sorts the points of a bucket; most are in order already, as they stood in the file. */
static void sort_bucket(struct pair_point *p, uint32_t *which, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (goes_before(&p[which[i]], &p[which[i - 1]])) {
			qsort_r(which, n, sizeof *which, compare_points, p);
			return;
		}
}

/* The numbers of the points by track, sort, id and time; NULL when memory is out. Numbers are moved, not points. */
static uint32_t *in_order(const struct ingest *in)
{
	struct pair_point *p = in->pairs.p;
	size_t n = in->pairs.n, buckets = in->tracks.n * 2;
	uint32_t *which = malloc(n * sizeof *which), *end = calloc(buckets + 1, sizeof *end);
	for (size_t i = 0; which && end && i < n; i++)
		end[bucket_of(&p[i]) + 1]++;
	for (size_t b = 0; which && end && b < buckets; b++)
		end[b + 1] += end[b];
	for (size_t i = 0; which && end && i < n; i++)
		which[end[bucket_of(&p[i])]++] = (uint32_t)i;
	for (size_t b = 0, first = 0; which && end && b < buckets; first = end[b++])
		sort_bucket(p, which + first, end[b] - first);
	if (!end) {
		free(which);
		which = NULL;
	}
	free(end);
	return which;
}

static bool same_group(const struct pair_point *x, const struct pair_point *y)
{
	return bucket_of(x) == bucket_of(y) && x->id == y->id;
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
	notes_add(&in->notes, is_async(begin) ? NOTE_ASYNC_BEGIN_WITHOUT_END : NOTE_BEGIN_WITHOUT_END, begin->e.at, 1);
	begin->e.dur_ns = last_ns > begin->e.start_ns ? last_ns - begin->e.start_ns : 0;
	show(in, &begin->e);
}

/* The points which[0..n-1] belong to one track and id; those open are kept in the part of `which` that is done with. */
static void pair_group(struct ingest *in, struct pair_point *p, uint32_t *which, size_t n, int64_t last_ns)
{
	size_t depth = 0;
	for (size_t i = 0; i < n; i++) {
		struct pair_point *x = &p[which[i]];
		if (x->phase == 'B' || x->phase == 'b')
			which[depth++] = which[i];
		else if (x->phase == 'n') {
			x->e.dur_ns = 0;
			show(in, &x->e);
		} else if (depth > 0)
			close_pair(in, &p[which[--depth]], x);
		else
			notes_add(&in->notes, is_async(x) ? NOTE_ASYNC_END_WITHOUT_BEGIN : NOTE_END_WITHOUT_BEGIN,
				  x->e.at, 1);
	}
	/* from the innermost out, each to the last time seen on the track */
	while (depth > 0)
		close_at_the_end(in, &p[which[--depth]], last_ns);
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
	uint32_t *which = n < UINT32_MAX ? in_order(in) : NULL;
	if (!last_ns || !which) {
		in->failed = true;
		n = 0;
	}
	for (size_t first = 0, last; first < n; first = last) {
		const struct pair_point *x = &p[which[first]];
		for (last = first + 1; last < n && same_group(x, &p[which[last]]);)
			last++;
		pair_group(in, p, which + first, last - first, last_ns[x->e.track]);
	}
	free(last_ns);
	free(which);
	/* their memory is free for the sort that follows */
	column_free(&in->pairs);
}
