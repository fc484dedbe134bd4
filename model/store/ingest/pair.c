/* model/store/ingest/pair.c - joins begins and ends. Points of one track (and id, for async) are taken in order of time, file
 * order breaking ties; an end closes the innermost open begin. */
#include "ingest_private.h"
#include "model/store/base/both.h"
#include <stdlib.h>

/* points; and events between two looks at the memory that the next ones need */
enum { WORTH_A_THREAD = 1 << 16, EVENTS_AHEAD = 1024 };

/* Async points (lower case) pair by id, B and E by nesting alone: each sort apart from the other. */
static bool is_async(const struct pair_point *x)
{
	return x->phase >= 'a';
}

/* What is paired apart from the rest: points of a track and sort. */
static size_t bucket_of(const struct pair_point *x)
{
	return (size_t)x->track * 2 + is_async(x);
}

/* Points are named by their number, which is their order in the file. */
static bool goes_before(const struct pair_point *p, uint32_t a, uint32_t b)
{
	if (p[a].start_ns != p[b].start_ns)
		return p[a].start_ns < p[b].start_ns;
	return a < b;
}

static int compare_points(const void *a, const void *b, void *points)
{
	const uint32_t *x = a, *y = b;
	return goes_before(points, *x, *y) ? -1 : goes_before(points, *y, *x);
}

/* Sorts points of one id by time; most are in order already, as they stood in the file. */
static void sort_by_time(const struct pair_point *p, uint32_t *which, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (goes_before(p, which[i], which[i - 1])) {
			qsort_r(which, n, sizeof *which, compare_points, (void *)p);
			return;
		}
}

/* A point on its way to its place among those of other ids. */
struct by_id {
	uint64_t id;
	uint32_t number;
};

/* One pass of the sort by ids: by that byte of them, and else as they are. */
static void sort_by_byte(const struct by_id *from, struct by_id *to, size_t n, unsigned shift)
{
	size_t at[257] = {0};
	for (size_t i = 0; i < n; i++)
		at[(from[i].id >> shift & 0xff) + 1]++;
	for (unsigned i = 1; i < 256; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < n; i++)
		to[at[from[i].id >> shift & 0xff]++] = from[i];
}

/* Points of a bucket lie all over memory: those some places further on are asked for. (Always inline: else compilers leave out a
 * call that only fetches.) */
static inline __attribute__((always_inline)) void fetch_ahead(const struct pair_point *p, const uint32_t *which,
							      size_t i, size_t n)
{
	enum { AHEAD = 16 };
	if (n - i > AHEAD)
		__builtin_prefetch(&p[which[i + AHEAD]]);
}

/* Sorts a bucket by id, byte by byte, where ids differ in it; points of one id stay in file order. */
static bool sort_by_id(const struct pair_point *p, uint32_t *which, size_t n)
{
	uint64_t differ = 0;
	for (size_t i = 0; i < n; i++) {
		fetch_ahead(p, which, i, n);
		differ |= p[which[i]].id ^ p[which[0]].id;
	}
	if (!differ)
		return true;
	struct by_id *from = large_alloc(2 * n * sizeof *from), *to = from + n;
	for (size_t i = 0; from && i < n; i++)
		from[i] = (struct by_id){p[which[i]].id, which[i]};
	struct by_id *memory = from;
	for (unsigned shift = 0; memory && shift < 64; shift += 8)
		if (differ >> shift & 0xff) {
			sort_by_byte(from, to, n, shift);
			struct by_id *sorted = to;
			to = from;
			from = sorted;
		}
	for (size_t i = 0; memory && i < n; i++)
		which[i] = from[i].number;
	free(memory);
	return memory != NULL;
}

/* The event a point begins, as it came in. */
static void show(struct ingest *in, const struct pair_point *x, str_id name, int64_t dur_ns)
{
	static const struct pair_rest none = {.group = -1};
	const struct pair_rest *rest = x->rest ? (const struct pair_rest *)in->pair_rests.p + x->rest - 1 : &none;
	const struct event_in e = {.start_ns = x->start_ns,
				   .dur_ns = dur_ns,
				   .corr = rest->corr,
				   .attrs = x->attrs,
				   .name = name,
				   .track = x->track,
				   .detail = x->detail,
				   .side = rest->side,
				   .kind = x->kind,
				   .group = rest->group,
				   .at = x->at};
	if (ingest_append(in, &e))
		in->notes.shown++;
	if (in->raw.n % EVENTS_AHEAD == 0)
		ingest_ahead(in);
}

