#include "hits.h"
#include "model/store/base/memory.h"
#include <stdlib.h>

enum { BINS = 4096 };
struct hits {
	const struct trace *t;
	const struct columns *c;
	uint64_t n;
	uint64_t *set;   /* a bit per row */
	uint32_t *lane;  /* per track: number of its first display row */
	uint32_t *first; /* per display row and after the last one: place of its first hit */
	row_id *rows;    /* by display row, by start */
	uint32_t bins[BINS];
};

static bool has(const uint64_t *set, row_id r)
{
	return set[r / 64] >> r % 64 & 1;
}

static uint32_t lane_of(const struct hits *h, row_id r)
{
	uint32_t track = h->c->track[r];
	return h->lane[track] + h->c->disp[r];
}

static uint32_t number_lanes(struct hits *h)
{
	uint32_t tracks = trace_tracks(h->t), n = 0;
	h->lane = must(malloc((tracks + 1) * sizeof *h->lane));
	for (uint32_t i = 0; i < tracks; i++) {
		h->lane[i] = n;
		n += trace_track(h->t, i)->n_rows;
	}
	h->lane[tracks] = n;
	return n;
}

static uint32_t bin_of(const struct hits *h, int64_t ns)
{
	int64_t span = trace_span_ns(h->t);
	__int128 bin = span > 0 ? (__int128)ns * BINS / span : 0;
	return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : (uint32_t)bin;
}

static bool ask_all(struct hits *h, bool (*hit)(void *ctx, row_id r), void *ctx, struct progress *p)
{
	h->set = must(calloc(h->c->n / 64 + 1, sizeof *h->set));
	for (row_id r = 0; r < h->c->n && !progress_cancelled(p); r++)
		if (hit(ctx, r)) {
			h->set[r / 64] |= 1ull << r % 64;
			h->n++;
			h->bins[bin_of(h, h->c->start_ns[r])]++;
		}
	return !progress_cancelled(p);
}

/* Rows of a track come by start; those of one display row stay in that order. */
static void sort_by_lane(struct hits *h)
{
	uint32_t lanes = number_lanes(h);
	h->first = must(calloc(lanes + 2u, sizeof *h->first));
	h->rows = must(malloc((h->n + 1) * sizeof *h->rows));
	for (row_id r = 0; r < h->c->n; r++)
		if (has(h->set, r))
			h->first[lane_of(h, r) + 2]++;
	for (uint32_t i = 2; i < lanes + 2; i++)
		h->first[i] += h->first[i - 1];
	for (row_id r = 0; r < h->c->n; r++)
		if (has(h->set, r))
			h->rows[h->first[lane_of(h, r) + 1]++] = r;
}

struct hits *hits_new(const struct trace *t, bool (*hit)(void *ctx, row_id r), void *ctx, struct progress *p)
{
	struct hits *h = must(calloc(1, sizeof *h));
	h->t = t;
	h->c = trace_columns(t);
	if (!ask_all(h, hit, ctx, p)) {
		hits_free(h);
		return NULL;
	}
	sort_by_lane(h);
	return h;
}

void hits_free(struct hits *h)
{
	if (!h)
		return;
	free(h->set);
	free(h->lane);
	free(h->first);
	free(h->rows);
	free(h);
}

uint64_t hits_count(const struct hits *h)
{
	return h->n;
}

bool hits_has(const struct hits *h, row_id r)
{
	return r < h->c->n && has(h->set, r);
}

/* ---- one display row ------------------------------------------------------------------------------------------------ */

static bool lane_at(const struct hits *h, uint32_t track, uint32_t disp, uint32_t *lane)
{
	if (track >= trace_tracks(h->t) || disp >= h->lane[track + 1] - h->lane[track])
		return false;
	*lane = h->lane[track] + disp;
	return true;
}

/* Place of the first hit of the lane that starts after ts; the lane's end when there is none. */
static uint32_t after(const struct hits *h, uint32_t lane, int64_t ts_ns)
{
	uint32_t low = h->first[lane], high = h->first[lane + 1];
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (h->c->start_ns[h->rows[mid]] > ts_ns)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static int64_t end_of(const struct hits *h, row_id r)
{
	return h->c->start_ns[r] + h->c->dur_ns[r];
}

row_id hits_within(const struct hits *h, uint32_t track, uint32_t disp, int64_t a_ns, int64_t b_ns)
{
	uint32_t lane;
	if (!lane_at(h, track, disp, &lane))
		return NONE_ID;
	/* events of a display row do not overlap: the one before is the only one that may reach into it */
	uint32_t at = after(h, lane, a_ns - 1);
	if (at > h->first[lane] && end_of(h, h->rows[at - 1]) > a_ns)
		return h->rows[at - 1];
	return at < h->first[lane + 1] && h->c->start_ns[h->rows[at]] < b_ns ? h->rows[at] : NONE_ID;
}

bool hits_touch(const struct hits *h, uint32_t track, int64_t a_ns, int64_t b_ns)
{
	uint32_t rows = track < trace_tracks(h->t) ? h->lane[track + 1] - h->lane[track] : 0;
	for (uint32_t disp = 0; disp < rows; disp++)
		if (hits_within(h, track, disp, a_ns, b_ns) != NONE_ID)
			return true;
	return false;
}

row_id hits_next(const struct hits *h, uint32_t track, uint32_t disp, int64_t ts_ns)
{
	uint32_t lane, at = lane_at(h, track, disp, &lane) ? after(h, lane, ts_ns) : 0;
	return lane_at(h, track, disp, &lane) && at < h->first[lane + 1] ? h->rows[at] : NONE_ID;
}

row_id hits_prev(const struct hits *h, uint32_t track, uint32_t disp, int64_t ts_ns)
{
	uint32_t lane;
	if (!lane_at(h, track, disp, &lane))
		return NONE_ID;
	uint32_t at = after(h, lane, ts_ns);
	while (at > h->first[lane] && end_of(h, h->rows[at - 1]) > ts_ns)
		at--;
	return at > h->first[lane] ? h->rows[at - 1] : NONE_ID;
}

/* ---- the whole trace ------------------------------------------------------------------------------------------------ */

uint64_t hits_begin_in(const struct hits *h, int64_t a_ns, int64_t b_ns)
{
	uint64_t sum = 0;
	if (b_ns <= a_ns)
		return 0;
	uint32_t last = bin_of(h, b_ns - 1);
	for (uint32_t i = bin_of(h, a_ns); i <= last; i++)
		sum += h->bins[i];
	return sum;
}

uint64_t hits_place(const struct hits *h, row_id r)
{
	uint64_t before = 0;
	const int64_t *start = h->c->start_ns;
	for (uint64_t i = 0; i < h->n; i++) {
		row_id x = h->rows[i];
		before += x <= r ? start[x] <= start[r] : start[x] < start[r];
	}
	return before;
}
