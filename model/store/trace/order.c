/* model/store/trace/order.c - the order of rows: by track, then start asc, duration desc, file order. Producers write runs that
 * are sorted already, so a natural merge sort does little work. Where runs are short, as those of async events, which come id by
 * id, the events are sorted by the digits of their start before. */
#include "trace_private.h"
#include "model/store/base/both.h"
#include <stdlib.h>
#include <string.h>

/* Rows: of all tracks, of one; of a run, on average. */
enum { WORTH_A_THREAD = 1 << 16, WORTH_DIGITS = 1 << 10, SHORT_RUN = 4, DIGIT_BITS = 11 };

/* Events are named by their place in the file; merging moves names only, and reads times in runs as they were written. */
struct sorting {
	const int64_t *start_ns, *dur_ns;
	uint32_t *order; /* row -> event */
	uint32_t *spare; /* as many as there are rows: those of a track are its own */
	/* bit per row: a run begins there; rows where a track begins have none. Those of a track begin as many words further on as
	 * there are tracks before it, so that no two tracks share a word */
	uint64_t *breaks;
	const struct trace *t;
	_Atomic uint32_t next; /* track that nobody sorts yet */
};

/* Where the next event of a track goes, and the last one's times. */
struct cursor {
	uint64_t next;
	uint64_t *breaks;
	int64_t start_ns, dur_ns;
};

static inline bool before(const struct sorting *s, uint32_t x, uint32_t y)
{
	if (s->start_ns[x] != s->start_ns[y])
		return s->start_ns[x] < s->start_ns[y];
	if (s->dur_ns[x] != s->dur_ns[y])
		return s->dur_ns[x] > s->dur_ns[y];
	return x < y;
}

/* The first break in [from, end), or end. */
static uint64_t next_break(const uint64_t *breaks, uint64_t from, uint64_t end)
{
	for (uint64_t at = from, bits; at < end; at = (at / 64 + 1) * 64)
		if ((bits = breaks[at / 64] >> at % 64) != 0) {
			at += (uint64_t)__builtin_ctzll(bits);
			return at < end ? at : end;
		}
	return end;
}