static void close_pair(struct ingest *in, const struct pair_point *begin, const struct pair_point *end)
{
	if (end->name && begin->name && end->name != begin->name)
		notes_add(&in->notes, NOTE_END_NAME_DIFFERS, end->at, 1);
	/* the number that the event will have, if it is taken */
	uint64_t event = in->raw.n;
	show(in, begin, begin->name ? begin->name : end->name, end->start_ns - begin->start_ns);
	in->notes.merged++;
	if (end->attrs)
		ingest_side_of(in, SIDE_ENDS, event, &(struct end_attrs){.attrs = end->attrs});
}

/* Latest time seen on each track: where begins without an end are drawn up to. */
struct last_times {
	int64_t *of_track; /* NULL: nobody has asked yet */
	size_t events;     /* how many there were before pairing */
	bool failed;
};

static int64_t *find_last_times(const struct ingest *in, size_t events)
{
	int64_t *last = malloc((in->tracks.n + 1) * sizeof *last);
	if (!last)
		return NULL;
	for (size_t i = 0; i < in->tracks.n; i++)
		last[i] = INT64_MIN;
	const struct raw_events *r = &in->raw;
	for (size_t i = 0; i < events; i++) {
		uint32_t t = ((uint32_t *)r->track.p)[i];
		int64_t end = ((int64_t *)r->start_ns.p)[i] + ((int64_t *)r->dur_ns.p)[i];
		last[t] = end > last[t] ? end : last[t];
	}
	const struct pair_point *p = in->pairs.p;
	for (size_t i = 0; i < in->pairs.n; i++) {
		uint32_t t = p[i].track;
		last[t] = p[i].start_ns > last[t] ? p[i].start_ns : last[t];
	}
	return last;
}

static int64_t last_time(struct last_times *x, const struct ingest *in, uint32_t track)
{
	if (!x->of_track && !x->failed) {
		x->of_track = find_last_times(in, x->events);
		x->failed = !x->of_track;
	}
	return x->failed ? INT64_MIN : x->of_track[track];
}

static void close_at_the_end(struct ingest *in, const struct pair_point *begin, int64_t last_ns)
{
	notes_add(&in->notes, is_async(begin) ? NOTE_ASYNC_BEGIN_WITHOUT_END : NOTE_BEGIN_WITHOUT_END, begin->at, 1);
	show(in, begin, begin->name, last_ns > begin->start_ns ? last_ns - begin->start_ns : 0);
}

/* The points which[0..n-1] belong to one track and id; those open are kept in the part of `which` that is done with. bucket: how many
 * there are up to the end of the bucket. */
static void pair_group(struct ingest *in, const struct pair_point *p, uint32_t *which, size_t n, size_t bucket,
		       struct last_times *last)
{
	size_t depth = 0;
	for (size_t i = 0; i < n; i++) {
		const struct pair_point *x = &p[which[i]];
		fetch_ahead(p, which, i, bucket);
		if (x->phase == 'B' || x->phase == 'b')
			which[depth++] = which[i];
		else if (x->phase == 'n')
			show(in, x, x->name, 0);
		else if (depth > 0)
			close_pair(in, &p[which[--depth]], x);
		else
			notes_add(&in->notes, is_async(x) ? NOTE_ASYNC_END_WITHOUT_BEGIN : NOTE_END_WITHOUT_BEGIN,
				  x->at, 1);
	}
	/* from the innermost out, each to the last time seen on the track */
	while (depth > 0) {
		const struct pair_point *begin = &p[which[--depth]];
		close_at_the_end(in, begin, last_time(last, in, begin->track));
	}
}

/* The points, dealt to buckets: which[end[b - 1]] up to which[end[b]] are bucket b's. Each half of them is dealt apart. */
struct dealt {
	const struct ingest *in;
	uint32_t *which, *end;
	uint32_t *of_first; /* by bucket: points of the first half, then where its next one goes */
	size_t buckets;
	atomic_size_t next; /* bucket that nobody sorts yet */
};

/* Where the group that begins at which[first] ends: points of one id, in a bucket sorted by it. B and E have none. */
static size_t end_of_group(const struct pair_point *p, const uint32_t *which, size_t first, size_t n)
{
	size_t last = first + 1;
	if (!is_async(&p[which[first]]))
		return n;
	while (last < n && p[which[last]].id == p[which[first]].id)
		last++;
	return last;
}

