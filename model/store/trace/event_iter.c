/* model/store/trace/event_iter.c - walks over the events of a track that meet a time: where they begin, without a look at those before. */
#include "trace_private.h"
#include "model/store/base/first_from.h"

/* The first of rows [lo, end) that begins at ts or later; `end` if none does. */
static uint64_t first_begun(const struct trace *t, uint64_t lo, uint64_t end, int64_t ts)
{
	return first_from(t->start_ns, 1, lo, end, ts);
}

/* A row of the track's [first, end), no row before which reaches past ts: the first one that does lies in the same block. */
static uint64_t near_first_past(const struct trace *t, uint64_t first, uint64_t end, int64_t ts)
{
	uint64_t lo = first >> SKIP_SHIFT, hi = first < end ? (end - 1) >> SKIP_SHIFT : lo;
	while (lo < hi) {
		uint64_t mid = hi - (hi - lo) / 2;
		if (t->reached[mid] <= ts)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo << SKIP_SHIFT > first ? lo << SKIP_SHIFT : first;
}

/* Looked at one by one before a search begins: most of who asks is within a few rows of the answer. */
enum { ROWS_BESIDE = 4 };

/* The same from the other end, for what begins shortly before it. */
static uint64_t first_begun_near(const struct trace *t, uint64_t first, uint64_t end, int64_t ts)
{
	uint64_t step = 1, hi = end;
	for (int i = 0; i < ROWS_BESIDE; i++, hi--)
		if (hi == first || t->start_ns[hi - 1] < ts)
			return hi;
	if (t->start_ns[first] >= ts)
		return first;
	while (hi - first > step && t->start_ns[hi - step] >= ts) {
		hi -= step;
		step *= 2;
	}
	return first_begun(t, hi - first > step ? hi - step : first, hi, ts);
}

/* The same, and from such a row on. */
static uint64_t first_begun_by(const struct trace *t, uint64_t first, uint64_t end, row_id near, int64_t ts)
{
	uint64_t step = 1, lo = near;
	if (lo < first || lo >= end || t->start_ns[lo] >= ts)
		return lo < first || lo >= end ? first_begun(t, first, end, ts) : first_begun_near(t, first, lo, ts);
	for (int i = 0; i < ROWS_BESIDE; i++, lo++)
		if (lo + 1 == end || t->start_ns[lo + 1] >= ts)
			return lo + 1;
	for (; end - lo > step && t->start_ns[lo + step] < ts; step *= 2)
		lo += step;
	return first_begun(t, lo, end - lo > step ? lo + step : end, ts);
}

/* Where events only nest, and the outermost one that begins last before ts is near: from there on. True when nothing is open at ts. */
static bool begin_nested(const struct trace *t, const struct track_info *k, struct event_iter *it)
{
	enum { CLIMBED = 8 };
	uint64_t begun = first_begun_near(t, k->first, it->end, it->a), outer = begun;
	if (begun < it->end && t->start_ns[begun] == it->a && !t->depth[begun]) {
		it->at = begun; /* an outermost one that begins just then: of a step its marker */
		return true;
	}
	for (int i = 0; i < CLIMBED && outer > k->first && (outer == begun || t->depth[outer]); i++)
		outer--;
	if (outer < begun && t->depth[outer]) {
		it->at = near_first_past(t, k->first, it->end, it->a);
		return false;
	}
	bool open = outer < begun && row_reach(t, (row_id)outer) > it->a;
	it->at = open ? outer : begun;
	return !open;
}

struct event_iter event_iter_near(const struct trace *t, uint32_t track, int64_t a, int64_t b, uint32_t kinds,
				  row_id near)
{
	struct event_iter it = {.t = t, .kind = t->kind, .a = a, .b = b, .kinds = kinds, .row = NONE_ID};
	if (track >= t->n_tracks)
		return it;
	const struct track_info *k = &t->tracks[track].info;
	it.end = first_begun_by(t, k->first, k->first + k->n, near, b);
	if (!k->overlaps)
		it.begun = begin_nested(t, k, &it);
	else
		it.at = near_first_past(t, k->first, it.end, a);
	return it;
}

/* Rows to jump over because all of them end before the window: the largest block that begins at r and does. */
static uint64_t rows_to_skip(const struct trace *t, uint64_t r, int64_t a)
{
	uint64_t jump = 0;
	for (int level = 0; level < SKIP_LEVELS; level++) {
		int shift = SKIP_SHIFT * (level + 1);
		if ((r & ((UINT64_C(1) << shift) - 1)) || t->skip[level][r >> shift] > a)
			break;
		jump = UINT64_C(1) << shift;
	}
	return jump;
}

/* The next of rows [r, end) that reaches past ts, as all do that begin at ts or later. */
static uint64_t next_past(const struct trace *t, uint64_t r, uint64_t end, int64_t ts)
{
	while (r < end) {
		uint64_t jump = r & (((uint64_t)1 << SKIP_SHIFT) - 1) ? 0 : rows_to_skip(t, r, ts);
		if (!jump && row_reach(t, (row_id)r) > ts)
			break;
		r += jump ? jump : 1;
	}
	return r < end ? r : end;
}

bool event_next_around(struct event_iter *it)
{
	const struct trace *t = it->t;
	while ((it->at = next_past(t, it->at, it->end, it->a)) < it->end) {
		uint64_t r = it->at;
		if (t->start_ns[r] >= it->a) {
			it->begun = true;
			return event_next(it);
		}
		it->at++;
		if (it->kinds >> t->kind[r] & 1) {
			it->row = (row_id)r;
			return true;
		}
	}
	return false;
}