/* The first of the sorted events [first, end) that goes after y; looked for from the end on. */
static uint32_t *behind(const struct sorting *s, uint32_t *first, uint32_t *end, uint32_t y)
{
	uint32_t *lo = end, *hi = end;
	for (ptrdiff_t step = 1; lo > first && before(s, y, lo[-1]); step *= 2) {
		hi = lo - 1;
		lo = lo - first > step ? lo - step : first;
	}
	while (lo < hi) {
		uint32_t *mid = lo + (hi - lo) / 2;
		if (before(s, y, *mid))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Joins two neighbouring runs in place; only what the second one pushes back is moved twice. */
static void merge(const struct sorting *s, uint32_t *first, uint32_t *second, uint32_t *end, uint32_t *spare)
{
	uint32_t *out = behind(s, first, second, *second), *y = second;
	const uint32_t *x = spare, *x_end = spare + (second - out);
	memcpy(spare, out, (size_t)(second - out) * sizeof *out);
	while (x < x_end && y < end) {
		/* no branch: which run goes on is as good as random */
		bool take_y = before(s, *y, *x);
		*out++ = take_y ? *y : *x;
		y += take_y;
		x += !take_y;
	}
	memcpy(out, x, (size_t)(x_end - x) * sizeof *out);
}

/* One pass of the sort by start: by those bits of it, and else as they are. */
static void sort_by_digit(const int64_t *start_ns, int64_t least, unsigned shift, const uint32_t *from, uint32_t *to,
			  uint64_t n)
{
	enum { DIGITS = 1 << DIGIT_BITS };
	uint32_t at[DIGITS] = {0}, before = 0;
#define DIGIT(event) (((uint64_t)start_ns[event] - (uint64_t)least) >> shift & (DIGITS - 1))
	for (uint64_t i = 0; i < n; i++)
		at[DIGIT(from[i])]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		uint32_t here = at[d];
		at[d] = before;
		before += here;
	}
	for (uint64_t i = 0; i < n; i++)
		to[at[DIGIT(from[i])]++] = from[i];
#undef DIGIT
}

/* Sorts a track by start alone, the lowest digit first; what breaks its order then are events of one start. */
static void sort_by_start(const struct sorting *s, uint64_t *breaks, uint64_t first, uint64_t n)
{
	uint32_t *order = s->order + first, *from = order, *to = s->spare + first;
	int64_t least = INT64_MAX, most = INT64_MIN;
	for (uint64_t i = 0; i < n; i++) {
		int64_t start_ns = s->start_ns[order[i]];
		least = start_ns < least ? start_ns : least;
		most = start_ns > most ? start_ns : most;
	}
	uint64_t span = (uint64_t)most - (uint64_t)least;
	for (unsigned shift = 0; shift < 64 && span >> shift; shift += DIGIT_BITS) {
		sort_by_digit(s->start_ns, least, shift, from, to, n);
		uint32_t *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != order)
		memcpy(order, from, n * sizeof *order);
	for (uint64_t i = 1, row; i < n; i++) {
		row = first + i;
		breaks[row / 64] &= ~(UINT64_C(1) << row % 64);
		breaks[row / 64] |= (uint64_t)before(s, order[i], order[i - 1]) << row % 64;
	}
}

/* Are runs so short that merging goes over them more often than there are digits? */
static bool has_short_runs(const uint64_t *breaks, uint64_t first, uint64_t end)
{
	uint64_t runs = 0, most = (end - first) / SHORT_RUN;
	for (uint64_t at = first; runs <= most && (at = next_break(breaks, at, end)) < end; at++)
		runs++;
	return runs > most;
}

/* Joins runs by twos until there is one. */
static void sort_track(const struct sorting *s, uint64_t *breaks, uint64_t first, uint64_t n)
{
	uint64_t end = first + n;
	if (n >= WORTH_DIGITS && has_short_runs(breaks, first, end))
		sort_by_start(s, breaks, first, n);
	while (next_break(breaks, first, end) < end)
		for (uint64_t a = first, b, c; (b = next_break(breaks, a + 1, end)) < end; a = c) {
			c = next_break(breaks, b + 1, end);
			merge(s, s->order + a, s->order + b, s->order + c, s->spare + first);
			breaks[b / 64] &= ~(UINT64_C(1) << b % 64);
		}
}

/* Tracks that nobody else sorts, one after the other. */
static bool sort_tracks(void *ctx)
{
	struct sorting *s = ctx;
	for (uint32_t i; (i = atomic_fetch_add(&s->next, 1)) < s->t->n_tracks;)
		sort_track(s, s->breaks + i, s->t->tracks[i].info.first, s->t->tracks[i].info.n);
	return true;
}

/* Gives each track its events in file order and finds the runs. at: by provisional track. */
static void deal(const struct ingest *in, const struct sorting *s, struct cursor *at)
{
	const uint32_t *track = in->raw.track.p;
	for (size_t i = 0; i < in->raw.n; i++) {
		struct cursor *c = &at[track[i]];
		uint64_t row = c->next++;
		int64_t start_ns = s->start_ns[i], dur_ns = s->dur_ns[i];
		if (start_ns < c->start_ns || (start_ns == c->start_ns && dur_ns > c->dur_ns))
			c->breaks[row / 64] |= UINT64_C(1) << row % 64;
		c->start_ns = start_ns;
		c->dur_ns = dur_ns;
		s->order[row] = (uint32_t)i;
	}
}

uint32_t *seal_order(struct trace *t, const struct ingest *in, const uint32_t *map, struct spare *spare)
{
	size_t words = in->raw.n / 64 + 1 + t->n_tracks;
	struct sorting s = {in->raw.start_ns.p,
			    in->raw.dur_ns.p,
			    spare_alloc(spare, (in->raw.n + 1) * sizeof *s.order),
			    in->raw.track.p,
			    calloc(words, sizeof *s.breaks),
			    t,
			    0};
	struct cursor *at = malloc((in->tracks.n + 1) * sizeof *at);
	bool ok = s.order && s.breaks && at;
	for (size_t i = 0; ok && i < in->tracks.n; i++) {
		uint32_t track = map[i] == NONE_ID ? 0 : map[i];
		/* before all times, so that a track's first row begins no run of its own */
		at[i] = (struct cursor){t->n_tracks ? t->tracks[track].info.first : 0, s.breaks + track, INT64_MIN,
					INT64_MAX};
	}
	if (ok) {
		ahead_middle(in->ahead, s.order, in->raw.n * sizeof *s.order);
		deal(in, &s, at);
	}
	free(at);
	ok = ok && both(in->raw.n < WORTH_A_THREAD ? 1 : in->threads, sort_tracks, sort_tracks, &s);
	free(s.breaks);
	if (ok)
		return s.order;
	free(s.order);
	return NULL;
}