/* All points of a bucket, which are of one track: one id after the other, each in order of time. False when memory is out. */
static bool sort_bucket(const struct pair_point *p, uint32_t *which, size_t n)
{
	if (n == 0)
		return true;
	if (!sort_by_id(p, which, n))
		return false;
	for (size_t first = 0, last; first < n; first = last) {
		last = end_of_group(p, which, first, n);
		sort_by_time(p, which + first, last - first);
	}
	return true;
}

/* Both threads do this, each taking the next bucket. */
static bool sort_buckets(void *ctx)
{
	struct dealt *d = ctx;
	bool ok = true;
	for (size_t b; ok && (b = atomic_fetch_add(&d->next, 1)) < d->buckets;) {
		size_t first = b ? d->end[b - 1] : 0;
		ok = sort_bucket(d->in->pairs.p, d->which + first, d->end[b] - first);
	}
	return ok;
}

/* The points of a sorted bucket become events. */
static void pair_bucket(struct ingest *in, uint32_t *which, size_t n, struct last_times *last_times)
{
	const struct pair_point *p = in->pairs.p;
	if (n == 0)
		return;
	/* what is noted is of its file */
	in->notes.source = ingest_host_info(in, ingest_track_info(in, p[*which].track)->host)->source;
	for (size_t first = 0, last; first < n; first = last) {
		last = end_of_group(p, which, first, n);
		pair_group(in, p, which + first, last - first, n - first, last_times);
	}
}

/* How many of the points [first, last) are in each bucket. */
static bool count(const struct ingest *in, uint32_t *n, size_t first, size_t last)
{
	const struct pair_point *p = in->pairs.p;
	for (size_t i = first; i < last; i++)
		n[bucket_of(&p[i])]++;
	return true;
}

/* Their numbers, each to where its bucket goes on. */
static bool deal(const struct ingest *in, uint32_t *which, uint32_t *at, size_t first, size_t last)
{
	const struct pair_point *p = in->pairs.p;
	for (size_t i = first; i < last; i++)
		which[at[bucket_of(&p[i])]++] = (uint32_t)i;
	return true;
}

static bool count_first_half(void *ctx)
{
	const struct dealt *d = ctx;
	return count(d->in, d->of_first, 0, d->in->pairs.n / 2);
}

static bool count_second_half(void *ctx)
{
	const struct dealt *d = ctx;
	return count(d->in, d->end, d->in->pairs.n / 2, d->in->pairs.n);
}

static bool deal_first_half(void *ctx)
{
	const struct dealt *d = ctx;
	return deal(d->in, d->which, d->of_first, 0, d->in->pairs.n / 2);
}

static bool deal_second_half(void *ctx)
{
	const struct dealt *d = ctx;
	return deal(d->in, d->which, d->end, d->in->pairs.n / 2, d->in->pairs.n);
}

/* The numbers of the points, bucket by bucket in order of the file. */
static void deal_all(struct dealt *d, unsigned threads)
{
	both(threads, count_first_half, count_second_half, d);
	uint32_t at = 0;
	for (size_t b = 0; b < d->buckets; b++) {
		uint32_t first = d->of_first[b], second = d->end[b];
		d->of_first[b] = at;
		d->end[b] = at + first;
		at += first + second;
	}
	both(threads, deal_first_half, deal_second_half, d);
}

void ingest_pair(struct ingest *in)
{
	struct last_times last_times = {.events = in->raw.n};
	size_t n = in->pairs.n, buckets = in->tracks.n * 2;
	unsigned threads = n < WORTH_A_THREAD ? 1 : in->threads;
	if (n == 0)
		return;
	/* numbers are moved, not points */
	struct dealt d = {.in = in,
			  .which = n < UINT32_MAX ? large_alloc(n * sizeof *d.which) : NULL,
			  .end = calloc(buckets + 1, sizeof *d.end),
			  .of_first = calloc(buckets + 1, sizeof *d.of_first),
			  .buckets = buckets};
	bool ok = d.which && d.end && d.of_first;
	if (ok)
		deal_all(&d, threads);
	ok = ok && both(threads, sort_buckets, sort_buckets, &d);
	for (size_t b = 0, first = 0; ok && b < buckets; first = d.end[b++])
		pair_bucket(in, d.which + first, d.end[b] - first, &last_times);
	in->failed |= !ok || last_times.failed;
	free(last_times.of_track);
	free(d.which);
	free(d.end);
	free(d.of_first);
	column_free(&in->pair_rests);
}
